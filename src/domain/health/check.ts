import type { HealthOutcome } from '../../contract/health.ts'
import type { Locale } from '../../contract/locales.ts'
import type { DnsCheck, DnsCheckName } from '../../contract/mail-checks.ts'
import type { TextKey } from '../../i18n/translate.ts'
import type { BackupParts } from '../../platform/archive/backup-parts.ts'
import type { Context } from '../../platform/context.ts'
import type { HasDnssec } from '../../platform/net/dnssec.ts'
import type { SiteProbe } from '../../platform/net/probe-site.ts'
import type { testMailServer } from '../mail/mail-server.ts'

/** The dependencies of the checks. */
export interface CheckDependencies extends Pick<Context, 'db' | 'dialect' | 'now' | 'site' | 'origin' | 'secret'> {
  mail: Pick<Context['mail'], 'sends' | 'server' | 'resolve'>
  hasDnssec: HasDnssec
  dataDir: string
  backups: Pick<BackupParts, 'defaultFolder'>
  uploads: { storage: Pick<Context['uploads']['storage'], 'list'> }
  quotaBytes: number | undefined
  /** Counts the broken links within the site; only available in the running server. */
  countDeadLinks?: (() => Promise<number>) | undefined
  /** Creates the context of the checks that send a test message; only available in the running server. */
  canary?: (() => CanaryContext) | undefined
  /** Returns since when the CDN accepts no purge, undefined while it does; only available with a CDN in the running server. */
  cdnFailingSince?: (() => Date | undefined) | undefined
  /** Whether there is a CDN in front. */
  cdn: object | undefined
}

/** The context of the check `canary`, which submits a test message to the contact form, and of the check `arrival`. */
export type CanaryContext = Omit<Context, 'actor'> & {
  renderEmail(locale: Locale, template: string, data: unknown): Promise<unknown>
  /** Passes a request to the server of this process, without the network. */
  fetch(request: Request): Promise<Response>
}

/** The dependencies of one check during a check run, with results that several checks share. */
export interface CheckContext extends CheckDependencies {
  /** The response of the site at its public URL; requested once per run. */
  siteProbe(): Promise<SiteProbe>
  /** Signs in to the configured mail server, once per run; undefined without a mail server. */
  smtpTest(): ReturnType<typeof testMailServer>
  /** Checks the DNS records of the sender's domain, once per run. */
  senderDns(): Promise<SenderOutcomes>
  /** The cached result of this check; undefined before its first run in this process. */
  previous: (Finding & { checkedAt: Date }) | undefined
  /** The size of the last jump of the system clock within 24 hours, in seconds; 0 if there was none. */
  clockJump: number
}

/** The outcomes of the DNS checks of the sender's domain. */
export interface SenderOutcomes {
  domain: string
  outcomes: ReadonlyMap<DnsCheckName, DnsCheck['outcome']>
}

type Names<K> = K extends `health.findings.${infer Name}` ? Name : never
/** A text key below `health.findings`, without that prefix. */
type FindingName = Names<TextKey>

/** A value in the text of a finding, formatted in the reader's language. */
export type FindingValue = string | number | Date | { bytes: number } | ((locale: Locale) => string)

/** What a check found. `text` is the key of the text that says it, and `values` are filled in there. */
export interface Finding {
  outcome: HealthOutcome
  text: FindingName
  values?: Record<string, FindingValue | undefined> | undefined
}

export interface Check {
  /** How long a result is cached; a failed one only for a minute. */
  everyMs: number
  /** The admin page on which the problem can be fixed. */
  screen?: string
  /** Whether this site needs the check; without this function every site does. */
  isWanted?(dependencies: CheckDependencies): boolean
  run(context: CheckContext): Promise<Finding>
}

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs

/** An email that waits longer than this in the outbox is reported: usually several attempts to send it have failed. */
export const maxEmailWaitMs = hourMs
