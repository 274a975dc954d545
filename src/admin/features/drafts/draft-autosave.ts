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
  /** @param options.unloading whether the page may be unloaded before the response */
  send: (draft: DraftToSave, options: { signal: AbortSignal; unloading: boolean }) => Promise<SavedDraft>
  failureOf: (error: unknown) => SendFailure
  /** The stored draft, if the server refused a draft because the stored one had changed; otherwise undefined. */
  staleDraftIn: (error: unknown) => StaleDraft | undefined
  /** Stores unacknowledged changes in this browser; undefined removes them. @returns whether they are stored durably */
  store: (draft: LocalDraft | undefined) => Promise<boolean>
  /** Merges both sides' changes; on a conflict, mine. */
  merge: (base: DraftText, mine: DraftText, theirs: DraftText) => DraftText
  /** Called with the merged text to show, when another tab of the same user also wrote. */
  onMerged: (text: DraftText) => void
  /** The field of the form that has the focus; undefined if none has. */
  focusedField: () => keyof DraftText | undefined
}

/** The draft is sent this long after the last change, and at most `maxWaitMs` after the first. */
const idleMs = 1_000
const maxWaitMs = 10_000
/** A request without a response counts as failed after this time. */
const timeoutMs = 20_000
const firstRetryMs = 2_000
const maxRetryMs = 60_000

/**
 * Saves typed changes: in this browser at once, on the server a second later. Each request names the revision that it
 * replaces, so a late or repeated request changes nothing. When another tab wrote meanwhile, this tab merges both texts
 * and sends them again.
 */
export class DraftAutosave {
  readonly #options: DraftAutosaveOptions
  #state: DraftState = { phase: 'clean', storedLocally: true }
  #listeners = new Set<() => void>()
  /** The draft that the server has, as far as this tab knows. */
  #base: DraftBase
  /** Whether the stored draft was deleted elsewhere, so that the text of the form is not on the server. */
  #storedDraftDeleted = false
  #formText: DraftText
  /** A merge whose text is not in the form yet, because the field has the focus. */
  #pendingMerge: { base: DraftText; theirs: DraftText } | undefined
  /** Texts sent since the last response: the server may have stored any of them. */
  #unacknowledged: DraftText[] = []
  /** The number of the last request. */
  #request = 0
  /** Responses to requests up to this number are ignored. */
  #lastIgnoredRequest = 0
  #inFlight: { request: number; text: DraftText; abort: AbortController; done: Promise<void> } | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  /** When the first change was made that is not sent yet, as a timestamp in milliseconds. */
  #firstChange: number | undefined
  #failures = 0
  #paused = false
  #unmounted = false
  readonly #storeLocally = runLatest(() => this.#writeLocalDraft())

