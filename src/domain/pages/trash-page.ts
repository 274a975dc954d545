import { Refusal } from '../../contract/errors.ts'
import type { Locale } from '../../contract/locales.ts'
import type { ListedPage, RestoredPage } from '../../contract/pages.ts'
import type { Context } from '../../platform/context.ts'
import { allow } from '../allow.ts'
import { deleteRedirectsTo } from '../redirects/redirect.queries.ts'
import { markGone } from '../redirects/redirects.ts'
import { freeSlug } from './create-page.ts'
import { editPageInTransaction, notTrashedLive, type PageEdit, pathOf, subjectOf } from './edit-page.ts'
import { isAddressTaken } from './entries.ts'
import { canDeletePage, canPublishPages, canWritePages } from './page.policy.ts'
import { isLiveOrScheduled, isSlugTaken, livePath, type TextRow, textsOf, wasLive } from './page.queries.ts'
import { refuseWhenLocked } from './refuse-locked.ts'
import type { RevisionRow } from './revision.queries.ts'
import { shownPage } from './show-page.ts'

/**
 * Moves a page to the trash: it is unpublished, its schedules are paused, and its slugs are free.
 * @throws {Refusal} `not_found`, `page_in_bin`, `fixed_page`, `page_locked`; `not_allowed` for a live or scheduled page, without the
 * right to publish
 */
export async function trashPage(ctx: Context, id: number): Promise<ListedPage> {
  const actor = allow(ctx, canWritePages)
  return editPageInTransaction(ctx, id, async (edit) => {
    const { page } = edit
    if (page.fixed) throw new Refusal('fixed_page')
    if (!canDeletePage(actor, { fixed: false, live: isLiveOrScheduled(page) })) throw new Refusal('not_allowed')
    await refuseWhenLocked(edit, actor)
    const texts = textsOf(page)
    edit.record({ action: 'page.binned', before: { path: texts.flatMap((text) => livePath(text, edit.site) ?? []) } })
    for (const text of texts) {
      // A user who may not publish restores a page unpublished; trashing it again still requires the right to delete
      // it.
      const wasLiveBefore =
        text.liveRevisionId === null && text.trashedLiveRevisionId !== null && !canPublishPages(actor)
      if (!wasLiveBefore) {
        text.trashedLiveRevisionId = text.liveRevisionId
        text.trashedLiveDate = text.liveDate
      }
      text.trashedPublishAt = text.publishAt
      text.trashedPublishRevisionId = text.publishRevisionId
      text.trashedUnpublishAt = text.unpublishAt ?? (wasLiveBefore ? text.trashedUnpublishAt : null)
      edit.unpublish(text.locale)
      edit.schedule(text.locale, { publish: null, unpublishAt: null })
    }
    page.deletedAt = edit.now.toISOString()
    return shownPage(edit, page, actor)
  })
}

/**
 * Restores a page. Published texts are published again and future schedules are active again, if the actor may publish.
 * @throws {Refusal} `not_found`, `page_not_in_bin`
 */
export async function restorePage(ctx: Context, id: number): Promise<RestoredPage> {
  const actor = allow(ctx, canWritePages)
  const mayPublish = canPublishPages(actor)
  const restore = async (edit: PageEdit) => {
    const { page } = edit
    const renamed: RestoredPage['renamed'] = []
    const unscheduled: Locale[] = []
    page.deletedAt = null
    for (const text of textsOf(page)) {
      const { locale } = text
      const before = { ...text }
      const to = await saveUnderFreeSlug(edit, before)
      if (to !== before.slug) renamed.push({ locale, from: before.slug, to })
      if (mayPublish) await publishAgain(edit, before)
      if (!(await scheduleAgain(edit, before, mayPublish))) unscheduled.push(locale)
    }
    edit.record({ action: 'page.unbinned' })
    return { ...(await shownPage(edit, page, actor)), renamed, unplanned: unscheduled }
  }
  return editPageInTransaction(ctx, id, restore, { where: 'trash' })
}

/**
 * Deletes a page with its history and drafts.
 * @param input.gone its addresses answer that it is gone for good (410), where it was published
 * @throws {Refusal} `not_found`, `page_not_in_bin`, `page_locked`; `not_allowed` for a page that was live when it was trashed, without
 * the right to publish
 */
