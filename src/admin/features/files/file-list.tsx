import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Images } from 'lucide-react'
import type { ReactNode } from 'react'
import type { StoredFile } from '../../../contract/files.ts'
import { Empty, Failed, Waiting } from '../../components/states.tsx'
import { useText } from '../../i18n.ts'
import { useRight } from '../sign-in/me.ts'
import { FileGrid } from './file-grid.tsx'
import { FileTools } from './file-tools.tsx'
import { type FileSearch, filesQuery } from './files.ts'

type Meta = { page: number; pageSize: number; total: number; more?: true | undefined }

/** Searching in the files and what is found, for the screen and for who chooses one. */
export function FileList(props: {
  search: FileSearch
  change: (changes: Partial<FileSearch>) => void
  kind?: FileSearch['kind']
  onChoose?: (file: StoredFile) => void
  pager: (meta: Meta) => ReactNode
}) {
  const { search, change, kind, onChoose, pager } = props
  const t = useText()
  const mayWrite = useRight('files.write')
  const { data, error, refetch, isPlaceholderData } = useQuery(filesQuery(kind ? { ...search, kind } : search))
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  const asked = search.search !== undefined || search.folder !== undefined || search.kind !== undefined
  return (
    <>
      <FileTools search={search} change={change} kind={kind} />
      {!data && <Waiting />}
      {data?.data.length === 0 && !asked && (
        <Empty icon={Images} title={t('files.empty')} text={t(mayWrite ? 'files.emptyText' : 'files.emptyRead')} />
      )}
      {data?.data.length === 0 && asked && (
        <Empty
          title={t('files.none')}
          text={t('files.noneText')}
          action={
            <Button variant="default" onClick={() => change({ search: undefined, folder: undefined, kind: undefined })}>
              {t('form.list.noFilter')}
            </Button>
          }
        />
      )}
      {data && data.data.length > 0 && (
        <>
          <FileGrid files={data.data} old={isPlaceholderData} {...(onChoose && { onChoose })} />
          {pager(data.meta)}
        </>
      )}
    </>
  )
}
