import { z } from 'zod'
import { blockSchema } from '../../blocks/registry.ts'
import { deepEqual } from '../../contract/deep-equal.ts'
import { Refusal } from '../../contract/errors.ts'
import type { ListOf } from '../../contract/list.ts'
import type { Locale } from '../../contract/locales.ts'
import type { PageText, RestoredText, Revision, RevisionGroup, RevisionQuery } from '../../contract/pages.ts'
import type { Actor, Context } from '../../platform/context.ts'
import { allow } from '../allow.ts'
import { shownAuthor } from '../audit/record.ts'
import { auditedChange } from './audited-page.ts'
import { editPageInTransaction, type PageEdit } from './edit-page.ts'
import { entrySlugProblem } from './entries.ts'
import { getPageRow } from './list-pages.ts'
import { canSeePages, canWritePages } from './page.policy.ts'
import { type Db, isSlugTaken, type PageLocaleKey, type TextRow } from './page.queries.ts'
import { openText, stale } from './publish-page.ts'
import {
  findBefore,
  findPageRevision,
  findSave,
  type GroupRow,
  listGroups,
  listSaves,
  type RevisionRow,
} from './revision.queries.ts'
import { asDraft, shownInLocale } from './show-page.ts'

interface At {
  id: number
  locale: Locale
}

/**
 * The history of a page, newest first. Saves by one user at short intervals form a group; `query.line` lists the saves
 * of one group.
 * @throws {Refusal} `not_found`
 */
export async function listRevisions(
  ctx: Context,
  { id, locale }: At,
  query: RevisionQuery,
): Promise<ListOf<RevisionGroup>> {
  const actor = allow(ctx, canSeePages)
  const { page, pageSize, line } = query
  const { texts } = await getPageRow(ctx.db, id)
  const at = { pageId: id, locale }
  const part = { offset: (page - 1) * pageSize, limit: pageSize }
  const { groups, total } =
    line === undefined ? await listGroups(ctx.db, at, part) : await listSaves(ctx.db, at, line, part)
  const data: RevisionGroup[] = []
  for (const group of groups) data.push(await shownGroup(ctx.db, at, group, { text: texts[locale], actor }))
  return { data, meta: { page, pageSize, total } }
}

/** @throws {Refusal} `not_found` */
export async function getRevision(ctx: Context, { id, locale }: At, revisionId: number): Promise<Revision> {
  const actor = allow(ctx, canSeePages)
  const { texts } = await getPageRow(ctx.db, id)
  const at = { pageId: id, locale }
  const row = await findPageRevision(ctx.db, at, revisionId)
  const save = row && (await findSave(ctx.db, at, revisionId))
  if (!save) throw new Refusal('not_found')
  return {
    ...(await shownGroup(ctx.db, at, save, { text: texts[locale], actor })),
    at: row.at,
    text: asDraft(row.text),
  }
}

async function shownGroup(
  db: Db,
  at: PageLocaleKey,
  { first, by, ...group }: GroupRow,
  now: { text: TextRow | undefined; actor: Actor },
): Promise<RevisionGroup> {
  const holds = (id: number | null | undefined) => id != null && id >= first && id <= group.id
  return {
    ...group,
    before: await findBefore(db, at, first),
    by: shownAuthor(by, now.actor.locale),
    current: holds(now.text?.savedRevisionId),
    live: holds(now.text?.liveRevisionId),
  }
}

/**
 * Saves an earlier text as a new version; it is not published. If another page has its slug by now, the current slug
 * stays.
 * @throws {Refusal} `not_found`, `page_in_bin`, `stale`; `invalid` when one of its blocks is no longer valid
 */
export async function restorePageRevision(
  ctx: Context,
  { id, locale }: At,
  { revisionId, version }: { revisionId: number; version: number },
): Promise<RestoredText> {
  const actor = allow(ctx, canWritePages)
  return editPageInTransaction(ctx, id, async (edit) => {
    const { text, saved: before } = await openText(edit, locale)
    if (version !== text.version) throw await stale(edit, locale, actor)
    const saved = await restoreText(edit, locale, revisionId)
    const undo = saved.id === before.id ? null : { version: saved.version, revision: before.id }
    return { ...(await shownInLocale(edit, edit.page, locale, actor, saved)), undo }
  })
}

/**
 * Saves a revision as a new one, unless its text equals the saved one.
 * @returns the saved revision
 * @throws {Refusal} `not_found`, `invalid`
 */
export async function restoreText(edit: PageEdit, locale: Locale, revisionId: number): Promise<RevisionRow> {
  const { saved } = await openText(edit, locale)
  const wanted = await edit.revision(locale, revisionId)
  if (!wanted) throw new Refusal('not_found')
  const { tx, page } = edit
  const { slug } = wanted.text
  const keepsSlug =
    page.fixed ||
    entrySlugProblem(edit.site, page, slug, locale) !== undefined ||
    (await isSlugTaken(tx, { locale, slug, pageId: page.id }))
  const text = { ...readAgain(wanted), ...(keepsSlug && { slug: saved.text.slug }) }
  if (deepEqual(text, saved.text)) return saved
  const restored = await edit.save(locale, text, { restoredFrom: wanted.id })
  edit.record({ action: 'page.restored', ...auditedChange(locale, saved, restored) })
  return restored
}

const body = z.array(blockSchema)

/** Validates an earlier text against the current schema. @throws {Refusal} `invalid` */
function readAgain({ text }: RevisionRow): PageText {
  const read = body.safeParse(text.body)
  if (read.success) return { ...text, body: read.data }
  const paths = new Set(read.error.issues.map(({ path }) => ['text', 'body', ...path].join('.')))
  throw new Refusal('invalid', { problems: [...paths].slice(0, 20).map((path) => ({ path, key: 'value' })) })
}
