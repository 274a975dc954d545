import type { StoredFile } from '../../../contract/files.ts'
import { ApiRefusal, apiHeaders, parseProblem, reauthenticateFor, Unreachable } from '../../client.ts'
import { registerUnsavedWork } from '../../new-version.ts'

/** A limit, because parallel uploads share the bandwidth: with fewer the first are done sooner. */
const maxParallel = 3

/** `stored` is set in the state `done`, `error` in the state `failed`. */
export interface Upload {
  id: number
  file: File
  folder: string | undefined
  state: 'waiting' | 'sending' | 'done' | 'failed' | 'cancelled'
  /** How much is sent, in whole percent. */
  percent: number
  stored?: SentFile
  error?: unknown
}

interface UploadQueueOptions {
  send: (upload: Upload, signal: AbortSignal, onProgress: (percent: number) => void) => Promise<SentFile>
  /** Called as soon as a file is stored. @param sent the file of the user's computer */
  onStored: (stored: SentFile, sent: File) => void
  /** Like `onStored`, but in the order in which the files were added: waits while an earlier upload is in progress. */
  onStoredInOrder?: ((stored: SentFile, sent: File) => void) | undefined
  /**
   * Called with each file whose upload failed or was cancelled, possibly more than once: nothing shows its content. A retry
   * sends the same file.
   */
  onNotStored?: (file: File) => void
  /** Called when an upload fails while no component shows the queue, such as after its dialog was closed. */
  onUnseenFailure?: (file: File, error: unknown) => void
}

/** A queue of uploads, outside React: uploads continue when the user opens another screen. */
export class UploadQueue {
  #uploads: readonly Upload[] = []
  #abortControllers = new Map<number, AbortController>()
  #listeners = new Set<() => void>()
  #lastId = 0
  /** The ids of uploads, in order, for which `onStoredInOrder` may still be called. */
  #undelivered: number[] = []
  readonly #options: UploadQueueOptions

