import { randomUUID } from 'node:crypto'
import { showsVisitorsContactForm } from '../../blocks/block-contents.ts'
import { contactMessage } from '../../contract/contact.ts'
import { type Locale, localized } from '../../contract/locales.ts'
import type { Reason } from '../../i18n/reason.ts'
import { isDatabaseUnavailable, type Transaction } from '../../platform/db/database.ts'
import { listNextTexts } from '../links/link.queries.ts'
import { findIdByReference } from '../messages/message.queries.ts'
import { aboutMessage } from '../messages/message-email.ts'
import { receiveMessage } from '../messages/receive-message.ts'
import { findPageRow, livePath, textsOf } from '../pages/page.queries.ts'
import { type CanaryContext, type Check, type CheckContext, type Finding, hourMs } from './check.ts'
import { listEmailContents } from './health.queries.ts'

/** The language of the test message: the program has its texts on every site. */
const locale = 'nl'
/** An ordinary message: if it counts as spam, the spam rules are too strict. */
export const canaryMessage = {
  naam: 'Proefbericht van de website',
  email: 'proef@example.nl',
  tel: '020 123 45 67',
  bericht: 'Hiermee kijkt de website na of het contactformulier werkt.',
}

/**
 * Tests the contact form end to end. An empty message is posted to it, the page with it is requested in each language, and an
 * empty one is posted to each other form. Then a test message is validated, checked for spam and stored, and its emails are queued, in a
 * transaction that is rolled back, so that it leaves no trace even if the program is killed. Last, the emails are rendered,
 * and the program signs in to the mail server; no email is sent.
 */
export const canary: Check = {
  everyMs: hourMs,
  async run({ canary, smtpTest }) {
    if (!canary) return { outcome: 'unknown', text: 'programNeeded' }
    const ctx = canary()
    return (await findBrokenForm(ctx)) ?? judgeTestMessage(ctx, await tryToStore(ctx), smtpTest)
  },
}

/**
 * Tests the contact form without its page and without the mail server, for the launcher, which watches a new version during
 * an update.
 * @returns `problem`: undefined when the form works; `isUnavailable`: it refused with 503, as without a database
 * @throws the error of the database, if that is unavailable when the test message is stored
 */
export async function findCanaryProblem(
  ctx: CanaryContext,
): Promise<{ problem: Reason | undefined; isUnavailable: boolean }> {
  const status = await postEmptyMessage(ctx, contactPath)
  const isUnavailable = status === 503
  if (!workingStatuses.includes(status)) {
    return { problem: { key: 'formStatus', status }, isUnavailable }
  }
  const stored = await tryToStore(ctx)
  if ('error' in stored && isDatabaseUnavailable(stored.error)) throw stored.error
  const { outcome, text, values } = await judgeTestMessage(ctx, stored, async () => undefined)
  // Too strict spam rules are settings of the site, and no fault of this version of the program.
  const isBroken = outcome === 'failed' && text !== 'canarySpam'
  return { problem: isBroken ? { key: 'formBroken', detail: String(values?.reason) } : undefined, isUnavailable }
}

const contactPath = '/api/contact'
/**
 * The statuses by which a form that works refuses an empty message: 422 for its missing fields, 429 after too many requests,
 * 503 while the database is unavailable.
 */
const workingStatuses = [422, 429, 503]

/**
 * Posts an empty message to a form. Its client address is 0.0.0.0, because it has no network connection; so it counts towards
 * no visitor's rate limit.
 * @returns the status of the response
 */
async function postEmptyMessage({ fetch, origin }: CanaryContext, path: string): Promise<number> {
  const headers = { 'Content-Type': 'application/json' }
  return (await fetch(new Request(new URL(path, origin), { method: 'POST', headers, body: '{}' }))).status
}

