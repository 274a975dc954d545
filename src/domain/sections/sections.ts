import { withIds } from '../../blocks/block-ids.ts'
import { sectionIdsIn } from '../../blocks/section.tsx'
import { deepEqual } from '../../contract/deep-equal.ts'
import { type FieldProblem, Refusal } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { ListOf } from '../../contract/list.ts'
import { defaultLocale, type Locale, mainLocaleOf } from '../../contract/locales.ts'
import type { RevisionGroup, RevisionQuery } from '../../contract/pages.ts'
import { randomId } from '../../contract/random-id.ts'
import type { ChangedSection, ListedSection, NewSection, Section, SectionRevision } from '../../contract/sections.ts'
import { invalidate } from '../../platform/cache-invalidation.ts'
import type { Actor, Context } from '../../platform/context.ts'
import type { Db, Transaction } from '../../platform/db/database.ts'
import { allow, isStale } from '../allow.ts'
import { authorOf, record, shownAuthor } from '../audit/record.ts'
import { lockFiles, refuseMissingFiles } from '../files/lock-files.ts'
import { lockPaths } from '../redirects/redirects.ts'
import { findLastRevision, type HistoryKey } from '../revisions/revision.queries.ts'
import { getRevisionAsGroup, listHistory, parseStoredBlocks } from '../revisions/revisions.ts'
import { bodyPath, isSectionLocked, refuseLockedBodies } from './locked-section.ts'
import { canChangeSection, canSeeSections, canWriteSections } from './section.policy.ts'
import {
  countSections,
  countSectionUsages,
  deleteSectionRow,
  findSectionBodies,
  findSectionRevision,
  findSectionUsages,
  insertSectionRevision,
  isSectionNameTaken,
  listContainingSections,
  listLiveSectionIds,
  listNestedSections,
  listSectionRows,
  type SectionBodies,
  type SectionRow,
  writeSection,
} from './section.queries.ts'
import { findSizeProblem, refuseInvalidSections } from './shown-sections.ts'

/** All sections, ordered by name. */
export async function listSections(ctx: Context): Promise<ListedSection[]> {
  const actor = allow(ctx, canSeeSections)
  return toListedSections(ctx.db, await listSectionRows(ctx.db), actor)
}

/** A section with its blocks, and where it is used. @throws {Refusal} `not_found` */
export async function getSection(ctx: Context, id: string): Promise<Section> {
  const actor = allow(ctx, canSeeSections)
  return loadSection(ctx.db, await getSectionRow(ctx.db, id), actor)
}

/** Adds a section. @throws {Refusal} `invalid` at `name`, `nl.…`, `fa.…` or `texts.<locale>.…` */
export async function createSection(ctx: Context, input: NewSection): Promise<Section> {
  const actor = allow(ctx, canWriteSections)
  return ctx.transaction(async (tx) => {
    await lockSections(tx, ctx)
    if ((await countSections(tx)) >= limits.sections) {
      throw new Refusal('invalid', { problems: [{ path: 'name', key: 'tooMany', limit: limits.sections }] })
    }
    const id = randomId()
    await saveSection(tx, ctx, { id, version: 1, before: {} }, { name: input.name, bodies: toBodies(input) })
    await record(tx, ctx, {
      action: 'section.created',
      subject: subjectOf({ id, ...input }),
      after: { name: input.name },
    })
    return loadSection(tx, await getSectionRow(tx, id), actor)
  })
}

/**
 * Replaces the name and the blocks of a section. Visitors see the change at once on each page with the section.
 * @throws {Refusal} `not_found`, `stale`, `not_allowed`; `invalid` at `name`, `nl.…`, `fa.…` or `texts.<locale>.…`,
 * also for a change that a lock forbids to the actor
 */
export async function updateSection(ctx: Context, id: string, input: ChangedSection): Promise<Section> {
  const actor = allow(ctx, canWriteSections)
  const section = await ctx.transaction(async (tx) => {
    await lockSections(tx, ctx)
    const row = await getSectionRow(tx, id)
    if (isStale(input, row)) throw new Refusal('stale', { current: await loadSection(tx, row, actor) })
    return changeSection(tx, ctx, { actor, row }, { name: input.name, bodies: toBodies(input) })
  })
  await ctx.wake.invalidation()
  return section
}

/**
 * The history of the blocks of a section in a language, newest first, in groups like that of a page.
 * @throws {Refusal} `not_found`
 */
export async function listSectionRevisions(
  ctx: Context,
  key: SectionLocale,
  query: RevisionQuery,
): Promise<ListOf<RevisionGroup>> {
  const actor = allow(ctx, canSeeSections)
  await getSectionRow(ctx.db, key.id)
  const savedId = await findLastRevision(ctx.db, historyKey(key))
  return listHistory(ctx.db, historyKey(key), query, { actor, savedId })
}

