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
 * An end-to-end test of the contact form: the page on which it stands is requested, and nothing is posted to it and to each
 * other form, as a visitor's browser does. Then a test message is validated, checked for spam and stored, and its emails are
 * queued, in a transaction that is rolled back, so that it leaves no trace even if the program is killed. Then the emails
 * are rendered, and the program signs in to the mail server; no email is sent.
 */
export const canary: Check = {
  everyMs: hourMs,
  async run({ canary, smtpTest }) {
    if (!canary) return { outcome: 'unknown', text: 'programNeeded' }
    const ctx = canary()
    return (await findBrokenForm(ctx)) ?? judge(ctx, await tryToStore(ctx), smtpTest)
  },
}

/**
 * Whether the contact form works, without the mail server.
 * @returns what is wrong with it, undefined when it works, and whether it refused because the database is unavailable
 * @throws when the database is unavailable
 */
export async function findCanaryProblem(
  ctx: CanaryContext,
): Promise<{ problem: Reason | undefined; isUnavailable: boolean }> {
  const status = await postNothing(ctx, contactPath)
  const isUnavailable = status === 503
  if (!answersToNothing.includes(status)) {
    return { problem: { key: 'formStatus', status }, isUnavailable }
  }
  const stored = await tryToStore(ctx)
  if ('error' in stored && isDatabaseUnavailable(stored.error)) throw stored.error
  const { outcome, text, values } = await judge(ctx, stored, async () => undefined)
  // Strict rules against spam are settings of the site, and no fault of this version.
  const isBroken = outcome === 'failed' && text !== 'canarySpam'
  return { problem: isBroken ? { key: 'formBroken', detail: String(values?.reason) } : undefined, isUnavailable }
}

const contactPath = '/api/contact'
/**
 * A post without answers is refused at its fields; 429 and 503 tell only that there were many, or that the database is
 * away.
 */
const answersToNothing = [422, 429, 503]

/** Posts an empty message to a form, by an address that no visitor has. @returns the status of the response */
async function postNothing({ fetch, origin }: CanaryContext, path: string): Promise<number> {
  const headers = { 'Content-Type': 'application/json' }
  return (await fetch(new Request(new URL(path, origin), { method: 'POST', headers, body: '{}' }))).status
}

async function findBrokenForm(ctx: CanaryContext): Promise<Finding | undefined> {
  const { site, origin } = ctx
  const status = await postNothing(ctx, contactPath)
  if (!answersToNothing.includes(status)) {
    return { outcome: 'failed', text: 'canaryNotAnswered', values: { status: String(status) } }
  }
  for (const path of await listContactPaths(ctx)) {
    // The statistics do not count a prefetch.
    const page = await ctx.fetch(new Request(new URL(path, origin), { headers: { 'Sec-Purpose': 'prefetch' } }))
    const isShown = page.status === 200 && (await page.text()).includes(`action="${site.contact.action}"`)
    if (!isShown && page.status !== 503) return { outcome: 'failed', text: 'canaryNotShown', values: { path } }
  }
  for (const { id, name } of site.forms ?? []) {
    const status = await postNothing(ctx, `/api/forms/${id}`)
    if (answersToNothing.includes(status)) continue
    const form = (reader: Locale) => localized(name, reader).value
    return { outcome: 'failed', text: 'formNotAnswered', values: { form, status: String(status) } }
  }
  return undefined
}

/** A site may have the form in a section or on no page; then the oldest pages are enough to search each hour. */
const slicesSearched = 20

/** The paths, one for each language, of the first page that shows the contact form itself to visitors. */
async function listContactPaths({ db, site }: CanaryContext): Promise<string[]> {
  let next = await listNextTexts(db, undefined)
  for (let slice = 1; next && slice <= slicesSearched; slice++, next = await listNextTexts(db, next.last)) {
    const holders = next.texts.filter(
      ({ text, locale, collection, content }) =>
        text === 'live' &&
        collection === null &&
        site.locales.includes(locale) &&
        showsVisitorsContactForm(content.body),
    )
    const page = holders[0] && (await findPageRow(db, holders[0].pageId))
    if (!page) continue
    const isHolder = (locale: Locale) => holders.some((one) => one.pageId === page.id && one.locale === locale)
    return textsOf(page).flatMap((text) => (isHolder(text.locale) ? (livePath(text, site) ?? []) : []))
  }
  return []
}

const tryToStore = (ctx: CanaryContext) => storeAndRollBack(ctx).catch((error: unknown) => ({ error }))

async function judge(
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
  const tried = await smtpTest()
  if (!tried) return { outcome: 'good', text: 'canaryWithoutServer' }
  return tried.failed
    ? { outcome: 'failed', text: 'canaryNotHandedOver', values: { reason: shortMessage(tried.failed.answer) } }
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
      { ...ctx, actor: undefined, db: tx, transaction: (work) => work(tx), rateLimited: false, wake },
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

/** Without line breaks, and short enough for a line of the screen. */
const shortMessage = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ').slice(0, 200)
