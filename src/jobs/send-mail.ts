import { setTimeout as pause } from 'node:timers/promises'
import { defaultLocale, isLanguageTag, type Locale } from '../contract/locales.ts'
import type { SiteConfig } from '../contract/site-config.ts'
import { renderEmail } from '../domain/email-templates.ts'
import type { Database, OpenDatabase, Transaction } from '../platform/db/database.ts'
import type { Log } from '../platform/log/log.ts'
import {
  type ClaimedEmail,
  claimEmails,
  deleteClaimed,
  markFailed,
  markSent,
  markWritten,
  nextEmailAt,
  releaseClaim,
  renewClaim,
} from '../platform/mail/outbox.ts'
import { findExistingEmails } from '../platform/mail/outbox-emails.ts'
import { maxConcurrentSends, type Transport } from '../platform/mail/transport.ts'
import { busyIntervalMs, idleIntervalMs, type Poller, pollInterval, startPoller } from '../platform/poller.ts'
import { whileLeased } from '../platform/while-leased.ts'

const defaultTiming = {
  /** Of a claim. Short, so that the emails of a killed process are soon claimed again; renewed every third of it. */
  leaseMs: 15_000,
  /** Longer than any timeout within one SMTP transaction. */
  sendTimeoutMs: 5 * 60_000,
  idleIntervalMs,
  busyIntervalMs,
  storeRetryMs: 1_000,
  /** How long attempts in progress may go on after `stop`. */
  stopTimeoutMs: 10_000,
}

/** A minute, by default. */
const maxFailuresAfterSent = 60

/** The names of the counted events in the metrics. */
export type MailEvent = 'email_sent' | 'email_retried' | 'email_failed'

/**
 * Sends the emails of the outbox, at most `maxConcurrentSends` at a time. `stop` waits ten seconds for running
 * attempts, then aborts them and releases their claims. Several workers can share one outbox.
 */
