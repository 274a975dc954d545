import { type RawBuilder, sql } from 'kysely'
import type { SectionContent } from '../../blocks/define-block.ts'
import type { Locale } from '../../contract/locales.ts'
import type { SectionUsages } from '../../contract/sections.ts'
import type { StoredBlock } from '../../contract/site-config.ts'
import type { Db, Transaction } from '../../platform/db/database.ts'
import { countResults, hasResults } from '../../platform/db/query-results.ts'
import type { PageSectionUsageTable } from '../../platform/db/tables/pages.ts'
import type { Author } from '../audit/record.ts'
import { findOpenGroup, newGroup } from '../revisions/revision.queries.ts'

export interface SectionRow {
  id: string
  name: string
  version: number
  createdAt: string
  updatedAt: string
  updatedBy: Author
  /** The types of the blocks, in their order, by language. */
  types: Partial<Record<Locale, string[]>>
}
/** The blocks of a section, by language. */
export type SectionBodies = Partial<Record<Locale, StoredBlock[]>>

/** All sections, or those with these ids, ordered by name. */
export async function listSectionRows(db: Db, ids?: readonly string[]): Promise<SectionRow[]> {
  const rows = await db
    .selectFrom('section')
    .select(['id', 'name', 'version', 'created_at as createdAt', 'updated_at as updatedAt'])
    .select(['updated_by_id', 'updated_by_name'])
    .$if(ids !== undefined, (query) => query.where('id', 'in', ids as string[]))
    .orderBy('name')
    .orderBy('id')
    .execute()
  const texts = await db
    .selectFrom('section_text')
    .select(['section_id', 'locale', 'types'])
    .$if(ids !== undefined, (query) => query.where('section_id', 'in', ids as string[]))
    .execute()
  const typesOf = Map.groupBy(texts, ({ section_id }) => section_id)
  return rows.map(({ updated_by_id, updated_by_name, ...row }) => ({
    ...row,
    updatedBy: { id: updated_by_id, name: updated_by_name },
    types: Object.fromEntries((typesOf.get(row.id) ?? []).map(({ locale, types }) => [locale, types.split(' ')])),
  }))
}

export async function findSectionBodies(db: Db, id: string): Promise<SectionBodies> {
  const rows = await db.selectFrom('section_text').select(['locale', 'body']).where('section_id', '=', id).execute()
  return Object.fromEntries(rows.map(({ locale, body }) => [locale, JSON.parse(body)]))
}

/** The content of sections and of nested ones: in `locale`, or else in `main`, or else in the first language by tag. */
export async function findSectionContents(
  db: Db,
  ids: readonly string[],
  locale: Locale,
  main: Locale,
): Promise<Map<string, SectionContent>> {
  if (ids.length === 0) return new Map()
  // In the map below the last row of a section wins, so the preferred language is sorted last.
  const rank = (row: { locale: Locale }) => Number(row.locale === locale) * 2 + Number(row.locale === main)
  const { rows } = await sql<{ section_id: string; locale: Locale; body: string }>`
    ${withNested(ids)}
    select section_id, locale, body from section_text where section_id in (select id from reached)
    order by locale desc`.execute(db)
  const sorted = rows.toSorted((a, b) => rank(a) - rank(b))
  return new Map(sorted.map((row) => [row.section_id, { locale: row.locale, body: JSON.parse(row.body) }]))
}

