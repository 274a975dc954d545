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
import { getSave, listHistory, readEarlierBlocks } from '../revisions/revisions.ts'
import { isSectionLocked, pathOf, refuseLockedBodies } from './locked-section.ts'
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
  listHolders,
  listLiveSections,
  listParts,
  listSectionRows,
  type SectionBodies,
  type SectionRow,
  writeSection,
} from './section.queries.ts'
import { findSizeProblem, refuseWrongSections } from './shown-sections.ts'

/** All sections, by name. */
export async function listSections(ctx: Context): Promise<ListedSection[]> {
  const actor = allow(ctx, canSeeSections)
  return shownRows(ctx.db, await listSectionRows(ctx.db), actor)
}

/** A section with its blocks, and where it is used. @throws {Refusal} `not_found` */
export async function getSection(ctx: Context, id: string): Promise<Section> {
  const actor = allow(ctx, canSeeSections)
  return shown(ctx.db, await getRow(ctx.db, id), actor)
}

/** @throws {Refusal} `invalid` at `name`, `nl.…`, `fa.…` or `texts.de.…` */
export async function createSection(ctx: Context, input: NewSection): Promise<Section> {
  const actor = allow(ctx, canWriteSections)
  return ctx.transaction(async (tx) => {
    await lockSections(tx, ctx)
    if ((await countSections(tx)) >= limits.sections) {
      throw new Refusal('invalid', { problems: [{ path: 'name', key: 'tooMany', limit: limits.sections }] })
    }
    const id = randomId()
    await save(tx, ctx, { id, version: 1, before: {} }, { name: input.name, bodies: withBlockIds(input) })
    await record(tx, ctx, {
      action: 'section.created',
      subject: subjectOf({ id, ...input }),
      after: { name: input.name },
    })
    return shown(tx, await getRow(tx, id), actor)
  })
}

/**
 * Replaces the name and the blocks of a section, which shows at once on each page with it.
 * @throws {Refusal} `not_found`, `stale`, `not_allowed`; `invalid` at `name`, `nl.…`, `fa.…` or `texts.de.…`,
 * also for what a lock keeps from the actor
 */
export async function updateSection(ctx: Context, id: string, input: ChangedSection): Promise<Section> {
  const actor = allow(ctx, canWriteSections)
  const section = await ctx.transaction(async (tx) => {
    await lockSections(tx, ctx)
    const row = await getRow(tx, id)
    if (isStale(input, row)) throw new Refusal('stale', { current: await shown(tx, row, actor) })
    return change(tx, ctx, { actor, row }, { name: input.name, bodies: withBlockIds(input) })
  })
  await ctx.wake.invalidation()
  return section
}

/**
 * The history of the blocks in a language, newest first, in groups as those of a page.
 * @throws {Refusal} `not_found`
 */
export async function listSectionRevisions(
  ctx: Context,
  at: SectionLocale,
  query: RevisionQuery,
): Promise<ListOf<RevisionGroup>> {
  const actor = allow(ctx, canSeeSections)
  await getRow(ctx.db, at.id)
  return listHistory(ctx.db, historyOf(at), query, { actor, saved: await findLastRevision(ctx.db, historyOf(at)) })
}

/** @throws {Refusal} `not_found` */
export async function getSectionRevision(
  ctx: Context,
  at: SectionLocale,
  revisionId: number,
): Promise<SectionRevision> {
  const actor = allow(ctx, canSeeSections)
  const found = await findSectionRevision(ctx.db, at, revisionId)
  if (!found) throw new Refusal('not_found')
  const saved = await findLastRevision(ctx.db, historyOf(at))
  return { ...(await getSave(ctx.db, historyOf(at), revisionId, { actor, saved })), ...found } as SectionRevision
}

/**
 * Saves the earlier blocks of a language as a new version, which shows at once.
 * @throws {Refusal} as `updateSection`; `invalid` also when one of the blocks is no longer valid
 */
