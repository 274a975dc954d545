import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { fileKinds } from '../../../contract/file-types.ts'
import { Choices } from '../../components/choices.tsx'
import { ListTools } from '../../components/list-tools.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { useText } from '../../i18n.ts'
import { type FileSearch, fileChoicesQuery } from './files.ts'

/** Searching, filtering and sorting. @param props.kind stands fast for who looks for one kind alone */
export function FileTools(props: {
  search: FileSearch
  change: (changes: Partial<FileSearch>) => void
  kind?: FileSearch['kind']
}) {
  const { search, change, kind } = props
  const t = useText()
  const { data: choices } = useQuery(fileChoicesQuery)
  const folders = choices?.folders ?? []
  return (
    <ListTools
      search={
        <SearchField
          label={t('files.search')}
          value={search.search}
          onSearch={(text) => change({ search: text || undefined })}
        />
      }
      filtered={(search.folder === undefined ? 0 : 1) + (kind || search.kind === undefined ? 0 : 1)}
      onClear={() => change({ folder: undefined, kind: undefined })}
      filters={
        <>
          {!kind && (
            <Choices
              legend={t('files.kind')}
              options={[
                { value: 'all', label: t('files.anyKind') },
                ...fileKinds.map((one) => ({ value: one, label: t(`files.kinds.${one}`) })),
              ]}
              chosen={[search.kind ?? 'all']}
              onChoose={([one]) => change({ kind: fileKinds.find((known) => known === one) })}
            />
          )}
          <NativeSelect
            label={t('files.folder')}
            value={search.folder ?? ''}
            onChange={(event) => change({ folder: event.currentTarget.value || undefined })}
            data={[
              { value: '', label: t('files.anyFolder') },
              ...folders.map(({ name, files }) => ({
                value: name,
                label: t('files.folderCount', { folder: name, count: files }),
              })),
            ]}
          />
        </>
      }
      sorting={{
        options: [
          { value: '-createdAt', label: t('files.sort.createdAtDown') },
          { value: 'createdAt', label: t('files.sort.createdAt') },
          { value: 'name', label: t('files.sort.name') },
          { value: '-name', label: t('files.sort.nameDown') },
          { value: '-bytes', label: t('files.sort.bytesDown') },
        ],
        by: search.sort ?? '-createdAt',
        set: (sort) => change({ sort: sort as FileSearch['sort'] }),
        always: true,
      }}
    />
  )
}