  constructor(options: DraftAutosaveOptions, base: DraftBase) {
    this.#options = options
    this.#base = base
    this.#formText = base.text
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
  getState = (): DraftState => this.#state

  get tabId(): string {
    return this.#options.tabId
  }

  /** The saved version of the page that the text is based on; after a merge, the older of the two versions. */
  get baseVersion(): number {
    return this.#base.baseVersion
  }

  /** The revision of the stored draft that this tab knows. */
  get revision(): number {
    return this.#base.revision
  }

  /** Everything to save: the text of the form, merged with text of another tab that the form does not show yet. */
  get text(): DraftText {
    if (!this.#pendingMerge) return this.#formText
    return this.#options.merge(this.#pendingMerge.base, this.#formText, this.#pendingMerge.theirs)
  }

  /** Called with every change of the form. */
  change(text: DraftText): void {
    this.#formText = text
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
    // After a failure the retry timer decides when to send. But a refused text is sent as soon as it has changed.
    if (this.#failures > 0 && this.#state.failure !== 'refused') return
    this.#sendIn(Math.min(idleMs, Math.max(0, this.#firstChange + maxWaitMs - now)))
  }

  /** Called when a field loses the focus, so that merged text can be shown in it. */
  fieldBlurred(): void {
    if (this.#pendingMerge) this.#showMerged(this.text)
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

  /** Stops sending and aborts the current request, while the page itself is saved or the draft is discarded. */
  pause(): void {
    this.#paused = true
    clearTimeout(this.#timer)
    this.#lastIgnoredRequest = this.#request
    this.#inFlight?.abort.abort(new Error('the page is being saved'))
  }

  /** Continues after saving or discarding failed: unsaved changes are a draft again. */
  resume(): void {
    this.#paused = false
    this.change(this.#formText)
    if (this.#failures > 0) this.#sendIn(this.#retryMs())
  }

  /**
   * Starts from a new base, after the page was saved or a draft was loaded or discarded.
   * @param formText the text of the form, which may have changes that the server does not have
   */
  restart(base: DraftBase, formText: DraftText): void {
    this.#paused = false
    this.#lastIgnoredRequest = this.#request
    this.#failures = 0
    this.#firstChange = undefined
    this.#set({ phase: 'clean', storedLocally: true })
    this.#base = base
    this.#storedDraftDeleted = false
    this.#pendingMerge = undefined
    this.#unacknowledged = []
    if (deepEqual(formText, base.text)) this.#storeLocally()
    this.change(formText)
  }

  /** Whether a stored draft has a text that this tab sent without getting a response. */
  isOwn(draft: Pick<Draft, 'text'>): boolean {
    return this.#unacknowledged.some((text) => deepEqual(text, draft.text))
  }

  /** Called when the form is unmounted. Sends the changes once more; if that fails they stay in the browser. */
  unmount(): void {
    this.sendBeforeUnload()
    this.#unmounted = true
    clearTimeout(this.#timer)
  }

  /** Undoes `unmount`, because React mounts a form twice in development. */
  mount(): void {
    this.#unmounted = false
  }

  #isDirty(): boolean {
    return this.#storedDraftDeleted || !deepEqual(this.text, this.#base.text)
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
    const response = this.#options.send({ text, baseVersion, revision }, { signal: abort.signal, unloading })
    const handled = untilAborted(response, abort.signal).then(
      (saved) => this.#acknowledge(request, { text, baseVersion, revision: saved.revision }, saved.savedAt),
      (error) => this.#fail(request, error),
    )
    const done = handled.finally(() => {
      clearTimeout(timeout)
      if (this.#inFlight?.request === request) this.#inFlight = undefined
      this.#sendRest(request)
    })
    this.#inFlight = { request, text, abort, done }
    await done
  }

  /** Schedules the next request after the response to the last one: a retry, or changes typed or merged meanwhile. */
  #sendRest(request: number): void {
    if (request !== this.#request || this.#paused || this.#unmounted) return
    if (this.#failures > 0) {
      if (this.#state.failure !== 'refused') this.#sendIn(this.#retryMs())
    } else if (this.#isDirty()) this.#sendIn(idleMs)
  }

  #acknowledge(request: number, stored: DraftBase, savedAt: string): void {
    // Of two requests with the same base revision only one is stored, which may be the earlier one.
    if (request <= this.#lastIgnoredRequest || stored.revision <= this.#base.revision) return
    this.#failures = 0
    this.#base = stored
    this.#storedDraftDeleted = false
    this.#unacknowledged = []
    if (this.#isDirty()) {
      this.#set({ phase: 'waiting', savedAt, storedLocally: this.#state.storedLocally })
      this.#storeLocally()
    } else this.#becomeClean('saved', savedAt)
  }

  #fail(request: number, error: unknown): void {
    if (request <= this.#lastIgnoredRequest) return
    const storedDraft = this.#options.staleDraftIn(error)
    if (storedDraft) this.#mergeStored(storedDraft)
    if (request !== this.#request) return
    if (storedDraft) {
      this.#failures = 0
      if (!this.#isDirty()) this.#becomeClean('saved', storedDraft.savedAt)
      else this.#update({ phase: 'waiting' })
      return
    }
    if (!this.#isDirty()) {
      // The user has changed the text back meanwhile, so there is nothing left to send.
      const { savedAt } = this.#state
      this.#becomeClean(savedAt ? 'saved' : 'clean', savedAt)
      return
    }
    this.#failures++
    this.#update({ phase: 'failed', error, failure: this.#options.failureOf(error) })
    this.#storeLocally()
  }

  /** Makes the stored draft the one that the next autosave replaces, and merges its text unless this tab wrote it. */
  #mergeStored({ text, revision, baseVersion }: StaleDraft): void {
    if (revision === this.#base.revision) return
    const previous = this.#base
    const isOwn = text && this.isOwn({ text })
    // The merged text is based on the older of the two page versions.
    const olderVersion = Math.min(previous.baseVersion, baseVersion)
    this.#base = text ? { text, revision, baseVersion: olderVersion } : { ...previous, revision }
    this.#storedDraftDeleted = !text
    this.#unacknowledged = []
    if (text && !isOwn) this.#showMerged(this.#options.merge(previous.text, this.text, text))
  }

  /** Shows the merged text in the form, except in the focused field: that waits for `fieldBlurred`. */
  #showMerged(merged: DraftText): void {
    const field = this.#options.focusedField()
    const formText = field ? { ...merged, [field]: this.#formText[field] } : merged
    this.#pendingMerge = deepEqual(formText, merged) ? undefined : { base: formText, theirs: merged }
    this.#formText = formText
    this.#options.onMerged(formText)
  }

  /** Exponential backoff with jitter of 25 %. */
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
    const storedLocally = await this.#options.store(text && { editor: this.#options.tabId, text, baseVersion, at })
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

/** Rejects with the reason of the signal when that aborts, because a request may ignore the signal. */
function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    promise.then(resolve, reject)
  })
}

/** Returns a function that runs a task. Calls during a run cause one more run after it. */
function runLatest(task: () => Promise<void>): () => void {
  let isRunning = false
  let isRequested = false
  const run = async () => {
    isRunning = true
    do {
      isRequested = false
      await task()
    } while (isRequested)
    isRunning = false
  }
  return () => {
    isRequested = true
    if (!isRunning) void run()
  }
}
