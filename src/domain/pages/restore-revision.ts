import { z } from 'zod'
import { blockSchema } from '../../blocks/registry.ts'
import { Refusal } from '../../contract/errors.ts'
import type { Locale } from '../../contract/locales.ts'
import { same } from '../../contract/merge-page.ts'
import type { PageText, RestoredText } from '../../contract/pages.ts'
import type { Actor, Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { allow } from '../allow.ts'
import { record } from '../audit/record.ts'
import { auditedChange } from './audited-page.ts'
import { getPageRow, openPageRow } from './find-pages.ts'
import { canWritePages } from './page.policy.ts'
import { isSlugTaken, type PageRow, type TextRow } from './page.queries.ts'
import { refreshPage } from './page-write.queries.ts'
import { findRevision, type RevisionRow } from './revision.queries.ts'
import { shownInLocale, subjectOf } from './show-page.ts'
import { byOf, lockPages, storeText } from './store-text.ts'

/**
 * Saves what stood once as what stands now; visitors see it when it is published. An address that another page has by
 * now stays with that page.
 * @throws {Refusal} `not_found`, `page_in_bin`, `stale`; `invalid` when a block of then is none any more
 */
export async function restoreRevision(
  ctx: Context,
  { id, locale }: { id: number; locale: Locale },
  { revisionId, version }: { revisionId: number; version: number },
): Promise<RestoredText> {
  const actor = allow(ctx, canWritePages)
  return ctx.transaction(async (tx) => {
    await lockPages(tx, ctx)
    const { page, text } = await openText(tx, id, locale)
    if (version !== text.version) throw await stale(tx, { page, locale, actor })
    const now = await bringBack(tx, ctx, { page, locale, revisionId })
    const undo = now.version === text.version ? null : { version: now.version, revision: text.savedId }
    return { ...(await shownInLocale(tx, await getPageRow(tx, id), locale, actor)), undo }
  })
}

/** @throws {Refusal} `not_found`, `page_in_bin` */
export async function openText(tx: Transaction, id: number, locale: Locale): Promise<{ page: PageRow; text: TextRow }> {
  const page = await openPageRow(tx, id)
  const text = page.texts[locale]
  if (!text) throw new Refusal('not_found')
  return { page, text }
}

/** Somebody changed the page since. */
export async function stale(
  tx: Transaction,
  { page, locale, actor }: { page: PageRow; locale: Locale; actor: Actor },
): Promise<Refusal> {
  const shown = await shownInLocale(tx, page, locale, actor)
  return new Refusal('stale', { current: { page: shown, conflicts: [], merged: shown.text } })
}

/** Saves a revision anew, unless it says what is saved. @returns what is saved now @throws {Refusal} `not_found`, `invalid` */
export async function bringBack(
  tx: Transaction,
  ctx: Context,
  { page, locale, revisionId }: { page: PageRow; locale: Locale; revisionId: number },
): Promise<{ id: number; text: PageText; version: number }> {
  const at = { pageId: page.id, locale }
  const before = page.texts[locale]
  const current = before && (await findRevision(tx, at, before.savedId))
  const wanted = await findRevision(tx, at, revisionId)
  if (!before || !current || !wanted) throw new Refusal('not_found')
  const { slug } = wanted.text
  const keepsSlug = page.fixed || (await isSlugTaken(tx, { locale, slug, pageId: page.id }))
  const text = { ...readAgain(wanted), ...(keepsSlug && { slug: before.slug }) }
  if (same(text, current.text)) return current

  const [now, by] = [ctx.now(), byOf(ctx)]
  const version = before.version + 1
  const stored = await storeText(tx, at, { text, version, now, by, restoredFrom: wanted.id })
  await refreshPage(tx, page.id, { saved: { at: now, by }, seeded: false })
  await record(tx, ctx, {
    action: 'page.restored',
    subject: subjectOf(await getPageRow(tx, page.id)),
    ...auditedChange(locale, current, stored),
  })
  return { id: stored.revisionId, text: stored.text, version }
}

const body = z.array(blockSchema)

/** A text of then by the rules of today. @throws {Refusal} `invalid` */
function readAgain({ text }: RevisionRow): PageText {
  const read = body.safeParse(text.body)
  if (read.success) return { ...text, body: read.data }
  const places = new Set(read.error.issues.map(({ path }) => ['text', 'body', ...path].join('.')))
  throw new Refusal('invalid', { problems: [...places].slice(0, 20).map((path) => ({ path, key: 'value' })) })
}
