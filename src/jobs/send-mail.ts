import { type Locale, locales } from '../contract/locales.ts'
import type { SiteConfig } from '../contract/site-config.ts'
import { renderLetter } from '../domain/letters.ts'
import type { Database, OpenDatabase } from '../platform/db/database.ts'
import type { Log } from '../platform/log/log.ts'
import {
  type ClaimedLetter,
  claimLetters,
  dropClaimed,
  nextLetterAt,
  releaseClaim,
  renewClaim,
  settleFailed,
  settleSent,
} from '../platform/mail/outbox.ts'
import { sendsAtOnce, type Transport } from '../platform/mail/transport.ts'

const timing = {
  /** Short, so that a killed program's letters are soon free; a third of it before its end, a claim is renewed. */
  leaseMs: 15_000,
  /** Longer than any pause that a mail server may take in one sending. */
  sendTimeoutMs: 5 * 60_000,
  /** Between looks, when nothing will be due soon. */
  longestWaitMs: 5_000,
  /** Between looks, when something will. */
  soonMs: 1_000,
  stopWithinMs: 10_000,
}

export interface MailWorker {
  /** A letter was posted: look now. */
  wake(): void
  /** Takes no more letters, lets those on their way arrive (ten seconds at most) and gives the others back. */
  stop(): Promise<void>
}

/**
 * Sends what the outbox holds, a few letters at once, until told to stop. Several workers share one outbox.
 * @param parts.event told the name of what happened: `letter_sent`, `letter_retried`, `letter_failed`
 */
export function startMailWorker(parts: {
  db: Database
  dialect: OpenDatabase['dialect']
  log: Log
  now: () => Date
  site: () => SiteConfig
  transport: Transport
  /** Gives what a letter is rendered from, made now; undefined: there is nothing to send. Left out, it is what was kept. */
  fill?: (letter: ClaimedLetter) => Promise<unknown>
  event?: (name: 'letter_sent' | 'letter_retried' | 'letter_failed') => void
  timing?: Partial<typeof timing>
}): MailWorker {
  const { leaseMs, sendTimeoutMs, longestWaitMs, soonMs, stopWithinMs } = { ...timing, ...parts.timing }
  const { db, dialect, log, now, transport } = parts
  const underWay = new Map<number, UnderWay>()
  const giveUp = new AbortController()
  let stopping = false
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined
  let lookAgain = false

  const look = () => {
    if (stopping) return
    if (looking) {
      lookAgain = true
      return
    }
    clearTimeout(timer)
    looking = (async () => {
      do {
        lookAgain = false
        await takeWhatIsDue()
      } while (lookAgain && !stopping)
      const wait = await pause()
      if (!stopping) timer = setTimeout(look, wait)
    })()
      .catch((error) => {
        log.error({ err: error }, 'the outbox could not be read')
        if (!stopping) timer = setTimeout(look, longestWaitMs)
      })
      .finally(() => {
        looking = undefined
        if (lookAgain) look()
      })
  }

  const takeWhatIsDue = async () => {
    const room = sendsAtOnce - underWay.size
    if (room <= 0) return
    for (const claim of await claimLetters(db, dialect, now(), room, leaseMs)) {
      const same = underWay.get(claim.id)
      // The clock jumped past the lease of a letter that is on its way: it is ours again, and goes on.
      if (same) same.claim = claim
      else begin(claim)
    }
  }

  const begin = (claim: ClaimedLetter) => {
    const one: UnderWay = { claim, sending: Promise.resolve() }
    underWay.set(claim.id, one)
    one.sending = send(one)
      .catch((error) => log.error({ letter: claim.id, err: error }, 'a letter could not be settled'))
      .finally(() => {
        underWay.delete(claim.id)
        look()
      })
  }

  /** Nobody else wakes this copy for a letter that another copy posted, or that waits for its next try. */
  const pause = async () => {
    const next = await nextLetterAt(db)
    return next && next.getTime() - now().getTime() < longestWaitMs ? soonMs : longestWaitMs
  }

  const send = async (one: UnderWay) => {
    const { claim } = one
    const renewal = setInterval(() => {
      renewClaim(db, one.claim, now(), leaseMs).catch((error) =>
        log.warn({ letter: claim.id, err: error }, 'a claim was not renewed'),
      )
    }, leaseMs / 3)
    try {
      const data = parts.fill ? await parts.fill(claim) : claim.data
      if (data === undefined) return await dropClaimed(db, claim)
      const letter = await renderLetter(parts.site(), localeOf(claim), claim.template, data)
      await transport.send({
        ...letter,
        id: claim.id,
        messageId: claim.messageId,
        recipient: claim.recipient,
        date: claim.createdAt,
        signal: AbortSignal.any([giveUp.signal, AbortSignal.timeout(sendTimeoutMs)]),
      })
      await settleSent(db, claim, now())
      parts.event?.('letter_sent')
      log.info({ letter: claim.id, attempt: claim.attempt }, 'letter sent')
    } catch (error) {
      if (giveUp.signal.aborted) {
        await releaseClaim(db, one.claim, now())
        return
      }
      const outcome = await settleFailed(db, one.claim, now(), error instanceof Error ? error.message : String(error))
      if (outcome === 'not ours') return
      parts.event?.(outcome === 'failed' ? 'letter_failed' : 'letter_retried')
      // The server's words may hold addresses, so they stay in the outbox.
      const { code, responseCode } = error as { code?: unknown; responseCode?: unknown }
      const about = { letter: claim.id, attempt: claim.attempt, code, responseCode }
      if (outcome === 'failed') log.error(about, 'a letter is given up')
      else log.warn(about, 'a letter was not sent and is tried again')
    } finally {
      clearInterval(renewal)
    }
  }

  look()
  return {
    wake: look,
    async stop() {
      stopping = true
      clearTimeout(timer)
      await looking
      const patience = setTimeout(() => giveUp.abort(), stopWithinMs)
      await Promise.all([...underWay.values()].map(({ sending }) => sending))
      clearTimeout(patience)
    },
  }
}

interface UnderWay {
  claim: ClaimedLetter
  sending: Promise<void>
}

const localeOf = (claim: ClaimedLetter): Locale => locales.find((locale) => locale === claim.locale) ?? 'nl'
