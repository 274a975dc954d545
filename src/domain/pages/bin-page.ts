import { Refusal } from '../../contract/errors.ts'
import { locales } from '../../contract/locales.ts'
import type { ListedPage, RestoredPage } from '../../contract/pages.ts'
import { touchContent } from '../../platform/content-clock.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { allow } from '../allow.ts'
import { record } from '../audit/record.ts'
import { getPageRow, openPageRow } from './find-pages.ts'
import { canDeletePage, canPublishPages, canWritePages } from './page.policy.ts'
import { type By, isLiveOrPlanned, isSlugTaken, livePath, type PageRow, wasLive } from './page.queries.ts'
import { deletePageRow, refreshPage, writeBin } from './page-write.queries.ts'
import { isOver, planAgain } from './plan-again.ts'
import { publishText, unpublishText } from './publish-text.ts'
import { deleteAutomaticTo } from './redirect.queries.ts'
import { findRevision } from './revision.queries.ts'
import { pathOf, shownPage, subjectOf } from './show-page.ts'
import { byOf, freeSlug, lockPages, storeText } from './store-text.ts'

/**
 * Puts a page into the bin: visitors do not find it any more, its plans rest, and its addresses are free.
 * @throws {Refusal} `not_found`, `page_in_bin`, `fixed_page`; `not_allowed` for what visitors see or will see, without that right
 */
export async function binPage(ctx: Context, id: number): Promise<ListedPage> {
  const actor = allow(ctx, canWritePages)
  const shown = await ctx.transaction(async (tx) => {
    await lockPages(tx, ctx)
    const page = await openPageRow(tx, id)
    if (page.fixed) throw new Refusal('fixed_page')
    if (!canDeletePage(actor, { fixed: false, live: isLiveOrPlanned(page) })) throw new Refusal('not_allowed')
    // Who may not publish, and so brought the page back unpublished, does not make it one that was never seen.
    const binned = canPublishPages(actor) ? 'live' : 'liveOrEarlier'
    const tags: string[] = []
    for (const locale of locales) {
      if (page.texts[locale]) tags.push(...(await unpublishText(tx, { page, locale }, { binned })))
    }
    await writeBin(tx, id, ctx.now())
    await refreshPage(tx, id, { seeded: false })
    await touchContent(tx, tags)
    await record(tx, ctx, { action: 'page.binned', subject: subjectOf(page), before: pathsOf(page) })
    return shownPage(tx, id, actor)
  })
  ctx.signal.content()
  return shown
}

/**
 * Brings a page back. What visitors saw they see again, and plans whose time is still to come count again, when the one
 * who asks may publish.
 * @throws {Refusal} `not_found`, `page_not_in_bin`
 */
export async function restorePage(ctx: Context, id: number): Promise<RestoredPage> {
  const actor = allow(ctx, canWritePages)
  const by = byOf(ctx)
  const shown = await ctx.transaction(async (tx) => {
    await lockPages(tx, ctx)
    const page = await getPageRow(tx, id)
    if (page.deletedAt === null) throw new Refusal('page_not_in_bin')
    const made = { now: ctx.now(), by }
    const renamed = await freeAddresses(tx, page, made)
    await writeBin(tx, id, null)
    const may = canPublishPages(actor)
    const tags = may ? await publishAgain(tx, page, made) : []
    const unplanned = await planAgain(tx, page, may, made.now)
    if (tags.length > 0) await touchContent(tx, tags)
    await refreshPage(tx, id, { seeded: false })
    await record(tx, ctx, { action: 'page.unbinned', subject: subjectOf(page) })
    return { ...(await shownPage(tx, id, actor)), renamed, unplanned }
  })
  ctx.signal.content()
  return shown
}

/**
 * Removes a page, its history and its drafts.
 * @throws {Refusal} `not_found`, `page_not_in_bin`; `not_allowed` for what visitors saw until it was binned, without that right
 */
export async function deletePage(ctx: Context, id: number): Promise<void> {
  const actor = allow(ctx, canWritePages)
  await ctx.transaction(async (tx) => {
    await lockPages(tx, ctx)
    const page = await getPageRow(tx, id)
    if (page.deletedAt === null) throw new Refusal('page_not_in_bin')
    if (!canDeletePage(actor, { fixed: false, live: wasLive(page) })) throw new Refusal('not_allowed')
    await deleteAutomaticTo(tx, await leftPaths(tx, page))
    await deletePageRow(tx, id)
    await record(tx, ctx, { action: 'page.deleted', subject: subjectOf(page), before: { title: subjectOf(page).name } })
  })
}

const pathsOf = (page: PageRow) => ({
  path: locales.flatMap((locale) => (page.texts[locale] ? (livePath(page.texts[locale]) ?? []) : [])),
})

/** The addresses of a page in the bin, as saved and as visitors knew them, that no other has taken since. */
async function leftPaths(tx: Transaction, page: PageRow): Promise<string[]> {
  const paths: string[] = []
  for (const locale of locales) {
    const text = page.texts[locale]
    if (!text) continue
    const live =
      text.binLiveId === null ? undefined : await findRevision(tx, { pageId: page.id, locale }, text.binLiveId)
    for (const slug of new Set([text.slug, live?.text.slug ?? text.slug])) {
      if (!(await isSlugTaken(tx, { locale, slug, pageId: page.id }))) paths.push(pathOf(slug, locale))
    }
  }
  return paths
}

/** Gives the texts whose address is another's by now one of their own, as a new version. */
async function freeAddresses(
  tx: Transaction,
  page: PageRow,
  { now, by }: { now: Date; by: By },
): Promise<RestoredPage['renamed']> {
  const renamed: RestoredPage['renamed'] = []
  for (const locale of locales) {
    const at = { pageId: page.id, locale }
    const before = page.texts[locale]
    const current = before && (await findRevision(tx, at, before.savedId))
    if (!current) continue
    const from = current.text.slug
    const to = await freeSlug(tx, { slug: from, locale, pageId: page.id })
    if (to === from) continue
    await storeText(tx, at, { text: { ...current.text, slug: to }, version: current.version + 1, now, by })
    renamed.push({ locale, from, to })
  }
  return renamed
}

/** What visitors saw before; where its address is another's by now, under the one that it got in its place. */
async function publishAgain(tx: Transaction, before: PageRow, { now, by }: { now: Date; by: By }): Promise<string[]> {
  const tags: string[] = []
  const page = await getPageRow(tx, before.id)
  for (const locale of locales) {
    const [was, is] = [before.texts[locale], page.texts[locale]]
    if (!was || !is || was.binLiveId === null || isOver(was.binUnpublishAt, now)) continue
    const id = was.binLiveId === was.savedId ? is.savedId : was.binLiveId
    const revision = await findRevision(tx, { pageId: page.id, locale }, id)
    if (!revision || (await isSlugTaken(tx, { locale, slug: revision.text.slug, pageId: page.id }))) continue
    tags.push(...(await publishText(tx, { page, locale }, { revision, now, by })))
  }
  return tags
}
