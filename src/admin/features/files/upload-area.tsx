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
import { localUrl, rememberLocalImage, uniquelyNamed } from './local-images.ts'
import { isInProgress, type SentFile, sendFile, type Upload, UploadQueue, uploadPath } from './upload-queue.ts'

/** Uploads dropped, pasted or chosen files. */
export function UploadArea(props: {
  work: ReturnType<typeof useUploads>
  folder: string | undefined
  children: ReactNode
}) {
  const { work, folder, children } = props
  const t = useText()
  const { data: library } = useQuery(fileLibraryQuery)
  const addFiles = (files: readonly File[]) => {
    if (files.length > 0) work.add(files, folder)
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
      <UploadList uploads={work.uploads} queue={work.queue} />
      {children}
    </div>
  )
}

/** The server logs a warning at the same share. */
const nearlyFull = 0.8

function StorageWarning({ usedBytes, quotaBytes }: { usedBytes: number; quotaBytes: number }) {
  const t = useText()
  const locale = useLocale()
  if (usedBytes < nearlyFull * quotaBytes) return null
  const sizes = { used: formatFileSize(usedBytes, t, locale), quota: formatFileSize(quotaBytes, t, locale) }
  return (
    <Alert color="orange" role="status">
      {t(usedBytes >= quotaBytes ? 'files.storageFull' : 'files.storageNearlyFull', sizes)}
    </Alert>
  )
}

/** Uploads pasted files; text pasted into a field is left to the browser. */
function usePaste(take: (files: readonly File[]) => void): void {
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])]
      if (files.length === 0) return
      event.preventDefault()
      take(files)
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  })
}

const icons = { waiting: Clock, sending: LoaderCircle, done: CircleCheck, failed: CircleX, cancelled: Ban }

/** The running and finished uploads, each with a button to cancel or retry it. */
export function UploadList({ uploads, queue }: { uploads: readonly Upload[]; queue: UploadQueue }) {
  const t = useText()
  if (uploads.length === 0) return null
  const busy = uploads.some(isInProgress)
  const done = uploads.filter(({ state }) => state === 'done').length
  return (
    <section className={styles.uploads} aria-label={t('files.queue.title')}>
      <header>
        <p role="status">{t('files.queue.status', { done, all: uploads.length })}</p>
        {busy ? (
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
          <Line key={upload.id} upload={upload} queue={queue} />
        ))}
      </ul>
    </section>
  )
}

function Line({ upload, queue }: { upload: Upload; queue: UploadQueue }) {
  const t = useText()
  const locale = useLocale()
  const { id, file, state, percent, stored } = upload
  const Icon = icons[state]
  const name = <bdi>{stored?.name ?? file.name}</bdi>
  return (
    <li data-state={state}>
      {state === 'sending' && file.type.startsWith('image/') ? (
        <img className={styles.local} src={localUrl(file)} alt="" decoding="async" />
      ) : (
        <Icon size={20} />
      )}
      <div className={styles.what}>
        <p>
          {stored ? (
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
          <State upload={upload} />
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

function State({ upload: { state, percent, stored, error } }: { upload: Upload }) {
  const t = useText()
  if (state === 'sending') return percent < 100 ? t('files.queue.sending', { percent }) : t('files.queue.storing')
  if (state === 'done' && stored?.already) return t('files.queue.already')
  if (state === 'failed') return uploadErrorText(error) || t('files.queue.failed')
  return t(`files.queue.${state}`)
}

/** An invalid file would fail again. */
const canRetry = (error: unknown) =>
  !(error instanceof TooLarge) && !(error instanceof ApiRefusal && error.problem.errors.length > 0)

/** The server's message about the file, or the reason why the request failed. */
function uploadErrorText(error: unknown): string {
  if (error instanceof TooLarge) return error.message
  const fieldMessage = error instanceof ApiRefusal ? error.problem.errors[0]?.message : undefined
  return fieldMessage ?? reasonOf(error)
}

const queues = new WeakMap<QueryClient, UploadQueue>()

/** The uploads of the files screen. They continue when the user opens another screen. */
export function useUploads() {
  const queries = useQueryClient()
  const queue = queues.get(queries) ?? makeQueue(queries)
  queues.set(queries, queue)
  return useQueue(queue)
}

/**
 * A separate queue, for a field that chooses files.
 * @param onStored called for each stored file, in the order in which they were chosen
 */
export function useSeparateUploads(onStored: (file: SentFile, sent: File) => void) {
  const queries = useQueryClient()
  const [queue] = useState(() => makeQueue(queries, onStored))
  return useQueue(queue)
}

function makeQueue(queries: QueryClient, onNext?: (file: SentFile, sent: File) => void): UploadQueue {
  return new UploadQueue({
    send: ({ file, folder }, signal, onProgress) =>
      sendFile({ method: 'POST', path: uploadPath(file.name, folder), file, signal, onProgress }),
    onStored(file, sent) {
      rememberLocalImage(file, sent)
      void queries.invalidateQueries({ queryKey: ['files'] })
    },
    onUnseenFailure(file, error) {
      const name = `\u2068${file.name}\u2069`
      notifyFailure(translate('files.queue.notUploaded', { name }), error, uploadErrorText(error))
    },
    onNext,
  })
}

function useQueue(queue: UploadQueue) {
  const t = useText()
  const uploads = useSyncExternalStore(queue.subscribe, queue.get)
  const { data: library } = useQuery(fileLibraryQuery)

  /** Refuses a file that is too large without sending it. */
  const refuse = (file: File) => {
    const most = library?.maxBytes
    return most !== undefined && file.size > most
      ? new TooLarge(t('files.queue.tooLarge', { mb: most / 1_000_000 }))
      : undefined
  }
  return {
    uploads,
    queue,
    /** @returns the files with the names under which they are sent */
    add(files: readonly File[], folder?: string): File[] {
      const sent = files.map(uniquelyNamed)
      queue.add(sent, folder, refuse)
      return sent
    },
  }
}

class TooLarge extends Error {}