/** Posts to each form and requests the page with the contact form. @returns the first failure; undefined when all work */
async function findBrokenForm(ctx: CanaryContext): Promise<Finding | undefined> {
  const { site, origin } = ctx
  const status = await postEmptyMessage(ctx, contactPath)
  if (!workingStatuses.includes(status)) {
    return { outcome: 'failed', text: 'canaryNotAnswered', values: { status: String(status) } }
  }
  for (const path of await listContactPaths(ctx)) {
    // The statistics do not count a prefetch.
    const page = await ctx.fetch(new Request(new URL(path, origin), { headers: { 'Sec-Purpose': 'prefetch' } }))
    const isShown = page.status === 200 && (await page.text()).includes(`action="${site.contact.action}"`)
    if (!isShown && page.status !== 503) return { outcome: 'failed', text: 'canaryNotShown', values: { path } }
  }
  for (const { id, name } of site.forms ?? []) {
    const status = await postEmptyMessage(ctx, `/api/forms/${id}`)
    if (workingStatuses.includes(status)) continue
    const form = (readerLocale: Locale) => localized(name, readerLocale).value
    return { outcome: 'failed', text: 'formNotAnswered', values: { form, status: String(status) } }
  }
  return undefined
}

/** In batches of `listNextTexts`. Limits the hourly search to the oldest pages, for a site that has the form in a section or on no page. */
const maxBatches = 20

/**
 * The paths, one for each language, of the oldest page that shows the contact form to visitors in its own blocks, not in a
 * section.
 */
async function listContactPaths({ db, site }: CanaryContext): Promise<string[]> {
  let batch = await listNextTexts(db, undefined)
  for (let count = 1; batch && count <= maxBatches; count++, batch = await listNextTexts(db, batch.last)) {
    const textsWithForm = batch.texts.filter(
      ({ text, locale, collection, content }) =>
        text === 'live' &&
        collection === null &&
        site.locales.includes(locale) &&
        showsVisitorsContactForm(content.body),
    )
    const [firstText] = textsWithForm
    const page = firstText && (await findPageRow(db, firstText.pageId))
    if (!page) continue
    const hasFormIn = (locale: Locale) =>
      textsWithForm.some((text) => text.pageId === page.id && text.locale === locale)
    return textsOf(page).flatMap((text) => (hasFormIn(text.locale) ? (livePath(text, site) ?? []) : []))
  }
  return []
}

/** `storeAndRollBack`, with its error as a result. */
const tryToStore = (ctx: CanaryContext) => storeAndRollBack(ctx).catch((error: unknown) => ({ error }))

/** Returns the finding about the stored test message: renders its emails, and tests the mail server. */
async function judgeTestMessage(
  ctx: CanaryContext,
  stored: Awaited<ReturnType<typeof tryToStore>>,
  smtpTest: CheckContext['smtpTest'],
): Promise<Finding> {
  if ('error' in stored) {
    return { outcome: 'failed', text: 'canaryNotStored', values: { reason: shortMessage(stored.error) } }
  }
  if (stored.emails.length === 0) return { outcome: 'failed', text: 'canarySpam' }
  try {
    for (const { template, data } of stored.emails) await ctx.renderEmail(locale, template, JSON.parse(data))
  } catch (error) {
    return { outcome: 'failed', text: 'canaryNotRendered', values: { reason: shortMessage(error) } }
  }
  const tested = await smtpTest()
  if (!tested) return { outcome: 'good', text: 'canaryWithoutServer' }
  return tested.failed
    ? { outcome: 'failed', text: 'canaryNotHandedOver', values: { reason: shortMessage(tested.failed.answer) } }
    : { outcome: 'good', text: 'canaryGood' }
}

/** Is thrown to roll a transaction back. */
class RollBack extends Error {}

/** Stores the test message as a visitor's, and rolls that back. @returns the emails that were queued; none for spam */
async function storeAndRollBack(ctx: CanaryContext) {
  let emails: { template: string; data: string }[] = []
  const wake = { ...ctx.wake, email: () => {} }
  const storeAndThrow = async (tx: Transaction) => {
    const { reference } = await receiveMessage(
      // Everything uses the transaction: waiting for another connection inside it would deadlock on SQLite.
      { ...ctx, actor: undefined, db: tx, transaction: (work) => work(tx), rateLimited: false, wake },
      {
        message: contactMessage.parse({ ...canaryMessage, bericht: `${canaryMessage.bericht} (${randomUUID()})` }),
        honeypot: false,
        locale,
        address: '127.0.0.1',
      },
    )
    const id = await findIdByReference(tx, reference)
    emails = id === undefined ? [] : await listEmailContents(tx, aboutMessage(id))
    throw new RollBack()
  }
  await ctx.transaction(storeAndThrow).catch((error) => {
    if (!(error instanceof RollBack)) throw error
  })
  return { emails }
}

/** The message of an error without line breaks, and short enough for a line of the screen. */
const shortMessage = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ').slice(0, 200)
