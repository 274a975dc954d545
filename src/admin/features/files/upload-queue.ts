import type { StoredFile } from '../../../contract/files.ts'
import { ApiRefusal, apiHeaders, problemOf, reauthenticateFor, Unreachable } from '../../client.ts'
import { registerUnsavedWork } from '../../new-version.ts'

/** Uploads share the bandwidth: with fewer at once the first are done sooner. */
const maxParallel = 3

export interface Upload {
  id: number
  file: File
  folder: string | undefined
  state: 'waiting' | 'sending' | 'done' | 'failed' | 'cancelled'
  percent: number
  stored?: SentFile
  error?: unknown
}

interface Parts {
  send: (upload: Upload, signal: AbortSignal, onProgress: (percent: number) => void) => Promise<SentFile>
  onStored: (file: SentFile, sent: File) => void
  /** The same in the order in which the files were added: called when those before it are stored, or never will be. */
  onNext?: ((file: SentFile, sent: File) => void) | undefined
  /** Called when an upload fails while nothing shows the queue, such as after its dialog was closed. */
  onUnseenFailure?: (file: File, error: unknown) => void
}

/** The upload queue. Uploads continue when the user opens another screen. */
export class UploadQueue {
  #uploads: readonly Upload[] = []
  #ends = new Map<number, AbortController>()
  #listeners = new Set<() => void>()
  #last = 0
  /** The ids of uploads, in order, for which `onNext` was not called yet. */
  #toCome: number[] = []
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  get = (): readonly Upload[] => this.#uploads

  /** @param refuse returns the error of a file that must not be sent */
  add(files: readonly File[], folder: string | undefined, refuse: (file: File) => unknown): void {
    const added = files.map((file): Upload => {
      const error = refuse(file)
      this.#last++
      return {
        id: this.#last,
        file,
        folder,
        state: error ? 'failed' : 'waiting',
        percent: 0,
        ...(error ? { error } : {}),
      }
    })
    this.#toCome.push(...added.map(({ id }) => id))
    this.#set([...this.#uploads, ...added])
    this.#next()
  }

  cancel(id: number): void {
    this.#change(id, { state: 'cancelled' })
    this.#ends.get(id)?.abort()
    this.#next()
  }

  retry(id: number): void {
    this.#change(id, { state: 'waiting', percent: 0, error: undefined })
    if (!this.#toCome.includes(id)) this.#toCome.push(id)
    this.#next()
  }

  cancelAll(): void {
    for (const one of this.#uploads) if (isInProgress(one)) this.cancel(one.id)
  }

  /** Removes finished uploads from the list. */
  clear(): void {
    this.#set(this.#uploads.filter(this.isPending))
  }

  /** Whether an upload is in progress, or stored while those before it are not. */
  isPending = (upload: Upload): boolean =>
    isInProgress(upload) || (upload.state === 'done' && this.#toCome.includes(upload.id))

  #next(): void {
    this.#passOn()
    const sending = this.#uploads.filter(({ state }) => state === 'sending').length
    const waiting = this.#uploads.filter(({ state }) => state === 'waiting')
    for (const upload of waiting.slice(0, Math.max(0, maxParallel - sending))) void this.#send(upload)
  }

  #passOn(): void {
    for (;;) {
      const next = this.#uploads.find(({ id }) => id === this.#toCome[0])
      if (this.#toCome.length === 0 || (next && isInProgress(next))) return
      this.#toCome.shift()
      if (next?.stored) this.#parts.onNext?.(next.stored, next.file)
    }
  }

  async #send(upload: Upload): Promise<void> {
    const { id } = upload
    const end = new AbortController()
    this.#ends.set(id, end)
    this.#change(id, { state: 'sending', percent: 0 })
    try {
      const stored = await this.#parts.send(upload, end.signal, (percent) => this.#change(id, { percent }))
      this.#change(id, { state: 'done', percent: 100, stored })
      this.#parts.onStored(stored, upload.file)
    } catch (error) {
      if (end.signal.aborted) return
      this.#change(id, { state: 'failed', error })
      if (this.#listeners.size === 0) this.#parts.onUnseenFailure?.(upload.file, error)
    } finally {
      if (this.#ends.get(id) === end) this.#ends.delete(id)
      this.#next()
    }
  }

  #change(id: number, change: Partial<Upload>): void {
    this.#set(this.#uploads.map((one) => (one.id === id ? { ...one, ...change } : one)))
  }

  #set(uploads: readonly Upload[]): void {
    this.#uploads = uploads
    for (const listener of this.#listeners) listener()
  }
}

export const isInProgress = ({ state }: Upload): boolean => state === 'waiting' || state === 'sending'

/** `already`: the same content was uploaded before. */
export type SentFile = StoredFile & { already?: boolean }

interface Sending {
  method: 'POST' | 'PUT'
  /** The API path, with the query string. */
  path: string
  file: File
  signal: AbortSignal
  onProgress: (percent: number) => void
}

/**
 * Sends a file with upload progress, which `fetch` does not support. After a session ended it reauthenticates and sends
 * again. Leaving the admin meanwhile asks for confirmation.
 * @throws {ApiRefusal}, {Unreachable}, or the abort reason of the signal
 */
export async function sendFile(sending: Sending): Promise<SentFile> {
  const over = new AbortController()
  addEventListener('beforeunload', (event) => event.preventDefault(), { signal: over.signal })
  const endWork = registerUnsavedWork()
  try {
    return await sendOnce(sending)
  } catch (error) {
    if (await reauthenticateFor(error)) return await sendOnce(sending)
    throw error
  } finally {
    over.abort()
    endWork()
  }
}

function sendOnce({ method, path, file, signal, onProgress }: Sending): Promise<SentFile> {
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
      void problemOf({ status, statusText, json }).then((problem) => reject(new ApiRefusal(problem)))
    }
    request.onerror = () => reject(new Unreachable())
    request.onabort = () => reject(signal.reason)
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(file)
  })
}

export const uploadPath = (name: string, folder: string | undefined) =>
  `/files?${new URLSearchParams({ name, ...(folder && { folder }) })}`
