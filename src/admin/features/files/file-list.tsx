import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { File, FileArchive, FileAudio, FileText, FileVideo, ImageOff, Images, LoaderCircle } from 'lucide-react'
import type { ReactNode } from 'react'
import { type FileKind, fileKinds } from '../../../contract/file-types.ts'
import type { StoredFile } from '../../../contract/files.ts'
import { altIn } from '../../../contract/images.ts'
import type { ListOf } from '../../../contract/list.ts'
import { ChoiceGroup } from '../../components/choices.tsx'
import { isPastTheEnd, ListTools, NothingFound, searchField, sortOptions } from '../../components/list-tools.tsx'
import { Empty, ErrorState, Loading } from '../../components/states.tsx'
import { useLocale, useText } from '../../i18n.ts'
import { useMainLocale } from '../../site-languages.ts'
import { useRight } from '../sign-in/me.ts'
import styles from './files.module.css'
import { type FileSearch, fileLibraryQuery, filesQuery, formatFileSize } from './files.ts'

/** The list of files with search and filters, for the files screen and the file picker. */
export function FileList(props: {
  search: FileSearch
  change: (changes: Partial<FileSearch>) => void
  kind?: FileSearch['kind']
  /** Called with a chosen file. Without it each file links to its screen. */
  onChoose?: (file: StoredFile) => void
  /** Also called for a page past the end. @param isPlaceholderData whether the list is of the previous search */
  renderPager: (list: ListOf<unknown>, isPlaceholderData: boolean) => ReactNode
}) {
  const { search, change, kind, onChoose, renderPager } = props
  const t = useText()
  const mayWrite = useRight('files.write')
  const { data, error, refetch, isPlaceholderData } = useQuery(filesQuery(kind ? { ...search, kind } : search))
  const isEmpty = data?.data.length === 0 && !isPastTheEnd(data)
  const isFiltered = search.search !== undefined || search.folder !== undefined || search.kind !== undefined
  return (
    <>
      <FileTools search={search} change={change} kind={kind} />
      {!data && (error ? <ErrorState error={error} retry={() => void refetch()} /> : <Loading />)}
      {isEmpty && !isFiltered && (
        <Empty icon={Images} title={t('files.empty')} text={t(mayWrite ? 'files.emptyText' : 'files.emptyRead')} />
      )}
      {isEmpty && isFiltered && (
        <NothingFound
          title={t('files.none')}
          text={t('files.noneText')}
          clear={() => change({ search: undefined, folder: undefined, kind: undefined })}
        />
      )}
      {data && !isEmpty && (
        <>
          <FileGrid files={data.data} isStale={isPlaceholderData} {...(onChoose && { onChoose })} />
          {renderPager(data, isPlaceholderData)}
        </>
      )}
    </>
  )
}

function FileTools(props: {
  search: FileSearch
  change: (changes: Partial<FileSearch>) => void
  kind?: FileSearch['kind']
}) {
  const { search, change, kind } = props
  const t = useText()
  const { data: library } = useQuery(fileLibraryQuery)
  const folders = library?.folders ?? []
  return (
    <ListTools
      search={searchField(t('files.search'), search, change)}
      filtered={(search.folder === undefined ? 0 : 1) + (kind || search.kind === undefined ? 0 : 1)}
      onClear={() => change({ folder: undefined, kind: undefined })}
      filters={
        <>
          {!kind && (
            <ChoiceGroup
              legend={t('files.kind')}
              options={[
                { value: 'all', label: t('files.anyKind') },
                ...fileKinds.map((value) => ({ value, label: t(`files.kinds.${value}`) })),
              ]}
              chosen={[search.kind ?? 'all']}
              onChoose={([value]) => change({ kind: fileKinds.find((kind) => kind === value) })}
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
        options: sortOptions(t, 'files', ['-createdAt', 'createdAt', 'name', '-name', '-bytes']),
        by: search.sort ?? '-createdAt',
        set: (sort) => change({ sort: sort as FileSearch['sort'] }),
        always: true,
      }}
    />
  )
}

function FileGrid(props: { files: StoredFile[]; isStale: boolean; onChoose?: (file: StoredFile) => void }) {
  const { files, isStale, onChoose } = props
  const t = useText()
  return (
    <ul className={styles.grid} aria-label={t('files.title')} aria-busy={isStale} data-stale={isStale}>
      {files.map((file) => (
        <li key={file.id}>
          {onChoose ? (
            <button
              type="button"
              className={styles.card}
              aria-label={t('files.picker.use', { name: file.name })}
              onClick={() => onChoose(file)}
            >
              <Card file={file} />
            </button>
          ) : (
            <Link to="/admin/files/$id" params={{ id: String(file.id) }} className={styles.card}>
              <Card file={file} />
            </Link>
          )}
        </li>
      ))}
    </ul>
  )
}

function Card({ file }: { file: StoredFile }) {
  const t = useText()
  const locale = useLocale()
  const mainLocale = useMainLocale()
  const lacksAlt = file.kind === 'picture' && altIn(file.alt, mainLocale) === ''
  return (
    <>
      <FileThumbnail file={file} sizes="(width < 30em) 45vw, 15rem" />
      <span className={styles.words}>
        <span className={styles.name}>
          <bdi>{file.name}</bdi>
        </span>
        <span className="quiet small">
          {formatFileSize(file.bytes, t, locale)}
          {file.folder && (
            <>
              {' · '}
              <bdi>{file.folder}</bdi>
            </>
          )}
        </span>
        {lacksAlt && <span className="quiet small">{t('files.noAlt')}</span>}
      </span>
    </>
  )
}

const icons: Partial<Record<FileKind, typeof File>> = {
  document: FileText,
  video: FileVideo,
  audio: FileAudio,
  archive: FileArchive,
}

/** The thumbnail of an image, or an icon of the kind of file. Its `alt` is empty, because the name is next to it. */
function FileThumbnail({ file, sizes }: { file: StoredFile; sizes: string }) {
  const t = useText()
  const { picture, state } = file
  if (!picture) {
    const Icon = icons[file.kind] ?? File
    return (
      <span className={styles.thumbnail} data-icon>
        <Icon size={40} strokeWidth={1.25} />
        <span className={styles.ending}>{file.name.slice(file.name.lastIndexOf('.') + 1)}</span>
      </span>
    )
  }
  const { src, sources, placeholder, focal } = picture
  return (
    <span className={styles.thumbnail} style={placeholder ? { backgroundImage: `url("${placeholder}")` } : undefined}>
      {src && (
        <picture>
          {sources.map(({ type, srcSet }) => (
            <source key={type} type={type} srcSet={srcSet} sizes={sizes} />
          ))}
          <img
            src={src}
            alt=""
            loading="lazy"
            decoding="async"
            data-whole={sources.length === 0 || undefined}
            style={{ objectPosition: `${focal.x}% ${focal.y}%` }}
          />
        </picture>
      )}
      {state !== 'ready' && (
        <span className={styles.note}>
          {state === 'waiting' ? <LoaderCircle size={16} /> : <ImageOff size={16} />}
          {t(state === 'waiting' ? 'files.beingMade' : 'files.failedMade')}
        </span>
      )}
    </span>
  )
}
