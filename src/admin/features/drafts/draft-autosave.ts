import { deepEqual } from '../../../contract/deep-equal.ts'
import type { Draft, DraftToSave, SavedDraft, StaleDraft } from '../../../contract/drafts.ts'
import type { DraftText } from '../../../contract/pages.ts'
import type { LocalDraft } from './local-drafts.ts'

/** Why a draft is not on the server: no connection, the session has ended, or the draft was refused. */
export type SendFailure = 'unreachable' | 'signed_out' | 'refused'

export interface DraftState {
  /** `clean`: no changes since the last save of the page. `waiting`: the draft will be sent shortly. */
  phase: 'clean' | 'waiting' | 'saving' | 'saved' | 'failed'
  savedAt?: string
  failure?: SendFailure
  error?: unknown
  /** Changes that the server has not acknowledged are stored in this browser and survive closing the tab. */
  storedLocally: boolean
}

/** The stored text that the next autosave starts from. */
export interface DraftBase {
  text: DraftText
  /** The saved version of the page that the edit started from. */
  baseVersion: number
  /** The revision of the stored draft, which the next autosave replaces; it replaces no other revision. */
  revision: number
}

export interface DraftAutosaveOptions {
  tabId: string
  /** @param options.unloading the page may be unloaded before the response */
  send: (draft: DraftToSave, options: { signal: AbortSignal; unloading: boolean }) => Promise<SavedDraft>
  failureOf: (error: unknown) => SendFailure
  /** The current state, when the server refused a draft because the stored draft had changed. */
  staleDraftIn: (error: unknown) => StaleDraft | undefined
  /** Stores unacknowledged changes in this browser; undefined removes them. @returns whether they are stored durably */
  store: (draft: LocalDraft | undefined) => Promise<boolean>
  /** Merges both sides' changes; on a conflict, mine. */
  merge: (base: DraftText, mine: DraftText, theirs: DraftText) => DraftText
  /** Called with the merged text to show, when another tab of the same user also wrote. */
  onMerged: (text: DraftText) => void
  /** The field that has the focus. */
  focusedField: () => keyof DraftText | undefined
}

/** The draft is sent this long after the last change, and at most `maxWaitMs` after the first. */
const idleMs = 1_000
const maxWaitMs = 10_000
/** After this timeout the draft is sent again. */
const timeoutMs = 20_000
const firstRetryMs = 2_000
const maxRetryMs = 60_000

/**
 * Saves typed changes: in this browser at once, on the server a second later. Each request names the revision that it
 * replaces, so a late or repeated request changes nothing. When another tab wrote meanwhile, both texts are merged here
 * and sent again.
 */
export class DraftAutosave {
  readonly #parts: DraftAutosaveOptions
  #state: DraftState = { phase: 'clean', storedLocally: true }
  #listeners = new Set<() => void>()
  /** The server's state, as far as this tab knows. */
  #base: DraftBase
  /** The stored draft was deleted elsewhere, so the shown text is stored nowhere. */
  #draftGone = false
  /** The text in the form. */
  #shown: DraftText
  /** Merged, but not shown yet because its field has the focus. */
  #unshown: { base: DraftText; theirs: DraftText } | undefined
  /** Texts sent since the last response: the server may have stored any of them. */
  #unacknowledged: DraftText[] = []
  /** Counts requests, to detect outdated responses. */
  #request = 0
  #settledRequest = 0
  #inFlight: { request: number; text: DraftText; abort: AbortController; done: Promise<void> } | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #firstChange: number | undefined
  #failures = 0
  #paused = false
  #unmounted = false
  readonly #storeLocally = runLatest(() => this.#writeLocalDraft())

