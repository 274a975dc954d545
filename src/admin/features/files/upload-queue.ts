import type { SentFile } from './send-file.ts'

/** How many are sent at once: a line is shared, and the first ones are soon there. */
const atOnce = 3

export interface Upload {
  id: number
  file: File
  folder: string | undefined
  state: 'waiting' | 'sending' | 'done' | 'failed' | 'cancelled'
  /** A hundredth of what is sent. */
  percent: number
  stored?: SentFile
  error?: unknown
}

interface Parts {
  send: (upload: Upload, signal: AbortSignal, onProgress: (percent: number) => void) => Promise<SentFile>
  /** One has arrived. */
  onStored: (file: SentFile, sent: File) => void
}

/** What is being uploaded, in order. It goes on while one looks at another screen. */
export class UploadQueue {
  #uploads: readonly Upload[] = []
  #ends = new Map<number, AbortController>()
  #listeners = new Set<() => void>()
  #last = 0
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  get = (): readonly Upload[] => this.#uploads

  /** @param refuse says why one is not even sent */
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
    this.#next()
  }

  cancelAll(): void {
    for (const { id, state } of this.#uploads) if (state === 'waiting' || state === 'sending') this.cancel(id)
  }

  /** Forgets what is over. */
  clear(): void {
    this.#set(this.#uploads.filter(({ state }) => state === 'waiting' || state === 'sending'))
  }

  #next(): void {
    const sending = this.#uploads.filter(({ state }) => state === 'sending').length
    const waiting = this.#uploads.filter(({ state }) => state === 'waiting')
    for (const upload of waiting.slice(0, Math.max(0, atOnce - sending))) void this.#send(upload)
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
      if (!end.signal.aborted) this.#change(id, { state: 'failed', error })
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