/** A revision with its blocks. @throws {Refusal} `not_found` */
export async function getSectionRevision(
  ctx: Context,
  key: SectionLocale,
  revisionId: number,
): Promise<SectionRevision> {
  const actor = allow(ctx, canSeeSections)
  const revision = await findSectionRevision(ctx.db, key, revisionId)
  if (!revision) throw new Refusal('not_found')
  const savedId = await findLastRevision(ctx.db, historyKey(key))
  const group = await getRevisionAsGroup(ctx.db, historyKey(key), revisionId, { actor, savedId })
  return { ...group, ...revision } as SectionRevision
}

/**
 * Saves the blocks of an earlier revision of a language as a new version. Visitors see it at once.
 * @throws {Refusal} as `updateSection`; `invalid` also when a block is no longer valid, or no blocks would be left
 */
export async function restoreSectionRevision(
  ctx: Context,
  { id, locale }: SectionLocale,
  { revisionId, version }: { revisionId: number; version: number },
): Promise<Section> {
  const actor = allow(ctx, canWriteSections)
  const section = await ctx.transaction(async (tx) => {
    await lockSections(tx, ctx)
    const row = await getSectionRow(tx, id)
    if (isStale({ version }, row)) throw new Refusal('stale', { current: await loadSection(tx, row, actor) })
    const revision = await findSectionRevision(tx, { id, locale }, revisionId)
    if (!revision) throw new Refusal('not_found')
    const { [locale]: _, ...bodies } = await findSectionBodies(tx, id)
    const body = parseStoredBlocks(revision.body, ['body'])
    // An empty revision means that the language was removed.
    if (body.length > 0) bodies[locale] = body
    if (Object.keys(bodies).length === 0)
      throw new Refusal('invalid', { problems: [{ path: 'body', key: 'required' }] })
    return changeSection(tx, ctx, { actor, row }, { name: row.name, bodies, restoredFrom: revisionId })
  })
  await ctx.wake.invalidation()
  return section
}

interface SectionLocale {
  id: string
  locale: Locale
}
const historyKey = (key: SectionLocale): HistoryKey => ({ of: 'section', ...key })

/** Saves and records a section if anything changed. Needs `lockSections`. @throws {Refusal} `not_allowed`, `invalid` */
async function changeSection(
  tx: Transaction,
  ctx: Context,
  { actor, row }: { actor: Actor; row: SectionRow },
  { name, bodies, restoredFrom }: { name: string; bodies: SectionBodies; restoredFrom?: number },
): Promise<Section> {
  const { id } = row
  if (!canChangeSection(actor, { live: (await listLiveSectionIds(tx)).has(id) })) throw new Refusal('not_allowed')
  const before = await findSectionBodies(tx, id)
  const bodyChanged = !deepEqual(before, bodies)
  if (bodyChanged && (await isSectionLocked(tx, id, actor))) refuseLockedBodies(before, bodies, mainLocaleOf(ctx.site))
  if (bodyChanged || name !== row.name) {
    await saveSection(tx, ctx, { id, version: row.version + 1, before }, { name, bodies, restoredFrom })
    await invalidate(tx, [`section#${id}`])
    await record(tx, ctx, {
      action: restoredFrom === undefined ? 'section.updated' : 'section.restored',
      subject: subjectOf({ id, name }),
      before: { name: row.name },
      after: { name, ...(bodyChanged && { body: 'changed' }) },
    })
  }
  return loadSection(tx, await getSectionRow(tx, id), actor)
}

/** Deletes a section that nothing refers to. @throws {Refusal} `not_found`; `section_in_use`, with the usages */
export async function deleteSection(ctx: Context, id: string): Promise<void> {
  allow(ctx, canWriteSections)
  await ctx.transaction(async (tx) => {
    await lockSections(tx, ctx)
    const row = await getSectionRow(tx, id)
    const usages = await findSectionUsages(tx, id)
    if (usages.pages.length + usages.sections.length > 0) {
      throw new Refusal('section_in_use', { current: { usages } })
    }
    await deleteSectionRow(tx, id)
    await record(tx, ctx, { action: 'section.deleted', subject: subjectOf(row), before: { name: row.name } })
  })
}

/** Locks pages and files, so that no page starts to use a section, and no file is deleted, while a section changes. */
async function lockSections(tx: Transaction, ctx: Pick<Context, 'dialect'>): Promise<void> {
  await lockPaths(tx, ctx)
  await lockFiles(tx, ctx)
}