export async function restoreSectionRevision(
  ctx: Context,
  { id, locale }: SectionLocale,
  { revisionId, version }: { revisionId: number; version: number },
): Promise<Section> {
  const actor = allow(ctx, canWriteSections)
  const section = await ctx.transaction(async (tx) => {
    await lockSections(tx, ctx)
    const row = await getRow(tx, id)
    if (isStale({ version }, row)) throw new Refusal('stale', { current: await shown(tx, row, actor) })
    const wanted = await findSectionRevision(tx, { id, locale }, revisionId)
    if (!wanted) throw new Refusal('not_found')
    const { [locale]: _, ...bodies } = await findSectionBodies(tx, id)
    const body = readEarlierBlocks(wanted.body, ['body'])
    if (body.length > 0) bodies[locale] = body
    if (Object.keys(bodies).length === 0)
      throw new Refusal('invalid', { problems: [{ path: 'body', key: 'required' }] })
    return change(tx, ctx, { actor, row }, { name: row.name, bodies, restoredFrom: revisionId })
  })
  await ctx.wake.invalidation()
  return section
}

interface SectionLocale {
  id: string
  locale: Locale
}
const historyOf = (at: SectionLocale): HistoryKey => ({ of: 'section', ...at })

/** Needs `lockSections`. @throws {Refusal} `not_allowed`, `invalid` */
async function change(
  tx: Transaction,
  ctx: Context,
  { actor, row }: { actor: Actor; row: SectionRow },
  { name, bodies, restoredFrom }: { name: string; bodies: SectionBodies; restoredFrom?: number },
): Promise<Section> {
  const { id } = row
  if (!canChangeSection(actor, { live: (await listLiveSections(tx)).has(id) })) throw new Refusal('not_allowed')
  const before = await findSectionBodies(tx, id)
  const bodyChanged = !deepEqual(before, bodies)
  if (bodyChanged && (await isSectionLocked(tx, id, actor))) refuseLockedBodies(before, bodies, mainLocaleOf(ctx.site))
  if (bodyChanged || name !== row.name) {
    await save(tx, ctx, { id, version: row.version + 1, before }, { name, bodies, restoredFrom })
    await invalidate(tx, [`section#${id}`])
    await record(tx, ctx, {
      action: restoredFrom === undefined ? 'section.updated' : 'section.restored',
      subject: subjectOf({ id, name }),
      before: { name: row.name },
      after: { name, ...(bodyChanged && { body: 'changed' }) },
    })
  }
  return shown(tx, await getRow(tx, id), actor)
}

/** @throws {Refusal} `not_found`; `section_in_use`, with the usages */
export async function deleteSection(ctx: Context, id: string): Promise<void> {
  allow(ctx, canWriteSections)
  await ctx.transaction(async (tx) => {
    await lockSections(tx, ctx)
    const row = await getRow(tx, id)
    const usages = await findSectionUsages(tx, id)
    if (usages.pages.length + usages.sections.length > 0) {
      throw new Refusal('section_in_use', { current: { usages } })
    }
    await deleteSectionRow(tx, id)
    await record(tx, ctx, { action: 'section.deleted', subject: subjectOf(row), before: { name: row.name } })
  })
}

/** Locks pages and files: no page starts to use a section, and no file is deleted, while a section is changed. */
async function lockSections(tx: Transaction, ctx: Pick<Context, 'dialect'>): Promise<void> {
  await lockPaths(tx, ctx)
  await lockFiles(tx, ctx)
}

