import { Alert, Button } from '@mantine/core'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { Ban, CircleCheck, CircleX, Clock, CloudUpload, LoaderCircle, RotateCcw, X } from 'lucide-react'
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { useDropzone } from 'react-dropzone'
import { ApiRefusal } from '../../client.ts'
import { IconButton, TextLink } from '../../components/buttons.tsx'
import { notifyFailure, reasonOf } from '../../components/notify.tsx'
import { Translated } from '../../components/translated.tsx'
import { translate, useLocale, useText } from '../../i18n.ts'
import styles from './files.module.css'
import { fileLibraryQuery, formatFileSize } from './files.ts'
import { objectUrlOf, rememberLocalImage, renamePastedImage, revokeUrl } from './local-images.ts'
import { isInProgress, type SentFile, sendFile, type Upload, UploadQueue, uploadPath } from './upload-queue.ts'

type Uploads = ReturnType<typeof useUploads>

/**
 * An area around its children that uploads dropped, pasted or chosen files, and lists the uploads.
 * @param props.linked whether the list links to the stored files, which leaves the screen
 */
export function UploadArea(props: {
  uploads: Uploads
  folder?: string | undefined
  linked?: boolean
  children: ReactNode
}) {
  const { uploads, folder, linked, children } = props
  const t = useText()
  const { data: library } = useQuery(fileLibraryQuery)
  const addFiles = (files: readonly File[]) => {
    if (files.length > 0) uploads.add(files, folder)
  }
  const { getRootProps, getInputProps, isDragActive, open } = useDropzone({
    onDrop: addFiles,
    noClick: true,
    noKeyboard: true,
  })
  usePaste(addFiles)
  return (
    <div {...getRootProps({ className: styles.area, 'data-over': isDragActive || undefined, role: undefined })}>
      <div className={styles.invitation}>
        <CloudUpload size={28} strokeWidth={1.5} />
        <p>
          {isDragActive ? t('files.dropNow') : t('files.drop')}{' '}
          {folder && <Translated text="files.dropInto" folder={<bdi>{folder}</bdi>} />}
          {library && (
            <small>
              {t('files.limits', { mb: library.maxBytes / 1_000_000, megapixels: library.maxPixels / 1_000_000 })}
            </small>
          )}
        </p>
        <Button variant="filled" onClick={open}>
          {t('files.choose')}
        </Button>
        <input {...getInputProps({ 'aria-label': t('files.choose'), tabIndex: -1 })} />
      </div>
      {library?.storage && <StorageWarning {...library.storage} />}
      <UploadList uploads={uploads.uploads} queue={uploads.queue} linked={linked} />
      {children}
    </div>
  )
}

/** The used fraction of the quota at which a warning is shown. The server logs a warning at the same fraction. */
const warningFraction = 0.8

function StorageWarning({ usedBytes, quotaBytes }: { usedBytes: number; quotaBytes: number }) {
  const t = useText()
  const locale = useLocale()
  if (usedBytes < warningFraction * quotaBytes) return null
  const sizes = { used: formatFileSize(usedBytes, t, locale), quota: formatFileSize(quotaBytes, t, locale) }
  return (
    <Alert color="orange" role="status">
      {t(usedBytes >= quotaBytes ? 'files.storageFull' : 'files.storageNearlyFull', sizes)}
    </Alert>
  )
}

/** Calls `addFiles` with pasted files. A paste without files, such as of text into a field, is left to the browser. */
function usePaste(addFiles: (files: readonly File[]) => void): void {
  useEffect(() => {
    const handlePaste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])]
      if (files.length === 0) return
      event.preventDefault()
      addFiles(files)
    }
    document.addEventListener('paste', handlePaste)
    return () => document.removeEventListener('paste', handlePaste)
  })
}

const icons = { waiting: Clock, sending: LoaderCircle, done: CircleCheck, failed: CircleX, cancelled: Ban }

/** Unfinished and finished uploads, with buttons to cancel or retry them. */
export function UploadList(props: { uploads: readonly Upload[]; queue: UploadQueue; linked?: boolean | undefined }) {
  const { uploads, queue, linked } = props
  const t = useText()
  if (uploads.length === 0) return null
  const isBusy = uploads.some(isInProgress)
  const doneCount = uploads.filter(({ state }) => state === 'done').length
  return (
    <section className={styles.uploads} aria-label={t('files.queue.title')}>
      <header>
        <p role="status">{t('files.queue.status', { done: doneCount, all: uploads.length })}</p>
        {isBusy ? (
          <Button variant="subtle" onClick={() => queue.cancelAll()}>
            {t('files.queue.cancelAll')}
          </Button>
        ) : (
          <Button variant="subtle" leftSection={<X />} onClick={() => queue.clear()}>
            {t('files.queue.clear')}
          </Button>
        )}
      </header>
      <ul>
        {uploads.map((upload) => (
          <UploadRow key={upload.id} upload={upload} queue={queue} linked={linked} />
        ))}
      </ul>
    </section>
  )
}