/** Validates and stores a section with its parts and revisions. Needs `lockSections`. @throws {Refusal} `invalid` */
async function saveSection(
  tx: Transaction,
  ctx: Context,
  { id, version, before }: { id: string; version: number; before: SectionBodies },
  { name, bodies, restoredFrom }: { name: string; bodies: SectionBodies; restoredFrom?: number | undefined },
): Promise<void> {
  if (await isSectionNameTaken(tx, name, id)) {
    throw new Refusal('invalid', { problems: [{ path: 'name', key: 'taken' }] })
  }
  await refuseCycle(tx, id, bodies)
  for (const [locale, body] of Object.entries(bodies)) {
    if (!body) continue
    const path = bodyPath(locale)
    await refuseInvalidSections(tx, { before: before[locale] ?? [], now: body, path: path.join('.') })
    await refuseMissingFiles(tx, ctx, { before: before[locale], after: body, path })
  }
  const ids = Object.values(bodies).flatMap((body = []) => sectionIdsIn(body).map(([, nestedId]) => nestedId))
  // References to deleted sections may remain in the blocks, but are not stored as parts.
  const parts = ids.length === 0 ? [] : (await listSectionRows(tx, ids)).map((row) => row.id)
  const change = { at: ctx.now(), by: authorOf(ctx) }
  await writeSection(tx, { id, name, version, bodies, parts }, change)
  for (const locale of new Set([...Object.keys(before), ...Object.keys(bodies)])) {
    if (deepEqual(before[locale], bodies[locale])) continue
    const revision = { ...change, version, body: bodies[locale] ?? [], restoredFrom: restoredFrom ?? null }
    await insertSectionRevision(tx, { id, locale }, revision)
  }
  const sizeProblem = await findSizeProblem(tx, ctx.site, await listContainingSections(tx, id))
  if (sizeProblem) {
    const path = bodyPath(Object.keys(bodies)[0] ?? defaultLocale).join('.')
    throw new Refusal('invalid', { problems: [{ path, key: sizeProblem, limit: limits.sectionsInSection }] })
  }
}

/** The submitted blocks by language, with ids. `nl` and `fa` win: clients may send back `texts` as they read it. */
const toBodies = ({ nl, fa, texts }: Pick<NewSection, 'nl' | 'fa' | 'texts'>): SectionBodies =>
  Object.fromEntries(
    Object.entries({ nl, fa, ...texts, ...(nl && { nl }), ...(fa && { fa }) }).flatMap(([locale, body]) =>
      body ? [[locale, withIds(body)]] : [],
    ),
  )

/** @throws {Refusal} `invalid` at each block through which the section would contain itself */
async function refuseCycle(tx: Transaction, id: string, bodies: SectionBodies): Promise<void> {
  const problems: FieldProblem[] = []
  for (const [locale, body] of Object.entries(bodies)) {
    for (const [index, nestedId] of sectionIdsIn(body ?? [])) {
      const parts = await listNestedSections(tx, [nestedId])
      if (parts.has(id)) problems.push({ path: `${bodyPath(locale).join('.')}.${index}.section`, key: 'sectionCircle' })
    }
  }
  if (problems.length > 0) throw new Refusal('invalid', { problems })
}

/** @throws {Refusal} `not_found` */
async function getSectionRow(db: Db, id: string): Promise<SectionRow> {
  const [row] = await listSectionRows(db, [id])
  if (!row) throw new Refusal('not_found')
  return row
}

async function loadSection(db: Db, row: SectionRow, actor: Actor): Promise<Section> {
  const [listed] = await toListedSections(db, [row], actor)
  const bodies = await findSectionBodies(db, row.id)
  const { nl = null, fa = null } = bodies
  return {
    ...(listed as ListedSection),
    nl: nl as Section['nl'],
    fa: fa as Section['fa'],
    texts: bodies as Section['texts'],
    usages: await findSectionUsages(db, row.id),
    locked: await isSectionLocked(db, row.id, actor),
  }
}

async function toListedSections(db: Db, rows: readonly SectionRow[], actor: Actor): Promise<ListedSection[]> {
  const liveIds = await listLiveSectionIds(db)
  const counts = await countSectionUsages(db)
  return rows.map(({ types, updatedBy, ...row }) => {
    const usedBy = counts.get(row.id) ?? 0
    const locales = Object.keys(types).toSorted((a, b) => sortKeyOf(a).localeCompare(sortKeyOf(b)))
    const change = canChangeSection(actor, { live: liveIds.has(row.id) })
    return {
      ...row,
      locales,
      types: types[locales[0] ?? 'nl'] ?? [],
      usedBy,
      updatedBy: shownAuthor(updatedBy, actor.locale),
      can: { change, delete: change && usedBy === 0 },
    }
  })
}

/** Empty, which sorts first, for Dutch. */
const sortKeyOf = (locale: Locale) => (locale === defaultLocale ? '' : locale)

const subjectOf = ({ id, name }: { id: string; name: string }) => ({ type: 'section', id, name })
