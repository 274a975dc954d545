import { z } from 'zod'
import { blockSchema } from '../../blocks/registry.ts'
import { Refusal } from '../../contract/errors.ts'
import type { ListOf } from '../../contract/list.ts'
import type { Locale } from '../../contract/locales.ts'
import { same } from '../../contract/merge-page.ts'
import type { PageInLocale, PageText, Revision, RevisionGroup, RevisionQuery } from '../../contract/pages.ts'
import type { Context } from '../../platform/context.ts'
import { allow } from '../allow.ts'
import { record } from '../audit/record.ts'
import { getPageRow, openPageRow } from './find-pages.ts'
import { canSeePages, canWritePages } from './page.policy.ts'
import { isSlugTaken } from './page.queries.ts'
import { refreshPage } from './page-write.queries.ts'
import { findBefore, findRevision, listGroups, type RevisionRow } from './revision.queries.ts'
import { asDraft, auditedText, shownInLocale, someone, subjectOf } from './show-page.ts'
import { byOf, lockPages, storeText } from './store-text.ts'

interface At {
  id: number
  locale: Locale
}

/** Who wrote what when, the newest first; the saves of one person with short pauses are one. @throws {Refusal} `not_found` */
export async function listRevisions(
  ctx: Context,
  { id, locale }: At,
  query: RevisionQuery,
): Promise<ListOf<RevisionGroup>> {
  const actor = allow(ctx, canSeePages)
  const { page, pageSize } = query
  const { texts } = await getPageRow(ctx.db, id)
  const at = { pageId: id, locale }
  const { groups, total } = await listGroups(ctx.db, at, { offset: (page - 1) * pageSize, limit: pageSize })
  const liveId = texts[locale]?.liveId ?? null
  const data: RevisionGroup[] = []
  for (const { first, by, ...group } of groups) {
    data.push({
      ...group,
      before: await findBefore(ctx.db, at, first),
      by: someone(by, actor.locale),
      live: liveId !== null && liveId >= first && liveId <= group.id,
    })
  }
  return { data, meta: { page, pageSize, total } }
}

/** @throws {Refusal} `not_found` */
export async function getRevision(ctx: Context, { id, locale }: At, revisionId: number): Promise<Revision> {
  const actor = allow(ctx, canSeePages)
  const row = await findRevision(ctx.db, { pageId: id, locale }, revisionId)
  if (!row) throw new Refusal('not_found')
  return { id: row.id, at: row.at, by: someone(row.by, actor.locale), text: asDraft(row.text) }
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
        subject: subjectOf(page),
        before: auditedText(locale, before.version, asDraft(current.text)),
        after: auditedText(locale, next.version, asDraft(stored.text)),
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
