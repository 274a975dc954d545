import { same } from '../../../contract/merge-page.ts'
import type { DraftText, DraftToSave, SavedDraft } from '../../../contract/pages.ts'
import type { KeptDraft } from './kept-drafts.ts'
import { latestWriter } from './latest-writer.ts'

/** Why a draft is not on the server: it was not reached, it does not know who asks, or it does not want it. */
export type Trouble = 'unreachable' | 'signed_out' | 'refused'

export interface DraftState {
  /** `clean`: nothing was typed since the page was saved. `waiting`: it goes out in a moment. */
  phase: 'clean' | 'waiting' | 'saving' | 'saved' | 'failed'
  savedAt?: string
  trouble?: Trouble
  error?: unknown
  /** What the server has not acknowledged lies in this browser, and outlives the tab. */
  kept: boolean
}

/** What the work rests on. */
export interface DraftBase {
  text: DraftText
  baseVersion: number
  /** The stored draft that is known, over all tabs; 0: none. */
  knownNumber: number
}

export interface DraftParts {
  /** This tab. */
  editor: string
  /** @param how.leaving the tab may be gone before the answer */
  send: (draft: DraftToSave, how: { signal: AbortSignal; leaving: boolean }) => Promise<SavedDraft>
  troubleOf: (error: unknown) => Trouble
  /** Keeps in this browser what is not acknowledged; undefined: nothing is left to keep. @returns whether it is kept */
  keep: (kept: KeptDraft | undefined) => Promise<boolean>
  /** Both changes together; where they collide, mine. */
  merge: (base: DraftText, mine: DraftText, theirs: DraftText) => DraftText
  /** Another tab of the same person wrote too: what to show now. */
  onMerged: (text: DraftText) => void
  /** The field that has the cursor. */
  cursor: () => keyof DraftText | undefined
}

/** So long after the last change it is sent, and at the latest so long after the first. */
const restMs = 1_000
const longestMs = 10_000
/** An answer that has not come by then is not waited for: the same goes out again, under a higher number. */
const patienceMs = 20_000
const firstPauseMs = 2_000
const longestPauseMs = 60_000

/**
 * Keeps what is typed: in this browser at once, on the server a second later. One save is under way at a time, each
 * with a higher number than the one before, so that no late answer and no late request undoes what came after it.
 */
export class DraftKeeper {
  readonly #parts: DraftParts
  #state: DraftState = { phase: 'clean', kept: true }
  #listeners = new Set<() => void>()
  #base: DraftBase
  /** What the form shows. */
  #now: DraftText
  /** The last text that the server said it has. */
  #acknowledged: DraftText
  /** Merged, and not shown yet because the cursor stands in it. */
  #behind: { base: DraftText; theirs: DraftText } | undefined
  #number = 0
  #answered = 0
  #underWay: { number: number; text: DraftText; end: AbortController; over: Promise<void> } | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #firstChange: number | undefined
  #failures = 0
  #held = false
  #ended = false
  readonly #keepHere = latestWriter(() => this.#writeKept())

