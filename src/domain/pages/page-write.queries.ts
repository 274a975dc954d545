import { type Locale, locales } from '../../contract/locales.ts'
import type { PageText } from '../../contract/pages.ts'
import { addressesIn } from '../../contract/pictures.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { PagePlaceTable } from '../../platform/db/tables/pages.ts'
import { type By, findPageRow, stateOf } from './page.queries.ts'

/** A page in one language. */
export interface PageAt {
  pageId: number
  locale: Locale
}

/** Of `page.state_nl` and `page.state_fa`; 0 is no text. */
export const stateNumbers = { unpublished: 1, published: 2, changed: 3 } as const
/** Of `page.planned`, where they are added. */
export const plannedNumbers = { nl: 1, fa: 2 } as const satisfies Record<Locale, number>

export async function insertPage(
  tx: Transaction,
  page: { fixed: boolean; seeded: boolean; at: Date; by: By },
): Promise<number> {
  const at = page.at.toISOString()
  const { id } = await tx
    .insertInto('page')
    .values({
      fixed: page.fixed ? 1 : 0,
      seeded: page.seeded ? 1 : 0,
      created_at: at,
      updated_at: at,
      updated_by_id: page.by.id,
      updated_by_name: page.by.name,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** What is saved now; the first save makes the text. */
export async function writeText(
  tx: Transaction,
  { pageId, locale }: PageAt,
  saved: { text: PageText; version: number; revisionId: number; at: Date; by: By },
): Promise<void> {
  const values = {
    title: saved.text.title,
    slug: saved.text.slug,
    version: saved.version,
    saved_id: saved.revisionId,
    saved_at: saved.at.toISOString(),
    saved_by_id: saved.by.id,
    saved_by_name: saved.by.name,
  }
  await tx
    .insertInto('page_text')
    .values({ page_id: pageId, locale, ...values })
    .onConflict((conflict) => conflict.columns(['page_id', 'locale']).doUpdateSet(values))
    .execute()
  await writePlaces(tx, { pageId, locale, source: 'saved', userId: null }, saved.text)
}

/** Shows a revision to visitors. What was planned to be published is no plan any more. */
export async function writeLive(
  tx: Transaction,
  { pageId, locale }: PageAt,
  live: { revisionId: number; text: PageText; date: string; at: Date },
): Promise<void> {
  await tx
    .updateTable('page_text')
    .set({
      live_id: live.revisionId,
      live_slug: live.text.slug,
      live_noindex: live.text.noindex ? 1 : 0,
      live_date: live.date,
      published_at: live.at.toISOString(),
      publish_at: null,
      publish_id: null,
      publish_slug: null,
      bin_live_id: null,
    })
    .where('page_id', '=', pageId)
    .where('locale', '=', locale)
    .execute()
  await tx.updateTable('page_revision').set({ published: 1 }).where('id', '=', live.revisionId).execute()
  await writePlaces(tx, { pageId, locale, source: 'live', userId: null }, live.text)
  await writePlaces(tx, { pageId, locale, source: 'planned', userId: null }, undefined)
}

/** What a page in the bin remembers of what visitors saw: at that moment, or else at an earlier time. */
export type Remembered = 'live' | 'liveOrEarlier'

/** @param binned remembers that, and what is planned */
export async function clearLive(
  tx: Transaction,
  { pageId, locale }: PageAt,
  binned: Remembered | undefined,
): Promise<void> {
  await tx
    .updateTable('page_text')
    .set((eb) => ({
      ...(binned && {
        bin_live_id: binned === 'live' ? eb.ref('live_id') : eb.fn.coalesce('live_id', 'bin_live_id'),
        bin_publish_at: eb.ref('publish_at'),
        bin_publish_id: eb.ref('publish_id'),
        bin_unpublish_at: eb.ref('unpublish_at'),
        publish_at: null,
        publish_id: null,
        publish_slug: null,
      }),
      live_id: null,
      live_slug: null,
      live_noindex: 0,
      live_date: null,
      published_at: null,
      unpublish_at: null,
    }))
    .where('page_id', '=', pageId)
    .where('locale', '=', locale)
    .execute()
  await writePlaces(tx, { pageId, locale, source: 'live', userId: null }, undefined)
  if (binned) await writePlaces(tx, { pageId, locale, source: 'planned', userId: null }, undefined)
}

export async function writePlan(
  tx: Transaction,
  { pageId, locale }: PageAt,
  plan: { publish: { at: Date; revisionId: number; text: PageText } | null; unpublishAt: Date | null },
): Promise<void> {
  const { publish, unpublishAt } = plan
  await tx
    .updateTable('page_text')
    .set({
      publish_at: publish?.at.toISOString() ?? null,
      publish_id: publish?.revisionId ?? null,
      publish_slug: publish?.text.slug ?? null,
      unpublish_at: unpublishAt?.toISOString() ?? null,
    })
    .where('page_id', '=', pageId)
    .where('locale', '=', locale)
    .execute()
  await writePlaces(tx, { pageId, locale, source: 'planned', userId: null }, publish?.text)
}

export async function writeBin(tx: Transaction, pageId: number, deletedAt: Date | null): Promise<void> {
  await tx
    .updateTable('page')
    .set({ bin: deletedAt ? 1 : 0, deleted_at: deletedAt?.toISOString() ?? null })
    .where('id', '=', pageId)
    .execute()
}

export async function deletePageRow(tx: Transaction, pageId: number): Promise<void> {
  await tx.deleteFrom('page').where('id', '=', pageId).execute()
}

/** Brings what lists look at in line with the texts. @param saved who saved; left out, nobody did */
export async function refreshPage(
  tx: Transaction,
  pageId: number,
  now: { saved?: { at: Date; by: By }; seeded: boolean },
): Promise<void> {
  const page = await findPageRow(tx, pageId)
  if (!page) return
  const { nl, fa } = page.texts
  const state = (text: typeof nl) => (text ? stateNumbers[stateOf(text)] : 0)
  const isPlanned = (text: typeof nl) => text?.publishAt != null || text?.unpublishAt != null
  await tx
    .updateTable('page')
    .set({
      seeded: now.seeded ? 1 : 0,
      state_nl: state(nl),
      state_fa: state(fa),
      planned: locales.reduce((sum, one) => sum + (isPlanned(page.texts[one]) ? plannedNumbers[one] : 0), 0),
      title: nl?.title ?? fa?.title ?? '',
      other_title: nl ? (fa?.title ?? '') : '',
      slugs: [nl?.slug, fa?.slug].filter((slug) => slug !== undefined).join(' '),
      ...(now.saved && {
        updated_at: now.saved.at.toISOString(),
        updated_by_id: now.saved.by.id,
        updated_by_name: now.saved.by.name,
      }),
    })
    .where('id', '=', pageId)
    .execute()
}

/** Which uploads stand in a text; without one, none. */
export async function writePlaces(
  tx: Transaction,
  at: PageAt & { source: PagePlaceTable['source']; userId: number | null },
  text: unknown,
): Promise<void> {
  const { pageId, locale, source, userId } = at
  await tx
    .deleteFrom('page_place')
    .where('page_id', '=', pageId)
    .where('locale', '=', locale)
    .where('source', '=', source)
    .$if(userId !== null, (query) => query.where('user_id', '=', userId as number))
    .execute()
  const addresses = text === undefined ? [] : addressesIn(JSON.stringify(text))
  if (addresses.length === 0) return
  await tx
    .insertInto('page_place')
    .values(addresses.map((address) => ({ page_id: pageId, locale, source, user_id: userId, address })))
    .execute()
}
