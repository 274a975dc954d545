import { Refusal } from '../../contract/errors.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { type By, isSlugTaken, livePath, type PageRow } from './page.queries.ts'
import { clearLive, type PageAt, type Remembered, writeLive } from './page-write.queries.ts'
import { deleteRedirectFrom, foldRedirects, insertRedirect } from './redirect.queries.ts'
import type { RevisionRow } from './revision.queries.ts'
import { pathOf } from './show-page.ts'
import { tagsOf } from './store-text.ts'

/** Where the company is, whose calendar the date on a page is of. */
const calendar = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Amsterdam' })

/**
 * Shows a revision to visitors, under its own address; the old one leads to it from then on.
 * @returns what changes for the answers that are kept
 * @throws {Refusal} `invalid` at `text.slug` when another page has the address
 */
export async function publishText(
  tx: Transaction,
  { page, locale }: { page: PageRow; locale: PageAt['locale'] },
  { revision, now, by }: { revision: Pick<RevisionRow, 'id' | 'text' | 'date'>; now: Date; by: By },
): Promise<string[]> {
  const { slug } = revision.text
  if (await isSlugTaken(tx, { locale, slug, pageId: page.id })) {
    throw new Refusal('invalid', { problems: [{ path: 'text.slug', key: 'slugTaken' }] })
  }
  const before = page.texts[locale]
  const from = before ? livePath(before) : null
  const to = pathOf(slug, locale)
  // What a visitor finds at an address is its page, whatever led on from it before.
  await deleteRedirectFrom(tx, to)
  if (from !== null && from !== to) await leadOn(tx, { from, to, now, by })
  await writeLive(
    tx,
    { pageId: page.id, locale },
    { revisionId: revision.id, text: revision.text, date: revision.date ?? calendar.format(now), at: now },
  )
  return tagsOf(page.id, [slug, before?.liveSlug ?? null])
}

/** Takes a page off the site in one language. @returns what changes for the answers that are kept */
export async function unpublishText(
  tx: Transaction,
  { page, locale }: { page: PageRow; locale: PageAt['locale'] },
  { binned }: { binned?: Remembered } = {},
): Promise<string[]> {
  await clearLive(tx, { pageId: page.id, locale }, binned)
  return tagsOf(page.id, [page.texts[locale]?.liveSlug ?? null])
}

/** The old address leads to the new one, and so does all that led to the old. */
async function leadOn(
  tx: Transaction,
  { from, to, now, by }: { from: string; to: string; now: Date; by: By },
): Promise<void> {
  await foldRedirects(tx, { from, to })
  await deleteRedirectFrom(tx, from)
  await insertRedirect(tx, { from, to, automatic: true, at: now, by })
}