  constructor(options: UploadQueueOptions) {
    this.#options = options
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  getUploads = (): readonly Upload[] => this.#uploads

  /** @param validate returns the error of a file that must not be sent, or undefined */
  add(files: readonly File[], folder: string | undefined, validate: (file: File) => unknown): void {
    const added = files.map((file): Upload => {
      const error = validate(file)
      this.#lastId++
      return {
        id: this.#lastId,
        file,
        folder,
        state: error ? 'failed' : 'waiting',
        percent: 0,
        ...(error ? { error } : {}),
      }
    })
    this.#undelivered.push(...added.map(({ id }) => id))
    this.#setUploads([...this.#uploads, ...added])
    this.#advance()
  }

  cancel(id: number): void {
    this.#change(id, { state: 'cancelled' })
    this.#abortControllers.get(id)?.abort()
    this.#advance()
  }

  retry(id: number): void {
    this.#change(id, { state: 'waiting', percent: 0, error: undefined })
    if (!this.#undelivered.includes(id)) this.#undelivered.push(id)
    this.#advance()
  }

  cancelAll(): void {
    const cancelled = this.#uploads.filter(isInProgress)
    // All of them before the first is aborted, which would start one that waits.
    this.#setUploads(this.#uploads.map((upload) => (isInProgress(upload) ? { ...upload, state: 'cancelled' } : upload)))
    for (const { id } of cancelled) this.#abortControllers.get(id)?.abort()
    this.#advance()
  }

  /** Removes uploads that are not pending from the list. */
  clear(): void {
    this.#setUploads(this.#uploads.filter(this.isPending))
  }

  /** Whether an upload is in progress, or is stored but waits for an earlier one to be delivered in order. */
  isPending = (upload: Upload): boolean =>
    isInProgress(upload) || (upload.state === 'done' && this.#undelivered.includes(upload.id))

  /** Delivers stored files in order, and starts waiting uploads up to the limit. */
  #advance(): void {
    this.#deliverInOrder()
    const sending = this.#uploads.filter(({ state }) => state === 'sending').length
    const waiting = this.#uploads.filter(({ state }) => state === 'waiting')
    for (const upload of waiting.slice(0, Math.max(0, maxParallel - sending))) void this.#send(upload)
  }

  #deliverInOrder(): void {
    while (this.#undelivered.length > 0) {
      // Undefined if a failed or cancelled upload was removed from the list.
      const next = this.#uploads.find(({ id }) => id === this.#undelivered[0])
      if (next && isInProgress(next)) return
      this.#undelivered.shift()
      if (next?.stored) this.#options.onStoredInOrder?.(next.stored, next.file)
    }
  }

  async #send(upload: Upload): Promise<void> {
    const { id } = upload
    const controller = new AbortController()
    this.#abortControllers.set(id, controller)
    this.#change(id, { state: 'sending', percent: 0 })
    try {
      const stored = await this.#options.send(upload, controller.signal, (percent) => this.#change(id, { percent }))
      this.#change(id, { state: 'done', percent: 100, stored })
      this.#options.onStored(stored, upload.file)
    } catch (error) {
      if (controller.signal.aborted) return
      this.#change(id, { state: 'failed', error })
      if (this.#listeners.size === 0) this.#options.onUnseenFailure?.(upload.file, error)
    } finally {
      if (this.#abortControllers.get(id) === controller) this.#abortControllers.delete(id)
      this.#advance()
    }
  }

  #change(id: number, change: Partial<Upload>): void {
    this.#setUploads(this.#uploads.map((upload) => (upload.id === id ? { ...upload, ...change } : upload)))
  }

  #setUploads(uploads: readonly Upload[]): void {
    this.#uploads = uploads
    for (const { file, state } of uploads) {
      if (state === 'failed' || state === 'cancelled') this.#options.onNotStored?.(file)
    }
    for (const listener of this.#listeners) listener()
  }
}

export const isInProgress = ({ state }: Upload): boolean => state === 'waiting' || state === 'sending'

/** The stored file of an upload. `already`: the same content had been uploaded before, and this is that file. */
export type SentFile = StoredFile & { already?: boolean }

interface FileRequest {
  method: 'POST' | 'PUT'
  /** The API path, with the query string. */
  path: string
  file: File
  signal: AbortSignal
  onProgress: (percent: number) => void
}

/**
 * Sends a file with upload progress, which `fetch` does not support. If the session has ended, or the server asks for the
 * password, the user authenticates again and the file is sent a second time. Meanwhile the browser asks for confirmation before the page is closed.
 * @throws {ApiRefusal}, {Unreachable}, or the abort reason of the signal
 */
export async function sendFile(request: FileRequest): Promise<SentFile> {
  const sending = new AbortController()
  addEventListener('beforeunload', (event) => event.preventDefault(), { signal: sending.signal })
  const unregisterWork = registerUnsavedWork()
  try {
    return await sendOnce(request)
  } catch (error) {
    if (await reauthenticateFor(error)) return await sendOnce(request)
    throw error
  } finally {
    sending.abort()
    unregisterWork()
  }
}

function sendOnce({ method, path, file, signal, onProgress }: FileRequest): Promise<SentFile> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const request = new XMLHttpRequest()
    request.open(method, `/api${path}`)
    for (const [name, value] of Object.entries(apiHeaders())) request.setRequestHeader(name, value)
    request.setRequestHeader('Content-Type', 'application/octet-stream')
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? Math.floor((100 * loaded) / total) : 100)
    request.onload = () => {
      const { status, statusText } = request
      const json = async () => JSON.parse(request.responseText)
      if (status >= 200 && status < 300) return resolve(json())
      void parseProblem({ status, statusText, json }).then((problem) => reject(new ApiRefusal(problem)))
    }
    request.onerror = () => reject(new Unreachable())
    request.onabort = () => reject(signal.reason)
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(file)
  })
}

export const uploadPath = (name: string, folder: string | undefined) =>
  `/files?${new URLSearchParams({ name, ...(folder && { folder }) })}`