function UploadRow(props: { upload: Upload; queue: UploadQueue; linked: boolean | undefined }) {
  const { upload, queue, linked } = props
  const t = useText()
  const locale = useLocale()
  const { id, file, state, percent, stored } = upload
  const Icon = icons[state]
  const name = <bdi>{stored?.name ?? file.name}</bdi>
  return (
    <li data-state={state}>
      {state === 'sending' && file.type.startsWith('image/') ? (
        <img className={styles.local} src={objectUrlOf(file)} alt="" decoding="async" />
      ) : (
        <Icon size={20} />
      )}
      <div className={styles.what}>
        <p>
          {stored && linked ? (
            <TextLink to="/admin/files/$id" params={{ id: String(stored.id) }}>
              {name}
            </TextLink>
          ) : (
            name
          )}{' '}
          <span className="quiet small">{formatFileSize(file.size, t, locale)}</span>
        </p>
        {state === 'sending' && (
          <progress max={100} value={percent} aria-label={t('files.queue.progress', { name: file.name })} />
        )}
        <p className="quiet small" role={state === 'failed' ? 'alert' : undefined}>
          <UploadState upload={upload} />
        </p>
      </div>
      {isInProgress(upload) && (
        <IconButton
          label={t('files.queue.cancel', { name: file.name })}
          title={t('form.cancel')}
          icon={<X />}
          onClick={() => queue.cancel(id)}
        />
      )}
      {(state === 'cancelled' || (state === 'failed' && canRetry(upload.error))) && (
        <IconButton
          label={t('files.queue.retry', { name: file.name })}
          title={t('states.again')}
          icon={<RotateCcw />}
          onClick={() => queue.retry(id)}
        />
      )}
    </li>
  )
}

function UploadState({ upload: { state, percent, stored, error } }: { upload: Upload }) {
  const t = useText()
  if (state === 'sending') return percent < 100 ? t('files.queue.sending', { percent }) : t('files.queue.storing')
  if (state === 'done' && stored?.already) return t('files.queue.already')
  if (state === 'failed') return uploadErrorText(error) || t('files.queue.failed')
  return t(`files.queue.${state}`)
}

/** Whether a retry may succeed: not for a file that is too large or that the server found invalid. */
const canRetry = (error: unknown) =>
  !(error instanceof FileTooLarge) && !(error instanceof ApiRefusal && error.problem.errors.length > 0)

/** The server's message about the file, or the reason why the request failed. */
function uploadErrorText(error: unknown): string {
  if (error instanceof FileTooLarge) return error.message
  const fieldMessage = error instanceof ApiRefusal ? error.problem.errors[0]?.message : undefined
  return fieldMessage ?? reasonOf(error)
}

/** The queue of the files screen, for each query client: one in the browser, another one in each test. */
const queues = new WeakMap<QueryClient, UploadQueue>()

/** The uploads of the files screen. They continue when the user opens another screen. */
export function useUploads() {
  const queries = useQueryClient()
  const queue = queues.get(queries) ?? createQueue(queries)
  queues.set(queries, queue)
  return useQueue(queue)
}

/**
 * The uploads of one component, such as a field that chooses files.
 * @param onStored called for each stored file, in the order in which the files were added
 */
export function useSeparateUploads(onStored: (stored: SentFile, sent: File) => void) {
  const queries = useQueryClient()
  const [queue] = useState(() => createQueue(queries, onStored))
  return useQueue(queue)
}

function createQueue(queries: QueryClient, onStoredInOrder?: (stored: SentFile, sent: File) => void): UploadQueue {
  return new UploadQueue({
    send: ({ file, folder }, signal, onProgress) =>
      sendFile({ method: 'POST', path: uploadPath(file.name, folder), file, signal, onProgress }),
    onStored(stored, sent) {
      rememberLocalImage(stored, sent)
      void queries.invalidateQueries({ queryKey: ['files'] })
    },
    onNotStored: revokeUrl,
    onUnseenFailure(file, error) {
      // In Unicode isolates, because a name may have another text direction than the sentence.
      const name = `\u2068${file.name}\u2069`
      notifyFailure(translate('files.queue.notUploaded', { name }), error, uploadErrorText(error))
    },
    onStoredInOrder,
  })
}

function useQueue(queue: UploadQueue) {
  const t = useText()
  const uploads = useSyncExternalStore(queue.subscribe, queue.getUploads)
  const { data: library } = useQuery(fileLibraryQuery)

  const validate = (file: File) => {
    const maxBytes = library?.maxBytes
    return maxBytes !== undefined && file.size > maxBytes
      ? new FileTooLarge(t('files.queue.tooLarge', { mb: maxBytes / 1_000_000 }))
      : undefined
  }
  return {
    uploads,
    queue,
    /** Adds files to the queue. @returns the files as they are sent: pasted ones have another name */
    add(files: readonly File[], folder?: string): File[] {
      const renamed = files.map(renamePastedImage)
      queue.add(renamed, folder, validate)
      return renamed
    },
  }
}

class FileTooLarge extends Error {}