export function startMailWorker(options: {
  db: Database
  dialect: OpenDatabase['dialect']
  log: Log
  now: () => Date
  site: () => SiteConfig
  /** Called for each email, because the mail settings may change. */
  transport: () => Transport
  /**
   * Loads the data of the template when the email is sent; undefined: the email is not needed any more, and is deleted.
   * Omitted: the stored data is used.
   */
  loadData?: (email: ClaimedEmail) => Promise<unknown>
  /** Called in the transaction that stores an email as sent; again when that fails. */
  onSent?: (tx: Transaction, email: ClaimedEmail) => Promise<void>
  countEvent?: (name: MailEvent) => void
  timing?: Partial<typeof defaultTiming>
}): Poller {
  const { leaseMs, sendTimeoutMs, idleIntervalMs, busyIntervalMs, storeRetryMs, stopTimeoutMs } = {
    ...defaultTiming,
    ...options.timing,
  }
  const { db, dialect, log, now } = options
  const inProgress = new Map<number, Delivery>()
  const aborting = new AbortController()

  const claimDueEmails = async () => {
    const free = maxConcurrentSends - inProgress.size
    if (free <= 0) return
    for (const claim of await claimEmails(db, dialect, now(), free, leaseMs)) {
      const delivery = inProgress.get(claim.id)
      // The clock jumped past the lease of an email that this worker is still sending: it continues with the new claim.
      if (delivery) delivery.claim = claim
      else startDelivery(claim)
    }
  }

  const startDelivery = (claim: ClaimedEmail) => {
    const delivery: Delivery = { claim, sending: Promise.resolve() }
    inProgress.set(claim.id, delivery)
    const lease = {
      ms: leaseMs,
      renew: () => renewClaim(db, delivery.claim, now(), leaseMs),
      onFailure: (error: unknown) =>
        log.warn({ emailId: claim.id, err: error }, 'the claim of an email was not renewed'),
    }
    delivery.sending = whileLeased(lease, () => send(delivery))
      .catch((error) => log.error({ emailId: claim.id, err: error }, 'the state of an email could not be stored'))
      .finally(() => {
        inProgress.delete(claim.id)
        poller.wake()
      })
  }

  const send = async (delivery: Delivery) => {
    const { claim } = delivery
    const transport = options.transport()
    try {
      const data = options.loadData ? await options.loadData(claim) : claim.data
      if (data === undefined) return await deleteClaimed(db, delivery.claim)
      const email = await renderEmail(options.site(), localeOf(claim), claim.template, data)
      await transport.send({
        ...email,
        id: claim.id,
        messageId: claim.messageId,
        recipient: claim.recipient,
        date: claim.createdAt,
        signal: AbortSignal.any([aborting.signal, AbortSignal.timeout(sendTimeoutMs)]),
      })
    } catch (error) {
      return await storeFailure(delivery, error)
    }
    if (transport.kind === 'smtp') {
      await storeSent(claim)
      options.countEvent?.('email_sent')
      log.info({ emailId: claim.id, attempt: claim.attempt }, 'email sent')
    } else if (await markWritten(db, claim, now())) {
      log.info({ emailId: claim.id, attempt: claim.attempt }, 'email written to a file: there is no mail server')
    } else {
      // The email was deleted while its file was being written.
      await transport.deleteOrphanedFiles((ids) => findExistingEmails(db, ids))
    }
  }

  /**
   * Retries while the database fails, because an email that is not marked as sent is sent again after its lease. For the same
   * reason it is in the end marked as sent without `onSent`, if only that fails.
   */
  const storeSent = async (claim: ClaimedEmail) => {
    for (let failures = 0; ; failures++) {
      try {
        return await db.transaction().execute(async (tx) => {
          // First, because a deletion locks the record before the emails about it.
          await options.onSent?.(tx, claim)
          await markSent(tx, claim, now())
        })
      } catch (error) {
        const isLast = aborting.signal.aborted || failures >= maxFailuresAfterSent
        if (isLast && (await markSentAlone(claim))) return
        if (aborting.signal.aborted) throw error
        if (failures === 0)
          log.warn({ emailId: claim.id, err: error }, 'email sent, but its state could not be stored yet')
        await pause(storeRetryMs, undefined, { signal: aborting.signal }).catch(() => {})
      }
    }
  }

  /** @returns false when that failed too */
  const markSentAlone = async (claim: ClaimedEmail): Promise<boolean> => {
    try {
      await db.transaction().execute((tx) => markSent(tx, claim, now()))
    } catch {
      return false
    }
    log.error({ emailId: claim.id }, 'email stored as sent, but what it answers was not updated')
    return true
  }

  const storeFailure = async ({ claim }: Delivery, error: unknown) => {
    if (aborting.signal.aborted) return releaseClaim(db, claim, now())
    const outcome = await markFailed(db, claim, now(), error instanceof Error ? error.message : String(error))
    if (outcome === 'claim_lost') return
    options.countEvent?.(outcome === 'failed' ? 'email_failed' : 'email_retried')
    // The server's message may contain addresses, so it is stored in the outbox and not logged.
    const { code, responseCode } = error as { code?: unknown; responseCode?: unknown }
    const details = { emailId: claim.id, attempt: claim.attempt, code, responseCode }
    if (outcome === 'failed') log.error(details, 'email failed, no more attempts')
    else log.warn(details, 'email not sent, will retry')
  }

  const poller = startPoller({
    task: 'reading the outbox',
    log,
    async run() {
      await claimDueEmails()
      return pollInterval(await nextEmailAt(db), now(), idleIntervalMs, busyIntervalMs)
    },
  })
  return {
    wake: poller.wake,
    async stop() {
      await poller.stop()
      const deadline = setTimeout(() => aborting.abort(), stopTimeoutMs)
      await Promise.all([...inProgress.values()].map(({ sending }) => sending))
      clearTimeout(deadline)
    },
  }
}

/** An email that is being sent. `claim` is replaced when the email is claimed again meanwhile. */
interface Delivery {
  claim: ClaimedEmail
  sending: Promise<void>
}

const localeOf = (claim: ClaimedEmail): Locale => (isLanguageTag(claim.locale) ? claim.locale : defaultLocale)
