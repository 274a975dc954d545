import { type FieldProblem, Refusal } from '../../contract/errors.ts'
import { defaultLocale, type Locale } from '../../contract/locales.ts'
import type { PageInLocale, PagePlan, PublishedPage } from '../../contract/pages.ts'
import { touchContent } from '../../platform/content-clock.ts'
import type { Actor, Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { allow } from '../allow.ts'
import { record } from '../audit/record.ts'
import { getPageRow, openPageRow } from './find-pages.ts'
import { canPublishPages } from './page.policy.ts'
import { livePath, type PageRow, type TextRow } from './page.queries.ts'
import { refreshPage, writePlan } from './page-write.queries.ts'
import { publishText, unpublishText } from './publish-text.ts'
import { findRevision, type RevisionRow } from './revision.queries.ts'
import { pathOf, shownInLocale, subjectOf } from './show-page.ts'
import { byOf, lockPages } from './store-text.ts'

interface At {
  id: number
  locale: Locale
}

/**
 * Shows what is saved to visitors; a plan to publish it is dropped.
 * @throws {Refusal} `not_found`, `page_in_bin`, `stale`; `invalid` at `text.slug`
 */
export async function publishPage(ctx: Context, at: At, { version }: { version: number }): Promise<PublishedPage> {
  let droppedPlan: string | null = null
  const shown = await changed(ctx, at, version, async (tx, { page, text, revision }) => {
    if (text.liveId === revision.id) return
    const now = ctx.now()
    droppedPlan = text.publishAt
    await touchContent(tx, await publishText(tx, { page, locale: at.locale }, { revision, now, by: byOf(ctx) }))
    await record(tx, ctx, {
      action: 'page.published',
      subject: subjectOf(page),
      before: { publishAt: text.publishAt },
      after: { language: at.locale, path: pathOf(revision.text.slug, at.locale), publishAt: null },
    })
  })
  ctx.signal.content()
  return { ...shown, droppedPlan }
}

/**
 * Takes a page off the site in one language; what is saved stays.
 * @throws {Refusal} `not_found`, `page_in_bin`, `stale`; `fixed_page` for Dutch pages that are always there
 */
export async function unpublishPage(ctx: Context, at: At, { version }: { version: number }): Promise<PageInLocale> {
  const shown = await changed(ctx, at, version, async (tx, { page, text }) => {
    if (page.fixed && at.locale === defaultLocale) throw new Refusal('fixed_page')
    if (text.liveId === null) return
    await touchContent(tx, await unpublishText(tx, { page, locale: at.locale }))
    await record(tx, ctx, {
      action: 'page.unpublished',
      subject: subjectOf(page),
      before: { language: at.locale, path: livePath(text) },
    })
  })
  ctx.signal.content()
  return shown
}

/**
 * Says when what is saved now is published, and when it ends. A save that comes later is not in it.
 * @throws {Refusal} `not_found`, `page_in_bin`, `stale`; `invalid` at `publishAt` or `unpublishAt`
 */
export async function planPage(ctx: Context, at: At, plan: PagePlan): Promise<PageInLocale> {
  return changed(ctx, at, plan.version, async (tx, { page, text, revision }) => {
    const moments = {
      publishAt: plan.publishAt === null ? null : new Date(plan.publishAt),
      unpublishAt: plan.unpublishAt === null ? null : new Date(plan.unpublishAt),
    }
    const problems = problemsOf(moments, ctx.now(), page.fixed && at.locale === defaultLocale)
    if (problems.length > 0) throw new Refusal('invalid', { problems })
    await writePlan(
      tx,
      { pageId: page.id, locale: at.locale },
      {
        publish: moments.publishAt && { at: moments.publishAt, revisionId: revision.id, text: revision.text },
        unpublishAt: moments.unpublishAt,
      },
    )
    await record(tx, ctx, {
      action: 'page.planned',
      subject: subjectOf(page),
      before: { language: undefined, publishAt: text.publishAt, unpublishAt: text.unpublishAt },
      after: {
        language: at.locale,
        publishAt: moments.publishAt?.toISOString() ?? null,
        unpublishAt: moments.unpublishAt?.toISOString() ?? null,
      },
    })
  })
}

function problemsOf(
  { publishAt, unpublishAt }: { publishAt: Date | null; unpublishAt: Date | null },
  now: Date,
  keeps: boolean,
): FieldProblem[] {
  const problems: FieldProblem[] = []
  if (publishAt && publishAt <= now) problems.push({ path: 'publishAt', key: 'past' })
  if (unpublishAt && keeps) problems.push({ path: 'unpublishAt', key: 'keepsPublished' })
  else if (unpublishAt && unpublishAt <= now) problems.push({ path: 'unpublishAt', key: 'past' })
  else if (unpublishAt && publishAt && unpublishAt <= publishAt) {
    problems.push({ path: 'unpublishAt', key: 'beforePublish' })
  }
  return problems
}

interface Opened {
  page: PageRow
  text: TextRow
  /** What is saved. */
  revision: RevisionRow
  actor: Actor
}

/** One change of what visitors see of a page, by who looked at what is saved now. */
async function changed(
  ctx: Context,
  { id, locale }: At,
  version: number,
  work: (tx: Transaction, opened: Opened) => Promise<void>,
): Promise<PageInLocale> {
  const actor = allow(ctx, canPublishPages)
  return ctx.transaction(async (tx) => {
    await lockPages(tx, ctx)
    const page = await openPageRow(tx, id)
    const text = page.texts[locale]
    const revision = text && (await findRevision(tx, { pageId: id, locale }, text.savedId))
    if (!text || !revision) throw new Refusal('not_found')
    if (version !== text.version) {
      const current = await shownInLocale(tx, page, locale, actor)
      throw new Refusal('stale', { current: { page: current, conflicts: [], merged: current.text } })
    }
    await work(tx, { page, text, revision, actor })
    await refreshPage(tx, id, { seeded: false })
    return shownInLocale(tx, await getPageRow(tx, id), locale, actor)
  })
}
