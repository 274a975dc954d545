import { Refusal } from '../../contract/errors.ts'
import type { ListOf } from '../../contract/list.ts'
import type { Locale } from '../../contract/locales.ts'
import type { Revision, RevisionGroup, RevisionQuery } from '../../contract/pages.ts'
import type { Actor, Context } from '../../platform/context.ts'
import { allow } from '../allow.ts'
import { getPageRow } from './find-pages.ts'
import { canSeePages } from './page.policy.ts'
import type { Db, TextRow } from './page.queries.ts'
import type { PageAt } from './page-write.queries.ts'
import { findBefore, findRevision, findSave, type GroupRow, listGroups, listSaves } from './revision.queries.ts'
import { asDraft, someone } from './show-page.ts'

interface At {
  id: number
  locale: Locale
}

/**
 * Who wrote what when, the newest first; the saves of one person with short pauses are one, and with `query.line` those of
 * one such line are told one by one.
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
  const row = await findRevision(ctx.db, at, revisionId)
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
  at: PageAt,
  { first, by, ...group }: GroupRow,
  now: { text: TextRow | undefined; actor: Actor },
): Promise<RevisionGroup> {
  const holds = (id: number | null | undefined) => id != null && id >= first && id <= group.id
  return {
    ...group,
    before: await findBefore(db, at, first),
    by: someone(by, now.actor.locale),
    current: holds(now.text?.savedId),
    live: holds(now.text?.liveId),
  }
}
