import { sectionIdsIn } from '../../blocks/section.tsx'
import { publicFileIdsIn } from '../../contract/file-urls.ts'
import type { StoredBlock } from '../../contract/site-config.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { PageFileUsageTable } from '../../platform/db/tables/pages.ts'
import type { Author } from '../audit/record.ts'
import { writeSectionUsages } from '../sections/section.queries.ts'
import {
  type PageLocaleKey,
  type PageRow,
  scheduledFlags,
  stateCodes,
  stateOf,
  type TextRow,
  textsOf,
} from './page.queries.ts'

/** @returns the id of the page */
export async function insertPage(
  tx: Transaction,
  page: { fixed: boolean; collection: string | null; at: Date; by: Author },
): Promise<number> {
  const createdAt = page.at.toISOString()
  const { id } = await tx
    .insertInto('page')
    .values({
      fixed: page.fixed ? 1 : 0,
      collection: page.collection,
      created_at: createdAt,
      updated_at: createdAt,
      updated_by_id: page.by.id,
      updated_by_name: page.by.name,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Writes a page, and the columns for filters, search and sorting that derive from its texts. */
export async function updatePage(tx: Transaction, page: PageRow): Promise<void> {
  const { nl, fa } = page.texts
  const texts = textsOf(page)
  const codeOf = (text: TextRow | undefined) => (text ? stateCodes[stateOf(text)] : 0)
  const isScheduled = (text: TextRow | undefined) => text?.publishAt != null || text?.unpublishAt != null
  await tx
    .updateTable('page')
    .set({
      seeded: page.seeded ? 1 : 0,
      trashed: page.deletedAt === null ? 0 : 1,
      deleted_at: page.deletedAt,
      state_nl: codeOf(nl),
      state_fa: codeOf(fa),
      scheduled: (isScheduled(nl) ? scheduledFlags.nl : 0) + (isScheduled(fa) ? scheduledFlags.fa : 0),
      title: texts[0]?.title ?? '',
      other_title: texts
        .slice(1)
        .map(({ title }) => title)
        .join(' '),
      slugs: texts.map(({ slug }) => slug).join(' '),
      updated_at: page.updatedAt,
      updated_by_id: page.updatedBy.id,
      updated_by_name: page.updatedBy.name,
    })
    .where('id', '=', page.id)
    .execute()
}

export async function upsertText(tx: Transaction, pageId: number, text: TextRow): Promise<void> {
  const values = {
    title: text.title,
    slug: text.slug,
    version: text.version,
    saved_id: text.savedRevisionId,
    saved_at: text.savedAt,
    saved_by_id: text.savedBy.id,
    saved_by_name: text.savedBy.name,
    live_id: text.liveRevisionId,
    live_slug: text.liveSlug,
    live_noindex: text.liveNoindex ? 1 : 0,
    live_date: text.liveDate,
    published_at: text.publishedAt,
    publish_at: text.publishAt,
    publish_id: text.publishRevisionId,
    publish_slug: text.publishSlug,
    unpublish_at: text.unpublishAt,
    trashed_live_id: text.trashedLiveRevisionId,
    trashed_live_date: text.trashedLiveDate,
    trashed_publish_at: text.trashedPublishAt,
    trashed_publish_id: text.trashedPublishRevisionId,
    trashed_unpublish_at: text.trashedUnpublishAt,
  }
  await tx
    .insertInto('page_text')
    .values({ page_id: pageId, locale: text.locale, ...values })
    .onConflict((conflict) => conflict.columns(['page_id', 'locale']).doUpdateSet(values))
    .execute()
}

export async function deletePageRow(tx: Transaction, pageId: number): Promise<void> {
  await tx.deleteFrom('page').where('id', '=', pageId).execute()
}

/** Replaces the records of which files and sections a text uses; undefined: none. `userId` is only that of a draft. */
export async function writeUsages(
  tx: Transaction,
  key: PageLocaleKey & { source: PageFileUsageTable['source']; userId: number | null },
  text: { body: readonly StoredBlock[] } | undefined,
): Promise<void> {
  const { pageId, locale, source, userId } = key
  await writeSectionUsages(
    tx,
    key,
    sectionIdsIn(text?.body ?? []).map(([, id]) => id),
  )
  await tx
    .deleteFrom('page_file_usage')
    .where('page_id', '=', pageId)
    .where('locale', '=', locale)
    .where('source', '=', source)
    .$if(userId !== null, (query) => query.where('user_id', '=', userId as number))
    .execute()
  const publicIds = text === undefined ? [] : publicFileIdsIn(JSON.stringify(text))
  if (publicIds.length === 0) return
  await tx
    .insertInto('page_file_usage')
    .values(publicIds.map((address) => ({ page_id: pageId, locale, source, user_id: userId, address })))
    .execute()
}

/** Replaces the names of anonymised authors by `#` and the user id; the ids stay, as in the audit log. */
export async function anonymizeAuthors(tx: Transaction, userIds: readonly number[]): Promise<void> {
  for (const id of userIds) {
    const name = `#${id}`
    await tx.updateTable('page_revision').set({ by_name: name }).where('by_id', '=', id).execute()
    await tx.updateTable('page_text').set({ saved_by_name: name }).where('saved_by_id', '=', id).execute()
    await tx.updateTable('page').set({ updated_by_name: name }).where('updated_by_id', '=', id).execute()
    await tx.updateTable('page_review').set({ offered_by_name: name }).where('offered_by_id', '=', id).execute()
    await tx.updateTable('page_review').set({ ended_by_name: name }).where('ended_by_id', '=', id).execute()
    await tx.updateTable('page_review_earlier').set({ offered_by_name: name }).where('offered_by_id', '=', id).execute()
    await tx.updateTable('redirect').set({ by_name: name }).where('by_id', '=', id).execute()
  }
}
