import { randomUUID } from 'node:crypto'
import { contactMessage } from '../../contract/contact.ts'
import { Refusal } from '../../contract/errors.ts'
import type { Reason } from '../../i18n/reason.ts'
import { translator } from '../../i18n/translate.ts'
import { isDatabaseUnavailable, type Transaction } from '../../platform/db/database.ts'
import { findIdByReference } from '../messages/message.queries.ts'
import { aboutMessage } from '../messages/message-email.ts'
import { receiveMessage } from '../messages/receive-message.ts'
import { type CanaryContext, type Check, type CheckContext, type Finding, type FindingValue, hours } from './check.ts'
import { listEmailsAbout } from './health.queries.ts'

/** The language of the test message: the program has its texts on every site. */
const locale = 'nl'
/** An ordinary message: if the spam rules reject it, they are too strict. */
export const canaryMessage = {
  naam: 'Proefbericht van de website',
  email: 'proef@example.nl',
  tel: '020 123 45 67',
  bericht: 'Hiermee kijkt de website na of het contactformulier werkt.',
}

/**
 * An end-to-end test of the contact form: a test message is validated, checked for spam and stored, and its emails are
 * queued, in a transaction that is rolled back, so that it leaves no trace even if the program is killed. Then the emails
 * are rendered, and the program signs in to the mail server; no email is sent.
 */
export const canary: Check = {
  everyMs: hours,
  async run({ canary, mailTry }) {
    if (!canary) return { outcome: 'unknown', text: 'canaryNotRun' }
    const ctx = canary()
    return judge(ctx, await tryToStore(ctx), mailTry)
  },
}

/**
 * Without the mail server.
 * @returns what is wrong with the contact form; undefined when it works
 * @throws when the database is unavailable
 */
export async function findCanaryProblem(ctx: CanaryContext): Promise<Reason | undefined> {
  const stored = await tryToStore(ctx)
  if ('error' in stored && isDatabaseUnavailable(stored.error)) throw stored.error
  const { outcome, values } = await judge(ctx, stored, async () => undefined)
  const reason = values?.reason
  if (outcome !== 'failed') return undefined
  return { key: 'formBroken', detail: typeof reason === 'function' ? reason('en') : String(reason) }
}

const tryToStore = (ctx: CanaryContext) => storeAndRollBack(ctx).catch((error: unknown) => ({ error }))

async function judge(
  ctx: CanaryContext,
  stored: Awaited<ReturnType<typeof tryToStore>>,
  mailTry: CheckContext['mailTry'],
): Promise<Finding> {
  if ('error' in stored)
    return { outcome: 'failed', text: 'canaryNotStored', values: { reason: storeFailure(stored.error) } }
  if (stored.emails.length === 0) return { outcome: 'attention', text: 'canarySpam' }
  try {
    for (const { template, data } of stored.emails) await ctx.renderEmail(locale, template, JSON.parse(data))
  } catch (error) {
    return { outcome: 'failed', text: 'canaryNotRendered', values: { reason: reasonOf(error) } }
  }
  const tried = await mailTry()
  if (!tried) return { outcome: 'good', text: 'canaryWithoutServer' }
  return tried.failed
    ? { outcome: 'failed', text: 'canaryNotHandedOver', values: { reason: reasonOf(tried.failed.answer) } }
    : { outcome: 'good', text: 'canaryGood' }
}

class RollBack extends Error {}

/** @returns the emails that were queued */
async function storeAndRollBack(ctx: CanaryContext) {
  let emails: { template: string; data: string }[] = []
  const wake = { ...ctx.wake, email: () => {} }
  const within = async (tx: Transaction) => {
    const { reference } = await receiveMessage(
      // Everything uses the transaction: waiting for another connection inside it would deadlock on SQLite.
      { ...ctx, actor: undefined, db: tx, transaction: (work) => work(tx), contactLimited: false, wake },
      {
        message: contactMessage.parse({ ...canaryMessage, bericht: `${canaryMessage.bericht} (${randomUUID()})` }),
        honeypot: false,
        locale,
        address: '127.0.0.1',
      },
    )
    const id = await findIdByReference(tx, reference)
    emails = id === undefined ? [] : await listEmailsAbout(tx, aboutMessage(id))
    throw new RollBack()
  }
  await ctx.transaction(within).catch((error) => {
    if (!(error instanceof RollBack)) throw error
  })
  return { emails }
}

/** Of a refusal the sentence that visitors get. */
const storeFailure = (error: unknown): FindingValue =>
  error instanceof Refusal ? (locale) => translator(locale)(`errors.${error.code}.detail`) : reasonOf(error)

/** Without line breaks, and short enough for a line of the screen. */
const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ').slice(0, 200)