/** Needs `lockSections`. @throws {Refusal} `invalid` */
async function save(
  tx: Transaction,
  ctx: Context,
  { id, version, before }: { id: string; version: number; before: SectionBodies },
  { name, bodies, restoredFrom }: { name: string; bodies: SectionBodies; restoredFrom?: number | undefined },
): Promise<void> {
  if (await isSectionNameTaken(tx, name, id)) {
    throw new Refusal('invalid', { problems: [{ path: 'name', key: 'taken' }] })
  }
  await refuseCircle(tx, id, bodies)
  for (const [locale, now] of Object.entries(bodies)) {
    if (!now) continue
    const at = pathOf(locale)
    await refuseWrongSections(tx, { before: before[locale] ?? [], now, at: at.join('.') })
    await refuseMissingFiles(tx, ctx, { before: before[locale], now, at })
  }
  const ids = Object.values(bodies).flatMap((body = []) => sectionIdsIn(body).map(([, part]) => part))
  // References to deleted sections may remain in the blocks, but are not stored as parts.
  const known = ids.length === 0 ? [] : (await listSectionRows(tx, ids)).map((row) => row.id)
  const made = { at: ctx.now(), by: authorOf(ctx) }
  await writeSection(tx, { id, name, version, bodies, parts: known }, made)
  for (const locale of new Set([...Object.keys(before), ...Object.keys(bodies)])) {
    if (deepEqual(before[locale], bodies[locale])) continue
    const revision = { ...made, version, body: bodies[locale] ?? [], restoredFrom: restoredFrom ?? null }
    await insertSectionRevision(tx, { id, locale }, revision)
  }
  const tooLarge = await findSizeProblem(tx, ctx.site, await listHolders(tx, id))
  if (tooLarge) {
    const limit = limits.sectionsInSection
    throw new Refusal('invalid', {
      problems: [{ path: pathOf(Object.keys(bodies)[0] ?? defaultLocale).join('.'), key: tooLarge, limit }],
    })
  }
}

/** A program may send back the `texts` that it read, which have Dutch and Persian too. */
const withBlockIds = ({ nl, fa, texts }: Pick<NewSection, 'nl' | 'fa' | 'texts'>): SectionBodies =>
  Object.fromEntries(
    Object.entries({ nl, fa, ...texts, ...(nl && { nl }), ...(fa && { fa }) }).flatMap(([locale, body]) =>
      body ? [[locale, withIds(body)]] : [],
    ),
  )

/** @throws {Refusal} `invalid` at each block through which the section would contain itself */
async function refuseCircle(tx: Transaction, id: string, bodies: SectionBodies): Promise<void> {
  const problems: FieldProblem[] = []
  for (const [locale, body] of Object.entries(bodies)) {
    for (const [index, part] of sectionIdsIn(body ?? [])) {
      const inside = await listParts(tx, [part])
      if (inside.has(id)) problems.push({ path: `${pathOf(locale).join('.')}.${index}.section`, key: 'sectionCircle' })
    }
  }
  if (problems.length > 0) throw new Refusal('invalid', { problems })
}

/** @throws {Refusal} `not_found` */
async function getRow(db: Db, id: string): Promise<SectionRow> {
  const [row] = await listSectionRows(db, [id])
  if (!row) throw new Refusal('not_found')
  return row
}

async function shown(db: Db, row: SectionRow, actor: Actor): Promise<Section> {
  const [listed] = await shownRows(db, [row], actor)
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

async function shownRows(db: Db, rows: readonly SectionRow[], actor: Actor): Promise<ListedSection[]> {
  const live = await listLiveSections(db)
  const counts = await countSectionUsages(db)
  return rows.map(({ types, updatedBy, ...row }) => {
    const usedBy = counts.get(row.id) ?? 0
    const inLocales = Object.keys(types).toSorted((one, other) => orderOf(one).localeCompare(orderOf(other)))
    const change = canChangeSection(actor, { live: live.has(row.id) })
    return {
      ...row,
      locales: inLocales,
      types: types[inLocales[0] ?? 'nl'] ?? [],
      usedBy,
      updatedBy: shownAuthor(updatedBy, actor.locale),
      can: { change, delete: change && usedBy === 0 },
    }
  })
}

const orderOf = (locale: Locale) => (locale === defaultLocale ? '' : locale)

const subjectOf = ({ id, name }: { id: string; name: string }) => ({ type: 'section', id, name })
