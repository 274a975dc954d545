import type { HealthOutcome } from '../../contract/health.ts'
import type { Locale } from '../../contract/locales.ts'
import type { SenderCheck, SenderCheckName } from '../../contract/mail-checks.ts'
import type { TextKey } from '../../i18n/translate.ts'
import type { BackupParts } from '../../platform/archive/backup-parts.ts'
import type { Context } from '../../platform/context.ts'
import type { IsProtected } from '../../platform/net/dnssec.ts'
import type { Inspection } from '../../platform/net/inspect-site.ts'
import type { tryMailServer } from '../mail/mail-server.ts'

/** What the checks look at. */
export interface HealthSource extends Pick<Context, 'db' | 'dialect' | 'now' | 'site' | 'origin' | 'secret'> {
  mail: Pick<Context['mail'], 'sends' | 'server' | 'resolve'>
  isProtected: IsProtected
  dataDir: string
  backups: Pick<BackupParts, 'defaultFolder'>
  uploads: { storage: Pick<Context['uploads']['storage'], 'list'> }
  quotaBytes: number | undefined
  /** Links within the site that lead nowhere; only the running program can tell. */
  countDeadLinks?: (() => Promise<number>) | undefined
  /** What the message of the canary is sent with; only the running program has it. */
  canary?: (() => CanaryContext) | undefined
}

export type CanaryContext = Omit<Context, 'actor'> & {
  renderEmail(locale: Locale, template: string, data: unknown): Promise<unknown>
}

/** A source during one look at everything. */
export interface CheckContext extends HealthSource {
  /** The site as others see it; asked once. */
  inspection(): Promise<Inspection>
  /** Signs in to the mail server in use, once; undefined without one. */
  mailTry(): ReturnType<typeof tryMailServer>
  /** The DNS of the sender's domain; asked once. */
  senderDns(): Promise<SenderOutcomes>
  /** What this check found the last time. */
  previous: (Finding & { checkedAt: Date }) | undefined
  /** By how many seconds the clock jumped in the last day. */
  clockJump: number
}

export interface SenderOutcomes {
  domain: string
  outcomes: ReadonlyMap<SenderCheckName, SenderCheck['outcome']>
}

type Names<K> = K extends `health.findings.${infer Name}` ? Name : never
/** The name of a sentence in `i18n` at `health.findings`. */
export type FindingName = Names<TextKey>

/** Written in the reader's language. */
export type FindingValue = string | number | Date | { bytes: number } | ((locale: Locale) => string)

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
  run(context: CheckContext): Promise<Finding>
}

export const minutes = 60_000
export const hours = 60 * minutes