  constructor(parts: DraftParts, base: DraftBase) {
    this.#parts = parts
    this.#base = base
    this.#now = base.text
    this.#acknowledged = base.text
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
  get = (): DraftState => this.#state

  /** Everything that is to be kept: what is shown, and what was merged and is not shown yet. */
  get text(): DraftText {
    if (!this.#behind) return this.#now
    return this.#parts.merge(this.#behind.base, this.#now, this.#behind.theirs)
  }

  /** Told of every change of the form. */
  change(text: DraftText): void {
    this.#now = text
    if (!this.#isDirty()) {
      const { savedAt } = this.#state
      if (!this.#underWay) this.#settleClean(savedAt ? 'saved' : 'clean', savedAt)
      return
    }
    this.#keepHere()
    if (this.#state.phase !== 'failed') this.#say({ phase: this.#underWay ? 'saving' : 'waiting' })
    if (this.#held || this.#ended) return
    const now = Date.now()
    this.#firstChange ??= now
    // After a failure the pause decides; a change that was refused for what it said is another one now.
    if (this.#failures > 0 && this.#state.trouble !== 'refused') return
    this.#sendIn(Math.min(restMs, Math.max(0, this.#firstChange + longestMs - now)))
  }

  /** The cursor has left its field: what was merged meanwhile may be shown there. */
  cursorLeft(): void {
    if (this.#behind) this.#show(this.text)
  }

  /** The tab may be gone in a moment. */
  leave(): void {
    const sent = this.#underWay && same(this.#underWay.text, this.text)
    if (this.#isDirty() && !this.#held && !sent) void this.#send(true)
  }

  /** Sends what is typed now, and waits for it. @throws why it could not be sent */
  async flush(): Promise<void> {
    await this.#underWay?.over
    await this.#send()
    if (this.#state.phase === 'failed') throw this.#state.error
  }

  /** The network, the server or the person is back, or somebody pressed the button. */
  retry(): void {
    if (this.#state.phase === 'failed' && !this.#held) void this.#send()
  }

  /**
   * This tab, the last number that it sent and the stored draft that it knows, for who saves or throws away: what comes
   * late changes nothing then, and what another tab wrote since stays.
   */
  get tab(): { editor: string; number: number; knownNumber: number } {
    return { editor: this.#parts.editor, number: this.#number, knownNumber: this.#base.knownNumber }
  }

  /** Nothing goes out from now on: the page itself is being saved. */
  hold(): void {
    this.#held = true
    clearTimeout(this.#timer)
    this.#answered = this.#number
    this.#underWay?.end.abort(new Error('the page is saved'))
  }

  /** The save failed: what is typed is a draft again. */
  release(): void {
    this.#held = false
    this.change(this.#now)
    if (this.#failures > 0) this.#sendIn(this.#pauseMs())
  }

  /**
   * The page was saved, or a draft loaded or thrown away: the work goes on from there.
   * @param shown what the form shows, which may be more than the server has
   */
  restart(base: DraftBase, shown: DraftText): void {
    this.#held = false
    this.#answered = this.#number
    this.#failures = 0
    this.#firstChange = undefined
    this.#set({ phase: 'clean', kept: true })
    this.#base = base
    this.#behind = undefined
    this.#acknowledged = base.text
    if (same(shown, base.text)) this.#keepHere()
    this.change(shown)
  }

  /** The form is gone. What is typed is sent once more, and else lies in the browser. */
  end(): void {
    this.leave()
    this.#ended = true
    clearTimeout(this.#timer)
  }

  /** For a form that comes back, as React does with each while it is developed. */
  resume(): void {
    this.#ended = false
  }

  #isDirty(): boolean {
    return !same(this.text, this.#acknowledged)
  }

  #sendIn(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#send(), ms)
  }

  async #send(leaving = false): Promise<void> {
    clearTimeout(this.#timer)
    if (!this.#isDirty() || this.#held || (this.#underWay && !leaving)) return
    this.#number++
    const number = this.#number
    const text = this.text
    const { baseVersion, knownNumber } = this.#base
    const { editor, send } = this.#parts
    const end = new AbortController()
    const impatient = setTimeout(() => end.abort(new Error('no answer came')), patienceMs)
    this.#firstChange = undefined
    if (this.#state.phase !== 'failed') this.#say({ phase: 'saving' })
    const sent = untilAborted(
      send({ text, editor, number, baseVersion, knownNumber }, { signal: end.signal, leaving }),
      end.signal,
    ).then(
      (answer) => this.#take(number, text, answer),
      (error) => this.#fail(number, error),
    )
    const over = sent.finally(() => {
      clearTimeout(impatient)
      if (this.#underWay?.number === number) this.#underWay = undefined
      this.#goOn(number)
    })
    this.#underWay = { number, text, end, over }
    await over
  }

  /** What was typed while it was under way goes out after it. */
  #goOn(number: number): void {
    if (number !== this.#number || this.#held || this.#ended) return
    if (this.#failures > 0) {
      if (this.#state.trouble !== 'refused') this.#sendIn(this.#pauseMs())
    } else if (this.#isDirty()) this.#sendIn(restMs)
  }

  #take(number: number, text: DraftText, answer: SavedDraft): void {
    if (number <= this.#answered) return
    this.#answered = number
    this.#failures = 0
    this.#base = { ...this.#base, knownNumber: Math.max(this.#base.knownNumber, answer.number) }
    this.#acknowledged = answer.merged ?? text
    if (answer.merged) this.#show(this.#parts.merge(text, this.text, answer.merged))
    const { savedAt } = answer
    if (this.#isDirty()) {
      this.#set({ phase: 'waiting', savedAt, kept: this.#state.kept })
      this.#keepHere()
    } else this.#settleClean('saved', savedAt)
  }

  /** Shows what was merged, but for the field in which one is typing. */
  #show(all: DraftText): void {
    const field = this.#parts.cursor()
    const shown = field ? { ...all, [field]: this.#now[field] } : all
    this.#behind = same(shown, all) ? undefined : { base: shown, theirs: all }
    this.#now = shown
    this.#parts.onMerged(shown)
  }

  #fail(number: number, error: unknown): void {
    if (number <= this.#answered || number !== this.#number) return
    this.#failures++
    this.#say({ phase: 'failed', error, trouble: this.#parts.troubleOf(error) })
    this.#keepHere()
  }

  /** Growing, and never the same for all who lost the same server. */
  #pauseMs(): number {
    return Math.min(longestPauseMs, firstPauseMs * 2 ** (this.#failures - 1)) * (0.75 + Math.random() / 2)
  }

  #settleClean(phase: 'clean' | 'saved', savedAt?: string): void {
    clearTimeout(this.#timer)
    this.#firstChange = undefined
    this.#failures = 0
    this.#set({ phase, kept: true, ...(savedAt && { savedAt }) })
    this.#keepHere()
  }

  async #writeKept(): Promise<void> {
    const text = this.#isDirty() ? this.text : undefined
    const { baseVersion } = this.#base
    const at = new Date().toISOString()
    const kept = await this.#parts.keep(text && { editor: this.#parts.editor, text, baseVersion, at })
    if (text) this.#say({ kept })
  }

  #say(change: Partial<DraftState>): void {
    this.#set({ ...this.#state, ...change })
  }

  #set(state: DraftState): void {
    if (same(state, this.#state)) return
    this.#state = state
    for (const listener of this.#listeners) listener()
  }
}

/** Some senders do not hear the signal. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })
}
