import { Refusal } from '../../contract/errors.ts'
import type { Locale } from '../../contract/locales.ts'
import type { ListedPage, RestoredPage } from '../../contract/pages.ts'
import type { Context } from '../../platform/context.ts'
import { allow } from '../allow.ts'
import { deleteRedirectsTo } from '../redirects/redirect.queries.ts'
import { markGone } from '../redirects/redirects.ts'
import { chooseFreeSlug } from './create-page.ts'
import { editPageInTransaction, noTrashedLive, type PageEdit, pathOf, subjectOf } from './edit-page.ts'
import { isAddressTaken } from './entries.ts'
import { canDeletePage, canPublishPages, canWritePages } from './page.policy.ts'
import { isLiveOrScheduled, isSlugTaken, livePath, type TextRow, textsOf, wasLive } from './page.queries.ts'
import { refuseWhenLocked } from './refuse-locked.ts'
import type { RevisionRow } from './revision.queries.ts'
import { loadListedPage } from './show-page.ts'

/**
 * Moves a page to the trash: it is unpublished, its schedules are paused, and other pages can take its slugs.
 * @throws {Refusal} `not_found`, `page_in_bin`, `fixed_page`, `page_locked`; `not_allowed` for a live or scheduled
 * page, without the right to publish
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
      // A user who may not publish restores a page unpublished; what was live is still in these columns. It stays there,
      // so that deleting the page still requires the right to publish.
      const keepsTrashedLive =
        text.liveRevisionId === null && text.trashedLiveRevisionId !== null && !canPublishPages(actor)
      if (!keepsTrashedLive) {
        text.trashedLiveRevisionId = text.liveRevisionId
        text.trashedLiveDate = text.liveDate
      }
      text.trashedPublishAt = text.publishAt
      text.trashedPublishRevisionId = text.publishRevisionId
      text.trashedUnpublishAt = text.unpublishAt ?? (keepsTrashedLive ? text.trashedUnpublishAt : null)
      edit.unpublish(text.locale)
      edit.schedule(text.locale, { publish: null, unpublishAt: null })
    }
    page.deletedAt = edit.now.toISOString()
    return loadListedPage(edit, page, actor)
  })
}

/**
 * Restores a page. What was live is published again and future schedules are active again, if the actor may publish.
 * @returns also `renamed`: the texts whose slug is no longer free; `unplanned`: the languages whose schedules were not restored
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
      const trashed = { ...text }
      const slug = await saveUnderFreeSlug(edit, trashed)
      if (slug !== trashed.slug) renamed.push({ locale, from: trashed.slug, to: slug })
      if (mayPublish) await publishAgain(edit, trashed)
      if (!(await scheduleAgain(edit, trashed, mayPublish))) unscheduled.push(locale)
    }
    edit.record({ action: 'page.unbinned' })
    return { ...(await loadListedPage(edit, page, actor)), renamed, unplanned: unscheduled }
  }
  return editPageInTransaction(ctx, id, restore, { inTrash: 'required' })
}

/**
 * Deletes a page in the trash with its history and drafts, and, without `gone`, the automatic redirects to it.
 * @param options.gone the addresses at which the page was live, and redirects to these, answer 410 (gone)
 * @throws {Refusal} `not_found`, `page_not_in_bin`, `page_locked`; `not_allowed` for a page that was live when it was
 * trashed, without the right to publish
 */
export async function deletePage(ctx: Context, id: number, { gone = false } = {}): Promise<void> {
  const actor = allow(ctx, canWritePages)
  const remove = async (edit: PageEdit) => {
    const { tx, page } = edit
    if (!canDeletePage(actor, { fixed: false, live: wasLive(page) })) throw new Refusal('not_allowed')
    await refuseWhenLocked(edit, actor)
    const freed = await listFreedPaths(edit)
    if (gone) for (const path of await listFreedLivePaths(edit)) await markGone(tx, path, { at: edit.now, by: edit.by })
    await deleteRedirectsTo(tx, freed)
    edit.delete()
    edit.record({ action: 'page.deleted', before: { title: subjectOf(page, edit.site).name } })
  }
  await editPageInTransaction(ctx, id, remove, { inTrash: 'required' })
}

