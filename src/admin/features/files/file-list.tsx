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
import { Empty, Failed, Loading } from '../../components/states.tsx'
import { useLocale, useText } from '../../i18n.ts'
import { useMainLocale } from '../../site-languages.ts'
import { useRight } from '../sign-in/me.ts'
import styles from './files.module.css'
import { type FileSearch, fileLibraryQuery, filesQuery, formatFileSize } from './files.ts'

/** Search, filters and results, for the files screen and the file picker. */
export function FileList(props: {
  search: FileSearch
  change: (changes: Partial<FileSearch>) => void
  kind?: FileSearch['kind']
  onChoose?: (file: StoredFile) => void
  /** Also called for a page past the end of the list. @param old true while the page is loading */
  pager: (list: ListOf<unknown>, old: boolean) => ReactNode
}) {
  const { search, change, kind, onChoose, pager } = props
  const t = useText()
  const mayWrite = useRight('files.write')
  const { data, error, refetch, isPlaceholderData } = useQuery(filesQuery(kind ? { ...search, kind } : search))
  const isEmpty = data?.data.length === 0 && !isPastTheEnd(data)
  const isFiltered = search.search !== undefined || search.folder !== undefined || search.kind !== undefined
  return (
    <>
      <FileTools search={search} change={change} kind={kind} />
      {!data && (error ? <Failed error={error} retry={() => void refetch()} /> : <Loading />)}
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
          <FileGrid files={data.data} old={isPlaceholderData} {...(onChoose && { onChoose })} />
          {pager(data, isPlaceholderData)}
        </>
      )}
    </>
  )
}

/** @param props.kind fixed for a picker of one kind */
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
                ...fileKinds.map((one) => ({ value: one, label: t(`files.kinds.${one}`) })),
              ]}
              chosen={[search.kind ?? 'all']}
              onChoose={([one]) => change({ kind: fileKinds.find((kind) => kind === one) })}
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

/** @param props.onChoose called for the chosen file; without it each file links to its own screen */
function FileGrid(props: { files: StoredFile[]; old: boolean; onChoose?: (file: StoredFile) => void }) {
  const { files, old, onChoose } = props
  const t = useText()
  return (
    <ul className={styles.grid} aria-label={t('files.title')} aria-busy={old} data-stale={old}>
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
  const main = useMainLocale()
  const undescribed = file.kind === 'picture' && altIn(file.alt, main) === ''
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
        {undescribed && <span className="quiet small">{t('files.noAlt')}</span>}
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

/** A thumbnail, or an icon of the kind of file. Its name is shown beside it, so it has no text alternative. */
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