export async function deletePage(ctx: Context, id: number, { gone = false } = {}): Promise<void> {
  const actor = allow(ctx, canWritePages)
  const remove = async (edit: PageEdit) => {
    const { tx, page } = edit
    if (!canDeletePage(actor, { fixed: false, live: wasLive(page) })) throw new Refusal('not_allowed')
    await refuseWhenLocked(edit, actor)
    const freed = await freedPaths(edit)
    if (gone) for (const path of await publishedPaths(edit)) await markGone(tx, path, { at: edit.now, by: edit.by })
    await deleteRedirectsTo(tx, freed)
    edit.delete()
    edit.record({ action: 'page.deleted', before: { title: subjectOf(page, edit.site).name } })
  }
  await editPageInTransaction(ctx, id, remove, { where: 'trash' })
}

/** Saves a text again when another page has taken its slug meanwhile. @returns its slug */
export async function saveUnderFreeSlug(edit: PageEdit, { locale, slug, savedRevisionId }: TextRow): Promise<string> {
  const free = await freeSlug(edit.tx, edit.site, { slug, locale, pageId: edit.page.id })
  const saved = await edit.revision(locale, savedRevisionId)
  if (!saved || free === slug) return slug
  await edit.save(locale, { ...saved.text, slug: free }, { renamed: true })
  return free
}

/** The saved and live paths of a page in the trash that no other page has taken since. */
async function freedPaths(edit: PageEdit): Promise<string[]> {
  const { tx, page } = edit
  const paths: string[] = []
  for (const text of textsOf(page)) {
    const { locale } = text
    const live = await edit.revision(locale, text.trashedLiveRevisionId)
    for (const slug of new Set([text.slug, live?.text.slug ?? text.slug])) {
      if (!(await isSlugTaken(tx, { locale, slug, pageId: page.id }))) paths.push(pathOf(slug, locale, edit.site))
    }
  }
  return paths
}

/** The paths at which a page in the trash was published, and that no other page has taken since. */
async function publishedPaths(edit: PageEdit): Promise<string[]> {
  const { tx, page } = edit
  const paths: string[] = []
  for (const { locale, trashedLiveRevisionId } of textsOf(page)) {
    const slug = (await edit.revision(locale, trashedLiveRevisionId))?.text.slug
    if (slug === undefined || (await isSlugTaken(tx, { locale, slug, pageId: page.id }))) continue
    paths.push(pathOf(slug, locale, edit.site))
  }
  return paths
}

/** This revision, or the one saved in its place when its slug was taken. */
const currentRevision = (edit: PageEdit, before: TextRow, id: number | null): Promise<RevisionRow | undefined> =>
  edit.revision(before.locale, id === before.savedRevisionId ? edit.page.texts[before.locale]?.savedRevisionId : id)

const isPast = (moment: string | null, now: Date): boolean => moment !== null && moment <= now.toISOString()

/** Publishes what was live before, unless its end has passed or its address is taken by now. */
async function publishAgain(edit: PageEdit, before: TextRow): Promise<void> {
  const { page, now } = edit
  const { locale } = before
  // Cleared, so that another restore does not publish what this one leaves unpublished.
  Object.assign(page.texts[locale] ?? {}, notTrashedLive)
  const revision = await currentRevision(edit, before, before.trashedLiveRevisionId)
  if (!revision || isPast(before.trashedUnpublishAt, now)) return
  if (await isAddressTaken(edit, revision.text.slug, locale)) return
  await edit.publish(locale, revision, before.trashedLiveDate ?? undefined)
}

/** Restores the schedules that are in the future. @returns whether all were restored */
async function scheduleAgain(edit: PageEdit, before: TextRow, mayPublish: boolean): Promise<boolean> {
  const { page, now } = edit
  const { locale, trashedPublishAt, trashedUnpublishAt } = before
  if (trashedPublishAt === null && trashedUnpublishAt === null) return true
  const revision = isPast(trashedPublishAt, now)
    ? undefined
    : await currentRevision(edit, before, before.trashedPublishRevisionId)
  const isFree = revision && !(await isAddressTaken(edit, revision.text.slug, locale))
  const publish = mayPublish && trashedPublishAt !== null && isFree ? { at: trashedPublishAt, revision } : null
  const isShown = publish !== null || page.texts[locale]?.liveRevisionId != null
  const unpublishAt = mayPublish && isShown && !isPast(trashedUnpublishAt, now) ? trashedUnpublishAt : null
  edit.schedule(locale, { publish, unpublishAt })
  return (publish === null) === (trashedPublishAt === null) && (unpublishAt === null) === (trashedUnpublishAt === null)
}