/** Saves a text under a free slug if its own is no longer free. @returns the slug of the text */
export async function saveUnderFreeSlug(edit: PageEdit, { locale, slug, savedRevisionId }: TextRow): Promise<string> {
  const free = await chooseFreeSlug(edit.tx, edit.site, { slug, locale, pageId: edit.page.id })
  const saved = await edit.revision(locale, savedRevisionId)
  if (!saved || free === slug) return slug
  await edit.save(locale, { ...saved.text, slug: free }, { slugReplaced: true })
  return free
}

/** The saved and live paths of a page in the trash that no other page has taken since. */
async function listFreedPaths(edit: PageEdit): Promise<string[]> {
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

/** The paths at which a page in the trash was live, and that no other page has taken since. */
async function listFreedLivePaths(edit: PageEdit): Promise<string[]> {
  const { tx, page } = edit
  const paths: string[] = []
  for (const { locale, trashedLiveRevisionId } of textsOf(page)) {
    const slug = (await edit.revision(locale, trashedLiveRevisionId))?.text.slug
    if (slug === undefined || (await isSlugTaken(tx, { locale, slug, pageId: page.id }))) continue
    paths.push(pathOf(slug, locale, edit.site))
  }
  return paths
}

/** The revision with an id; for the saved one, that which `saveUnderFreeSlug` may have saved in its place. */
const findCurrentRevision = (edit: PageEdit, trashed: TextRow, id: number | null): Promise<RevisionRow | undefined> =>
  edit.revision(trashed.locale, id === trashed.savedRevisionId ? edit.page.texts[trashed.locale]?.savedRevisionId : id)

const isPast = (instant: string | null, now: Date): boolean => instant !== null && instant <= now.toISOString()

/** Publishes the text that was live, unless it should have been unpublished by now or its address is taken. */
async function publishAgain(edit: PageEdit, trashed: TextRow): Promise<void> {
  const { page, now } = edit
  const { locale } = trashed
  // Cleared, so that another restore does not publish what this one leaves unpublished.
  Object.assign(page.texts[locale] ?? {}, noTrashedLive)
  const revision = await findCurrentRevision(edit, trashed, trashed.trashedLiveRevisionId)
  if (!revision || isPast(trashed.trashedUnpublishAt, now)) return
  if (await isAddressTaken(edit, revision.text.slug, locale)) return
  await edit.publish(locale, revision, trashed.trashedLiveDate ?? undefined)
}

/** Restores the schedules that are in the future. @returns whether all were restored */
async function scheduleAgain(edit: PageEdit, trashed: TextRow, mayPublish: boolean): Promise<boolean> {
  const { page, now } = edit
  const { locale, trashedPublishAt, trashedUnpublishAt } = trashed
  if (trashedPublishAt === null && trashedUnpublishAt === null) return true
  const revision = isPast(trashedPublishAt, now)
    ? undefined
    : await findCurrentRevision(edit, trashed, trashed.trashedPublishRevisionId)
  const isFree = revision && !(await isAddressTaken(edit, revision.text.slug, locale))
  const publish = mayPublish && trashedPublishAt !== null && isFree ? { at: trashedPublishAt, revision } : null
  const isOrWillBeLive = publish !== null || page.texts[locale]?.liveRevisionId != null
  const unpublishAt = mayPublish && isOrWillBeLive && !isPast(trashedUnpublishAt, now) ? trashedUnpublishAt : null
  edit.schedule(locale, { publish, unpublishAt })
  return (publish === null) === (trashedPublishAt === null) && (unpublishAt === null) === (trashedUnpublishAt === null)
}
