import { z } from 'zod'
import { blockSchema } from '../../blocks/registry.ts'
import { Refusal } from '../../contract/errors.ts'
import type { ListOf } from '../../contract/list.ts'
import type { Locale } from '../../contract/locales.ts'
import { same } from '../../contract/merge-page.ts'
import type { PageInLocale, PageText, Revision, RevisionGroup, RevisionQuery } from '../../contract/pages.ts'
import type { Actor, Context } from '../../platform/context.ts'
import { allow } from '../allow.ts'
import { record } from '../audit/record.ts'
import { auditedChange } from './audited-page.ts'
import { getPageRow, openPageRow } from './find-pages.ts'
import { canSeePages, canWritePages } from './page.policy.ts'
import { type Db, isSlugTaken, type TextRow } from './page.queries.ts'
import { type PageAt, refreshPage } from './page-write.queries.ts'
import {
  findBefore,
  findRevision,
  findSave,
  type GroupRow,
  listGroups,
  listSaves,
  type RevisionRow,
} from './revision.queries.ts'
import { asDraft, shownInLocale, someone, subjectOf } from './show-page.ts'
import { byOf, lockPages, storeText } from './store-text.ts'

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

/**
 * Saves what stood once as what stands now; visitors see it when it is published. An address that another page has by
 * now stays with that page.
 * @throws {Refusal} `not_found`, `page_in_bin`, `stale`; `invalid` when a block of then is none any more
 */
export async function restoreRevision(
  ctx: Context,
  { id, locale }: At,
  { revisionId, version }: { revisionId: number; version: number },
): Promise<PageInLocale> {
  const actor = allow(ctx, canWritePages)
  const by = byOf(ctx)
  const now = ctx.now()

  return ctx.transaction(async (tx) => {
    await lockPages(tx, ctx)
    const page = await openPageRow(tx, id)
    const at = { pageId: id, locale }
    const before = page.texts[locale]
    const current = before && (await findRevision(tx, at, before.savedId))
    const wanted = await findRevision(tx, at, revisionId)
    if (!before || !current || !wanted) throw new Refusal('not_found')
    if (version !== before.version) {
      const shown = await shownInLocale(tx, page, locale, actor)
      throw new Refusal('stale', { current: { page: shown, conflicts: [], merged: shown.text } })
    }
    const { slug } = wanted.text
    const keepsSlug = page.fixed || (await isSlugTaken(tx, { locale, slug, pageId: id }))
    const text = { ...readAgain(wanted), ...(keepsSlug && { slug: before.slug }) }
    if (!same(text, current.text)) {
      const next = { text, version: before.version + 1, now, by, restoredFrom: wanted.id }
      const stored = await storeText(tx, at, next)
      await refreshPage(tx, id, { saved: { at: now, by }, seeded: false })
      await record(tx, ctx, {
        action: 'page.restored',
        subject: subjectOf(await getPageRow(tx, id)),
        ...auditedChange(locale, current, stored),
      })
    }
    return shownInLocale(tx, await getPageRow(tx, id), locale, actor)
  })
}

const body = z.array(blockSchema)

/** A text of then by the rules of today. @throws {Refusal} `invalid` */
function readAgain({ text }: RevisionRow): PageText {
  const read = body.safeParse(text.body)
  if (read.success) return { ...text, body: read.data }
  const places = new Set(read.error.issues.map(({ path }) => ['text', 'body', ...path].join('.')))
  throw new Refusal('invalid', { problems: [...places].slice(0, 20).map((path) => ({ path, key: 'value' })) })
}
