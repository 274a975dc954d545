import type { HealthOutcome } from '../../contract/health.ts'
import type { Locale } from '../../contract/locales.ts'
import type { TextKey } from '../../i18n/translate.ts'
import type { Context } from '../../platform/context.ts'
import type { Inspection } from '../../platform/net/inspect-site.ts'

/** What the checks look at. */
export interface HealthSource extends Pick<Context, 'db' | 'dialect' | 'now' | 'site' | 'origin'> {
  /** Whether there is a mail server. */
  sendsMail: boolean
  dataDir: string
  backupDir: string
  quotaBytes: number | undefined
  /** Links within the site that lead nowhere; only the running program can tell. */
  countDeadLinks?: (() => Promise<number>) | undefined
  /** What the message of the canary is sent with; only the running program has it. */
  canary?: (() => CanaryContext) | undefined
}

export type CanaryContext = Omit<Context, 'actor'> & {
  renderEmail(locale: Locale, template: string, data: unknown): Promise<unknown>
  /** Connects to the mail server and signs in, without sending anything. */
  verifyMail(): Promise<void>
}

/** A source during one look at everything. */
export interface Look extends HealthSource {
  /** The site as others see it; asked once. */
  inspection(): Promise<Inspection>
  /** By how many seconds the clock jumped in the last day. */
  clockJump: number
}

type Names<K> = K extends `health.findings.${infer Name}` ? Name : never
/** The name of a sentence in `i18n` at `health.findings`. */
export type FindingName = Names<TextKey>

/** Numbers and moments are written in the reader's language. */
export type FindingValue = string | number | Date | { bytes: number }

export interface Finding {
  outcome: HealthOutcome
  text: FindingName
  values?: Record<string, FindingValue | undefined> | undefined
}

export interface Check {
  /** How long a result is reused. */
  everyMs: number
  /** The screen of the admin where it is cured. */
  screen?: string
  run(look: Look): Promise<Finding>
}

export const minutes = 60_000
export const hours = 60 * minutes