  constructor(parts: DraftAutosaveOptions, base: DraftBase) {
    this.#parts = parts
    this.#base = base
    this.#shown = base.text
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
  getState = (): DraftState => this.#state

  get tabId(): string {
    return this.#parts.tabId
  }

  /** The saved version of the page that the text is based on; after a merge, the older one of both texts. */
  get baseVersion(): number {
    return this.#base.baseVersion
  }

  /** The revision of the stored draft that this tab knows. */
  get revision(): number {
    return this.#base.revision
  }

  /** Everything to save: the shown text, and the merged text that is not shown yet. */
  get text(): DraftText {
    if (!this.#unshown) return this.#shown
    return this.#parts.merge(this.#unshown.base, this.#shown, this.#unshown.theirs)
  }

  /** Called with every change of the form. */
  change(text: DraftText): void {
    this.#shown = text
    if (!this.#isDirty()) {
      const { savedAt } = this.#state
      if (!this.#inFlight) this.#becomeClean(savedAt ? 'saved' : 'clean', savedAt)
      return
    }
    this.#storeLocally()
    if (this.#state.phase !== 'failed') this.#update({ phase: this.#inFlight ? 'saving' : 'waiting' })
    if (this.#paused || this.#unmounted) return
    const now = Date.now()
    this.#firstChange ??= now
    // After a failure the retry timer decides when to send; but a refused text is sent when it has changed.
    if (this.#failures > 0 && this.#state.failure !== 'refused') return
    this.#sendIn(Math.min(idleMs, Math.max(0, this.#firstChange + maxWaitMs - now)))
  }

  /** Called when a field loses the focus, so that merged text can be shown in it. */
  fieldBlurred(): void {
    if (this.#unshown) this.#show(this.text)
  }

  /** Called when the page may be unloaded. */
  sendBeforeUnload(): void {
    const isSent = this.#inFlight && deepEqual(this.#inFlight.text, this.text)
    if (this.#isDirty() && !this.#paused && !isSent) void this.#send(true)
  }

  /** Sends all changes now and waits for the response. @throws the reason for a failure */
  async flush(): Promise<void> {
    do {
      await this.#inFlight?.done
      await this.#send()
      // Another tab's text was merged, or more was typed.
    } while (this.#state.phase === 'waiting' && !this.#paused)
    if (this.#state.phase === 'failed') throw this.#state.error
  }

  /** Retries now, for example when the network is back or the user asks for it. */
  retry(): void {
    if (this.#state.phase === 'failed' && !this.#paused) void this.#send()
  }

  /** Stops sending, while the page itself is saved or the draft is discarded. */
  pause(): void {
    this.#paused = true
    clearTimeout(this.#timer)
    this.#settledRequest = this.#request
    this.#inFlight?.abort.abort(new Error('the page is being saved'))
  }

  /** Continues after that failed: unsaved changes are a draft again. */
  resume(): void {
    this.#paused = false
    this.change(this.#shown)
    if (this.#failures > 0) this.#sendIn(this.#retryMs())
  }

  /**
   * Starts from a new base, after the page was saved or a draft was loaded or discarded.
   * @param shown the text in the form, which may have changes that the server does not have
   */
  restart(base: DraftBase, shown: DraftText): void {
    this.#paused = false
    this.#settledRequest = this.#request
    this.#failures = 0
    this.#firstChange = undefined
    this.#set({ phase: 'clean', storedLocally: true })
    this.#base = base
    this.#draftGone = false
    this.#unshown = undefined
    this.#unacknowledged = []
    if (deepEqual(shown, base.text)) this.#storeLocally()
    this.change(shown)
  }

  /** Whether a stored draft is one that this tab sent without getting a response. */
  isOwn(draft: Pick<Draft, 'text'>): boolean {
    return this.#unacknowledged.some((text) => deepEqual(text, draft.text))
  }

  /** Called when the form is unmounted. Sends the changes once more; if that fails they stay in the browser. */
  unmount(): void {
    this.sendBeforeUnload()
    this.#unmounted = true
    clearTimeout(this.#timer)
  }

  /** For a form that is mounted again, as React does in development. */
  mount(): void {
    this.#unmounted = false
  }

  #isDirty(): boolean {
    return this.#draftGone || !deepEqual(this.text, this.#base.text)
  }

  #sendIn(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#send(), ms)
  }

  async #send(unloading = false): Promise<void> {
    clearTimeout(this.#timer)
    if (!this.#isDirty() || this.#paused || (this.#inFlight && !unloading)) return
    const request = ++this.#request
    const text = this.text
    const { baseVersion, revision } = this.#base
    const abort = new AbortController()
    const timeout = setTimeout(() => abort.abort(new Error('no answer came')), timeoutMs)
    this.#firstChange = undefined
    this.#unacknowledged.push(text)
    if (this.#state.phase !== 'failed') this.#update({ phase: 'saving' })
    const sending = this.#parts.send({ text, baseVersion, revision }, { signal: abort.signal, unloading })
    const answered = untilAborted(sending, abort.signal).then(
      (answer) => this.#acknowledge(request, { text, baseVersion, revision: answer.revision }, answer.savedAt),
      (error) => this.#fail(request, error),
    )
    const done = answered.finally(() => {
      clearTimeout(timeout)
      if (this.#inFlight?.request === request) this.#inFlight = undefined
      this.#sendRest(request)
    })
    this.#inFlight = { request, text, abort, done }
    await done
  }

  /** Sends what was typed or merged meanwhile. */
  #sendRest(request: number): void {
    if (request !== this.#request || this.#paused || this.#unmounted) return
    if (this.#failures > 0) {
      if (this.#state.failure !== 'refused') this.#sendIn(this.#retryMs())
    } else if (this.#isDirty()) this.#sendIn(idleMs)
  }

  #acknowledge(request: number, stored: DraftBase, savedAt: string): void {
    // Of two requests with the same base revision only one is stored, which may be the earlier one.
    if (request <= this.#settledRequest || stored.revision <= this.#base.revision) return
    this.#failures = 0
    this.#base = stored
    this.#draftGone = false
    this.#unacknowledged = []
    if (this.#isDirty()) {
      this.#set({ phase: 'waiting', savedAt, storedLocally: this.#state.storedLocally })
      this.#storeLocally()
    } else this.#becomeClean('saved', savedAt)
  }

  #fail(request: number, error: unknown): void {
    if (request <= this.#settledRequest) return
    const current = this.#parts.staleDraftIn(error)
    if (current) this.#mergeStored(current)
    if (request !== this.#request) return
    if (current) {
      this.#failures = 0
      if (!this.#isDirty()) this.#becomeClean('saved', current.savedAt)
      else this.#update({ phase: 'waiting' })
      return
    }
    if (!this.#isDirty()) {
      // It was changed back meanwhile, so there is nothing left to send.
      const { savedAt } = this.#state
      this.#becomeClean(savedAt ? 'saved' : 'clean', savedAt)
      return
    }
    this.#failures++
    this.#update({ phase: 'failed', error, failure: this.#parts.failureOf(error) })
    this.#storeLocally()
  }

  /** Another revision is stored: the next autosave replaces that one, with both texts merged. */
  #mergeStored({ text, revision, baseVersion }: StaleDraft): void {
    if (revision === this.#base.revision) return
    const { text: base, baseVersion: own } = this.#base
    const isOwn = text && this.isOwn({ text })
    // The merged text is based on the older of the two page versions.
    this.#base = text ? { text, revision, baseVersion: Math.min(own, baseVersion) } : { ...this.#base, revision }
    this.#draftGone = !text
    this.#unacknowledged = []
    if (text && !isOwn) this.#show(this.#parts.merge(base, this.text, text))
  }

  /** Shows the merged text, except in the focused field. */
  #show(all: DraftText): void {
    const field = this.#parts.focusedField()
    const shown = field ? { ...all, [field]: this.#shown[field] } : all
    this.#unshown = deepEqual(shown, all) ? undefined : { base: shown, theirs: all }
    this.#shown = shown
    this.#parts.onMerged(shown)
  }

  /** Exponential backoff with jitter. */
  #retryMs(): number {
    return Math.min(maxRetryMs, firstRetryMs * 2 ** (this.#failures - 1)) * (0.75 + Math.random() / 2)
  }

  #becomeClean(phase: 'clean' | 'saved', savedAt?: string): void {
    clearTimeout(this.#timer)
    this.#firstChange = undefined
    this.#failures = 0
    this.#set({ phase, storedLocally: true, ...(savedAt && { savedAt }) })
    this.#storeLocally()
  }

  async #writeLocalDraft(): Promise<void> {
    const text = this.#isDirty() ? this.text : undefined
    const { baseVersion } = this.#base
    const at = new Date().toISOString()
    // The stored field `editor` is the id of the tab.
    const storedLocally = await this.#parts.store(text && { editor: this.#parts.tabId, text, baseVersion, at })
    if (text) this.#update({ storedLocally })
  }

  #update(change: Partial<DraftState>): void {
    this.#set({ ...this.#state, ...change })
  }

  #set(state: DraftState): void {
    if (deepEqual(state, this.#state)) return
    this.#state = state
    for (const listener of this.#listeners) listener()
  }
}

/** Some senders ignore the signal. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })
}

/** Runs one call at a time; of the calls made meanwhile only the last is run. */
function runLatest(work: () => Promise<void>): () => void {
  let running = false
  let again = false
  const run = async () => {
    running = true
    do {
      again = false
      await work()
    } while (again)
    running = false
  }
  return () => {
    again = true
    if (!running) void run()
  }
}
