import { touchContent } from '../../platform/content-clock.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { record } from '../audit/record.ts'
import { getPageRow } from './find-pages.ts'
import { isSlugTaken, livePath, type PageRow, type TextRow } from './page.queries.ts'
import { type PageAt, refreshPage } from './page-write.queries.ts'
import { clearDue, findNextDue, listDue } from './plan.queries.ts'
import { publishText, unpublishText } from './publish-text.ts'
import { findRevision } from './revision.queries.ts'
import { pathOf, subjectOf } from './show-page.ts'
import { byOf, lockPages } from './store-text.ts'

type ProgramContext = Omit<Context, 'actor'>

const batch = 50

/**
 * Publishes and unpublishes what is due, also what was due while the program was off, each once on however many copies.
 * @returns how many texts
 */
export async function publishPlanned(ctx: ProgramContext): Promise<number> {
  const due = await listDue(ctx.db, ctx.now(), batch)
  let done = 0
  for (const at of due) if (await carryOut(ctx, at)) done++
  if (done > 0) ctx.signal.content()
  return done
}

/** When something is due next, as far as is planned now. */
export const nextPlanAt = (ctx: Pick<Context, 'db'>): Promise<Date | undefined> => findNextDue(ctx.db)

/** In the order of the two moments: a page whose whole time passed while the program was off is not shown. */
async function carryOut(ctx: ProgramContext, at: PageAt): Promise<boolean> {
  const now = ctx.now()
  return ctx.transaction(async (tx) => {
    await lockPages(tx, ctx)
    const text = (await getPageRow(tx, at.pageId).catch(() => undefined))?.texts[at.locale]
    if (!text) return false
    const isDue = (planned: string | null) => planned !== null && planned <= now.toISOString()
    const moments = [
      ...(isDue(text.publishAt) ? [{ when: text.publishAt as string, work: publishDue }] : []),
      ...(isDue(text.unpublishAt) ? [{ when: text.unpublishAt as string, work: unpublishDue }] : []),
    ].sort((a, b) => (a.when < b.when ? -1 : 1))
    for (const { work } of moments) await work(tx, ctx, at, now)
    if (moments.length > 0) await refreshPage(tx, at.pageId, { seeded: false })
    return moments.length > 0
  })
}

async function opened(tx: Transaction, { pageId, locale }: PageAt): Promise<{ page: PageRow; text: TextRow }> {
  const page = await getPageRow(tx, pageId)
  return { page, text: page.texts[locale] as TextRow }
}

async function publishDue(tx: Transaction, ctx: ProgramContext, at: PageAt, now: Date): Promise<void> {
  const { page, text } = await opened(tx, at)
  const revision = text.publishId === null ? undefined : await findRevision(tx, at, text.publishId)
  const slug = revision?.text.slug ?? ''
  if (!revision || (await isSlugTaken(tx, { locale: at.locale, slug, pageId: at.pageId }))) {
    ctx.log.warn(
      { page: at.pageId, locale: at.locale },
      'a page could not be published as planned: its address is taken',
    )
    await clearDue(tx, at, 'publish')
    return
  }
  const by = byOf({ actor: undefined })
  await touchContent(tx, await publishText(tx, { page, locale: at.locale }, { revision, now, by }))
  await record(
    tx,
    { now: ctx.now, actor: undefined },
    {
      action: 'page.published',
      subject: subjectOf(page),
      before: { publishAt: text.publishAt },
      after: { language: at.locale, path: pathOf(slug, at.locale) },
    },
  )
}

async function unpublishDue(tx: Transaction, ctx: ProgramContext, at: PageAt): Promise<void> {
  const { page, text } = await opened(tx, at)
  if (text.liveId === null) return clearDue(tx, at, 'unpublish')
  await touchContent(tx, await unpublishText(tx, { page, locale: at.locale }))
  await record(
    tx,
    { now: ctx.now, actor: undefined },
    {
      action: 'page.unpublished',
      subject: subjectOf(page),
      before: { language: at.locale, path: livePath(text), unpublishAt: text.unpublishAt },
    },
  )
}