/** The ids of these sections, if they exist, and of all sections nested in them. */
export async function listNestedSections(db: Db, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`${withNested(ids)} select id from reached`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** The ids of the sections in texts that are live, scheduled or waiting for review, directly or nested. */
export async function listLiveSectionIds(db: Db): Promise<Set<string>> {
  const rows = await db
    .selectFrom('page_section_usage')
    .select('section_id as id')
    .distinct()
    .where('source', 'in', ['live', 'scheduled', 'offered'])
    .execute()
  return listNestedSections(
    db,
    rows.map(({ id }) => id),
  )
}

/** The ids of a section and of all sections that contain it, directly or indirectly. */
export async function listContainingSections(db: Db, id: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive reached(id) as (
      select id from section where id = ${id}
      union select section_part.section_id from section_part inner join reached on reached.id = section_part.part_id
    ) select id from reached`.execute(db)
  return rows.map((row) => row.id)
}

/**
 * The texts of locked pages that refer to any of these sections: saved, live, scheduled, waiting for review, and those
 * that restoring from the trash brings back.
 */
export async function listLockedTexts(
  db: Db,
  sectionIds: readonly string[],
): Promise<{ pageId: number; body: StoredBlock[] }[]> {
  if (sectionIds.length === 0) return []
  const rows = await db
    .selectFrom('page_revision')
    .innerJoin('page_text', (join) =>
      join
        .onRef('page_text.page_id', '=', 'page_revision.page_id')
        .onRef('page_text.locale', '=', 'page_revision.locale'),
    )
    .leftJoin('page_review', (join) =>
      join.onRef('page_review.revision_id', '=', 'page_revision.id').on('page_review.state', '=', 'waiting'),
    )
    .select(['page_revision.page_id', 'page_revision.text'])
    .where('page_revision.page_id', 'in', (eb) =>
      eb
        .selectFrom('page_section_usage')
        .innerJoin('page_lock', 'page_lock.page_id', 'page_section_usage.page_id')
        .select('page_section_usage.page_id')
        .where('page_section_usage.section_id', 'in', sectionIds)
        .where('page_section_usage.source', '!=', 'draft'),
    )
    .where((eb) =>
      eb.or([
        eb('page_review.revision_id', 'is not', null),
        ...(['saved_id', 'live_id', 'publish_id', 'trashed_live_id', 'trashed_publish_id'] as const).map((column) =>
          eb(`page_text.${column}`, '=', eb.ref('page_revision.id')),
        ),
      ]),
    )
    .execute()
  return rows.map(({ page_id, text }) => ({ pageId: page_id, body: JSON.parse(text).body }))
}

/** Begins a query with `reached`: the ids of sections and nested ones. `union` drops duplicates, so that cycles end. */
const withNested = (ids: readonly string[]): RawBuilder<unknown> => sql`
  with recursive reached(id) as (
    select id from section where id in (${sql.join([...new Set(ids)])})
    union select section_part.part_id from section_part inner join reached on reached.id = section_part.section_id
  )`

/** How many pages and sections refer to each section. */
export async function countSectionUsages(db: Db): Promise<Map<string, number>> {
  const pages = await db
    .selectFrom('page_section_usage')
    .select(['section_id as id', (eb) => eb.fn.count<number | string>('page_id').distinct().as('count')])
    .groupBy('section_id')
    .execute()
  const parts = await db
    .selectFrom('section_part')
    .select(['part_id as id', (eb) => eb.fn.countAll<number | string>().as('count')])
    .groupBy('part_id')
    .execute()
  const counts = new Map<string, number>()
  for (const { id, count } of [...pages, ...parts]) counts.set(id, (counts.get(id) ?? 0) + Number(count))
  return counts
}

const maxListedPages = 100

/** Where a section is used directly: the first pages by title, and all sections. */
export async function findSectionUsages(db: Db, id: string): Promise<SectionUsages> {
  const pages = await db
    .selectFrom('page')
    .select(['id', 'title'])
    .where('id', 'in', (eb) => eb.selectFrom('page_section_usage').select('page_id').where('section_id', '=', id))
    .orderBy('title')
    .orderBy('id')
    .limit(maxListedPages)
    .execute()
  const sections = await db
    .selectFrom('section')
    .innerJoin('section_part', 'section_part.section_id', 'section.id')
    .select(['section.id', 'section.name'])
    .where('section_part.part_id', '=', id)
    .orderBy('section.name')
    .execute()
  return { pages, sections }
}

export const countSections = (db: Db): Promise<number> => countResults(db.selectFrom('section'))

/** Whether a section other than `id` has the name. */
export const isSectionNameTaken = (db: Db, name: string, id: string): Promise<boolean> =>
  hasResults(db.selectFrom('section').where('name', '=', name).where('id', '!=', id))

/** The sections that use any of these files. */
export async function listSectionsWithFiles(
  db: Db,
  publicIds: readonly string[],
): Promise<{ id: string; name: string }[]> {
  if (publicIds.length === 0) return []
  return db
    .selectFrom('section')
    .select(['id', 'name'])
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('section_text')
        .select('section_id')
        .where((text) => text.or(publicIds.map((publicId) => text('body', 'like', `%/files/${publicId}/%`)))),
    )
    .orderBy('name')
    .execute()
}

/** Adds a section, or replaces its name, blocks and references. `parts`: the ids of the sections that it contains. */
export async function writeSection(
  tx: Transaction,
  section: { id: string; name: string; version: number; bodies: SectionBodies; parts: readonly string[] },
  change: { at: Date; by: Author },
): Promise<void> {
  const { id, name, version, bodies, parts } = section
  const at = change.at.toISOString()
  const values = { name, version, updated_at: at, updated_by_id: change.by.id, updated_by_name: change.by.name }
  await tx
    .insertInto('section')
    .values({ id, created_at: at, ...values })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
    .execute()
  await tx.deleteFrom('section_text').where('section_id', '=', id).execute()
  await tx.deleteFrom('section_part').where('section_id', '=', id).execute()
  const texts = Object.entries(bodies).flatMap(([locale, body]) => {
    const types = body?.map(({ type }) => type).join(' ') ?? ''
    return body ? [{ section_id: id, locale, types, body: JSON.stringify(body) }] : []
  })
  await tx.insertInto('section_text').values(texts).execute()
  await markTextsForReindexing(tx, id)
  if (parts.length === 0) return
  await tx
    .insertInto('section_part')
    .values(parts.map((part_id) => ({ section_id: id, part_id })))
    .execute()
}

/** Marks the published texts that show a section for reindexing. */
async function markTextsForReindexing(tx: Transaction, id: string): Promise<void> {
  const containingIds = await listContainingSections(tx, id)
  await tx
    .insertInto('page_search_mark')
    .columns(['page_id', 'locale'])
    .expression(
      tx
        .selectFrom('page_section_usage')
        .select(['page_id', 'locale'])
        .distinct()
        .where('source', '=', 'live')
        .where('section_id', 'in', containingIds),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function deleteSectionRow(tx: Transaction, id: string): Promise<void> {
  await tx.deleteFrom('section').where('id', '=', id).execute()
}

/** Replaces the records of which sections a text uses; ids that do not exist are skipped. */
export async function writeSectionUsages(
  tx: Transaction,
  key: {
    pageId: number
    locale: Locale
    source: PageSectionUsageTable['source']
    userId: number | null
  },
  ids: readonly string[],
): Promise<void> {
  const { pageId, locale, source, userId } = key
  await tx
    .deleteFrom('page_section_usage')
    .where('page_id', '=', pageId)
    .where('locale', '=', locale)
    .where('source', '=', source)
    .$if(userId !== null, (query) => query.where('user_id', '=', userId as number))
    .execute()
  if (ids.length === 0) return
  const existing = await tx
    .selectFrom('section')
    .select('id')
    .where('id', 'in', [...new Set(ids)])
    .execute()
  if (existing.length === 0) return
  await tx
    .insertInto('page_section_usage')
    .values(existing.map(({ id }) => ({ page_id: pageId, locale, source, user_id: userId, section_id: id })))
    .execute()
}

/** Adds the blocks of a language to the history; an empty list means that they were removed. */
export async function insertSectionRevision(
  tx: Transaction,
  key: { id: string; locale: Locale },
  revision: { version: number; body: readonly StoredBlock[]; restoredFrom: number | null; at: Date; by: Author },
): Promise<void> {
  const { by } = revision
  const group = await findOpenGroup(tx, { of: 'section', ...key }, revision)
  const { id } = await tx
    .insertInto('section_revision')
    .values({
      section_id: key.id,
      locale: key.locale,
      version: revision.version,
      group_id: group,
      text: JSON.stringify(revision.body),
      restored_from: revision.restoredFrom,
      at: revision.at.toISOString(),
      by_id: by.id,
      by_name: by.name,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (group === newGroup) await tx.updateTable('section_revision').set({ group_id: id }).where('id', '=', id).execute()
}

/** The blocks of a revision of this section in this language. */
export async function findSectionRevision(
  db: Db,
  key: { id: string; locale: Locale },
  revisionId: number,
): Promise<{ at: string; body: StoredBlock[] } | undefined> {
  const row = await db
    .selectFrom('section_revision')
    .select(['at', 'text'])
    .where('id', '=', revisionId)
    .where('section_id', '=', key.id)
    .where('locale', '=', key.locale)
    .executeTakeFirst()
  return row && { at: row.at, body: JSON.parse(row.text) }
}

/** Replaces the names of anonymised authors by `#` and the user id. */
export async function anonymizeSectionAuthors(tx: Transaction, userIds: readonly number[]): Promise<void> {
  for (const id of userIds) {
    await tx
      .updateTable('section')
      .set({ updated_by_name: `#${id}` })
      .where('updated_by_id', '=', id)
      .execute()
    await tx
      .updateTable('section_revision')
      .set({ by_name: `#${id}` })
      .where('by_id', '=', id)
      .execute()
  }
}
