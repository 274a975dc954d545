import { Refusal } from '../../contract/errors.ts'
import { defaultLocale, type Locale } from '../../contract/locales.ts'
import type { PageInLocale, SaveToUndo } from '../../contract/pages.ts'
import { touchContent } from '../../platform/content-clock.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { allow } from '../allow.ts'
import { record } from '../audit/record.ts'
import { getPageRow } from './find-pages.ts'
import { canPublishPages, canWritePages } from './page.policy.ts'
import { isSlugTaken, livePath, type PageRow, type TextRow } from './page.queries.ts'
import { refreshPage, writePlan } from './page-write.queries.ts'
import { publishText, unpublishText } from './publish-text.ts'
import { bringBack, openText, stale } from './restore-revision.ts'
import { findRevision, type RevisionRow } from './revision.queries.ts'
import { pathOf, shownInLocale, subjectOf } from './show-page.ts'
import { byOf, lockPages } from './store-text.ts'

/**
 * Takes a save back, all of it or nothing: the text of before is saved anew, and where the save was published too,
 * visitors see again what they saw, and a plan that it dropped stands again.
 * @throws {Refusal} `stale` when somebody saved, published, planned or unpublished since; `not_found`, `page_in_bin`,
 * `fixed_page`; `not_allowed` for what visitors see, without that right; `invalid` when another page has the address
 */
export async function undoSave(
  ctx: Context,
  { id, locale }: { id: number; locale: Locale },
  { version, revision, visitors }: SaveToUndo,
): Promise<PageInLocale> {
  const actor = allow(ctx, canWritePages)
  if (visitors) allow(ctx, canPublishPages)
  const shown = await ctx.transaction(async (tx) => {
    await lockPages(tx, ctx)
    const { page, text } = await openText(tx, id, locale)
    // Publishing made what visitors see what is saved, and left no plan to publish.
    const moved = visitors && (text.liveId !== text.savedId || text.publishAt !== null)
    if (version !== text.version || moved) throw await stale(tx, { page, locale, actor })
    const now = await bringBack(tx, ctx, { page, locale, revisionId: revision })
    if (visitors) await showAgain(tx, ctx, { page, text, locale }, { was: { id: revision, now }, visitors })
    return shownInLocale(tx, await getPageRow(tx, id), locale, actor)
  })
  if (visitors) ctx.signal.content()
  return shown
}

interface Opened {
  /** As the save left it. */
  page: PageRow
  text: TextRow
  locale: Locale
}

interface Before {
  /** What was saved then, and the revision in which it is saved again. */
  was: { id: number; now: Pick<RevisionRow, 'id' | 'text'> }
  visitors: NonNullable<SaveToUndo['visitors']>
}

/** Visitors see what they saw before the save, and what was planned then is planned again. */
async function showAgain(tx: Transaction, ctx: Context, opened: Opened, { was, visitors }: Before): Promise<void> {
  const { page, text, locale } = opened
  const at = { pageId: page.id, locale }
  const { live, planned } = visitors
  /** What was saved is saved again as a revision of its own, and visitors see that one. */
  const find = async (id: number) => {
    const found = id === was.id ? was.now : await findRevision(tx, at, id)
    if (!found) throw new Refusal('not_found')
    return found
  }
  if (!live && page.fixed && locale === defaultLocale) throw new Refusal('fixed_page')
  const shown = live && { ...(await find(live.revision)), date: live.date }
  const fresh = await getPageRow(tx, page.id)
  const tags = shown
    ? await publishText(tx, { page: fresh, locale }, { revision: shown, now: ctx.now(), by: byOf(ctx) })
    : await unpublishText(tx, { page: fresh, locale })
  await touchContent(tx, tags)

  const plan = planned && { at: new Date(planned.at), revision: await find(planned.revision) }
  const taken = plan && (await isSlugTaken(tx, { locale, slug: plan.revision.text.slug, pageId: page.id }))
  const stands = plan && !taken && plan.at > ctx.now()
  await writePlan(tx, at, {
    publish: stands ? { at: plan.at, revisionId: plan.revision.id, text: plan.revision.text } : null,
    unpublishAt: text.unpublishAt === null ? null : new Date(text.unpublishAt),
  })
  await refreshPage(tx, page.id, { seeded: false })
  const publishAt = stands ? plan.at.toISOString() : null
  const subject = subjectOf(fresh)
  await record(
    tx,
    ctx,
    shown
      ? {
          action: 'page.published',
          subject,
          before: { publishAt: null },
          after: { language: locale, path: pathOf(shown.text.slug, locale), publishAt },
        }
      : {
          action: 'page.unpublished',
          subject,
          before: { language: locale, path: livePath(text), publishAt: null },
          after: { publishAt },
        },
  )
}
