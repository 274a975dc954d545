import { withIds } from '../../blocks/block-ids.ts'
import { dayAt } from '../../contract/day.ts'
import { deepEqual } from '../../contract/deep-equal.ts'
import { Refusal } from '../../contract/errors.ts'
import { type Locale, localizedPath, type SiteLanguages } from '../../contract/locales.ts'
import type { PageText } from '../../contract/pages.ts'
import { invalidate } from '../../platform/cache-invalidation.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { type AuditEntry, type Author, authorOf, record } from '../audit/record.ts'
import { describeImages, lockFiles } from '../files/lock-files.ts'
import { lockPaths, redirectOldPath } from '../redirects/redirects.ts'
import { collectionTag, isAddressTaken, writeEntryRows } from './entries.ts'
import { findPageRow, findStoredSite, livePath, type PageRow, type TextRow, textsOf, titleOf } from './page.queries.ts'
import { deletePageRow, insertPage, updatePage, upsertText, writeUsages } from './page-write.queries.ts'
import { refuseLocked } from './refuse-locked.ts'
import { endReview } from './review.queries.ts'
import { findPageRevision, insertPageRevision, markPublished, type RevisionRow } from './revision.queries.ts'
import { indexPage } from './search-index.ts'

/** Scheduled jobs and commands have no actor; then the system is recorded as the author, with an empty name. */
export type EditContext = Pick<Context, 'dialect' | 'now' | 'site'> & { actor?: Context['actor'] }
type PageAuditEntry = Pick<AuditEntry, 'action' | 'before' | 'after'>

/** A page during a change, with what can be done to it. Assignments to `page` are written when the change ends. */
export interface PageEdit {
  readonly tx: Transaction
  readonly now: Date
  readonly by: Author
  readonly page: PageRow
  readonly site: EditContext['site']
  /** The revision of this page with an id, cached during the change; undefined when there is none. */
  revision(locale: Locale, id: number | null | undefined): Promise<RevisionRow | undefined>
  /**
   * Saves a text as the next version and adds missing block ids.
   * @throws {Refusal} `invalid` at each block and field that is locked for the actor
   */
  save(
    locale: Locale,
    text: PageText,
    options?: {
      /** The date that the page shows; omitted: that of publishing. */
      date?: string
      restoredFrom?: number
      /** The path of the text in the paths of problems; by default `text`. */
      textPath?: string
      /** The server replaced a slug that was taken, which a lock does not forbid. */
      slugReplaced?: boolean
    },
  ): Promise<RevisionRow>
  /**
   * Publishes a revision: adds a redirect from the old slug, gives uploaded images without a description the alt text
   * that they have on this page, ends a review of this revision or an older one, and clears the schedule to publish.
   * @param date the date that the page shows; omitted: that of the revision, or else today
   * @throws {Refusal} `invalid` at `text.slug` when another page, an overview or the prefix of a language has its address
   */
  publish(locale: Locale, revision: RevisionRow, date?: string): Promise<void>
  /** Unpublishes the page in one language. */
  unpublish(locale: Locale): void
  /** Replaces the schedules to publish and to unpublish; null clears one. */
  schedule(
    locale: Locale,
    schedule: { publish: { at: string; revision: RevisionRow } | null; unpublishAt: string | null },
  ): void
  /** Deletes the page with its history and drafts. */
  delete(): void
  /** Adds an entry about this page to the audit log. */
  record(entry: PageAuditEntry): void
}

interface EditOptions {
  /** Whether the page may be in the trash. By default it is refused there. */
  inTrash?: 'refused' | 'required' | 'allowed'
  /** Whether the change comes from the configuration, so that the page still counts as unchanged by users. */
  seeded?: boolean
}

/**
 * Every edit of an existing page goes through this function. It calls `lockPages`, reads the page once, runs
 * `change`, and then writes the changes, the columns used by list filters, the usages of files and sections, the search
 * index, the cache tags and the audit log.
 * @throws {Refusal} `not_found`, `page_in_bin`, `page_not_in_bin`, and those of `change`
 */
export async function editPage<Result>(
  tx: Transaction,
  ctx: EditContext,
  id: number,
  change: (edit: PageEdit) => Promise<Result>,
  options: EditOptions = {},
): Promise<Result> {
  const current = await lockAndRefresh(tx, ctx, options)
  const page = await findPageRow(tx, id)
  const { inTrash = 'refused' } = options
  if (!page) throw new Refusal('not_found')
  if (inTrash === 'refused' && page.deletedAt !== null) throw new Refusal('page_in_bin')
  if (inTrash === 'required' && page.deletedAt === null) throw new Refusal('page_not_in_bin')
  return runEdit(tx, current, page, change, options)
}

/**
 * Locks pages, and returns the context with the stored languages and collections: another request or instance may have
 * changed them since this request began. With `seeded` the context stays: an import stores its configuration last.
 */
async function lockAndRefresh(tx: Transaction, ctx: EditContext, { seeded }: EditOptions): Promise<EditContext> {
  await lockPages(tx, ctx)
  return seeded ? ctx : { ...ctx, site: { ...ctx.site, ...(await findStoredSite(tx)) } }
}

/** Runs `editPage` in its own transaction, and then lets this instance invalidate its cache at once. */
export async function editPageInTransaction<Result>(
  ctx: EditContext & Pick<Context, 'transaction' | 'wake'>,
  id: number,
  change: (edit: PageEdit) => Promise<Result>,
  options?: EditOptions,
): Promise<Result> {
  const result = await ctx.transaction((tx) => editPage(tx, ctx, id, change, options))
  await ctx.wake.invalidation()
  return result
}

/** Adds a page; `change` saves its texts. @returns the result of `change` */
export async function addPage<Result>(
  tx: Transaction,
  ctx: EditContext,
  { fixed, seeded = false, collection = null }: { fixed: boolean; seeded?: boolean; collection?: string | null },
  change: (edit: PageEdit) => Promise<Result>,
): Promise<Result> {
  const current = await lockAndRefresh(tx, ctx, { seeded })
  const [now, by] = [ctx.now(), authorOf(ctx)]
  const id = await insertPage(tx, { fixed, collection, at: now, by })
  const createdAt = now.toISOString()
  const times = { deletedAt: null, createdAt, updatedAt: createdAt, updatedBy: by }
  return runEdit(tx, current, { id, fixed, seeded: false, collection, ...times, texts: {} }, change, { seeded })
}

async function runEdit<Result>(
  tx: Transaction,
  ctx: EditContext,
  page: PageRow,
  change: (edit: PageEdit) => Promise<Result>,
  { seeded = false }: EditOptions,
): Promise<Result> {
  const original = structuredClone(page)
  const entries: PageAuditEntry[] = []
  let deleted = false
  const edit = beginEdit(tx, ctx, page, { record: (entry) => entries.push(entry), delete: () => (deleted = true) })
  const result = await change(edit)
  if (seeded || !deepEqual(original, page)) page.seeded = seeded
  if (deleted) await deletePageRow(tx, page.id)
  else await writeEdit(edit, ctx, original)
  for (const entry of entries) {
    await record(tx, { now: ctx.now, actor: ctx.actor }, { ...entry, subject: subjectOf(page, ctx.site) })
  }
  return result
}

function beginEdit(
  tx: Transaction,
  ctx: EditContext,
  page: PageRow,
  collectors: Pick<PageEdit, 'record' | 'delete'>,
): PageEdit {
  const [now, by] = [ctx.now(), authorOf(ctx)]
  const revisions = new Map<number, RevisionRow>()
  const getText = (locale: Locale): TextRow => {
    const text = page.texts[locale]
    if (!text) throw new Refusal('not_found')
    return text
  }
  const revision: PageEdit['revision'] = async (locale, id) => {
    if (id == null) return undefined
    const row = revisions.get(id) ?? (await findPageRevision(tx, { pageId: page.id, locale }, id))
    if (row) revisions.set(id, row)
    return row
  }
  return {
    ...collectors,
    tx,
    now,
    by,
    page,
    site: ctx.site,
    revision,
    async save(locale, input, options = {}) {
      const { date = null, restoredFrom = null, textPath, slugReplaced = false } = options
      const existing = page.texts[locale]
      // A nested block may have the id of a locked one, so the text is compared as it will be stored.
      const text = { ...input, body: withIds(input.body) }
      const compared = { ...text, slug: (slugReplaced && existing?.slug) || text.slug }
      await refuseLocked({ tx, page, site: ctx.site, revision }, ctx.actor, { locale, text: compared, textPath })
      const version = (existing?.version ?? 0) + 1
      const inserted = { version, text, date, restoredFrom, at: now, by }
      const id = await insertPageRevision(tx, { pageId: page.id, locale }, inserted)
      const saved: RevisionRow = { id, version, text, date, at: now.toISOString(), by }
      revisions.set(id, saved)
      page.texts[locale] = {
        ...(existing ?? { locale, ...notLive, ...notScheduled, ...notTrashed }),
        title: text.title,
        slug: text.slug,
        version,
        savedRevisionId: id,
        savedAt: saved.at,
        savedBy: by,
      }
      page.updatedAt = saved.at
      page.updatedBy = by
      return saved
    },
    async publish(locale, revision, date = revision.date ?? dayAt(now)) {
      const text = getText(locale)
      const { slug, noindex } = revision.text
      if (await isAddressTaken({ tx, page, site: ctx.site }, slug, locale)) {
        throw new Refusal('invalid', { problems: [{ path: 'text.slug', key: 'slugTaken' }] })
      }
      await redirectOldPath(tx, { from: livePath(text, ctx.site), to: pathOf(slug, locale, ctx.site), at: now, by })
      await markPublished(tx, revision.id)
      // Ends the review of this revision or of an older one.
      await endReview(tx, { pageId: page.id, locale }, { state: 'published', at: now, by, upTo: revision.id })
      await describeImages(tx, ctx, { locale, value: revision.text.body })
      revisions.set(revision.id, revision)
      const live = { liveRevisionId: revision.id, liveSlug: slug, liveNoindex: noindex, liveDate: date }
      const { unpublishAt } = text
      const schedule = { ...notScheduled, unpublishAt }
      Object.assign(text, live, { publishedAt: now.toISOString() }, schedule, noTrashedLive)
    },
    unpublish: (locale) => void Object.assign(getText(locale), notLive, { unpublishAt: null }),
    schedule(locale, { publish, unpublishAt }) {
      if (publish) revisions.set(publish.revision.id, publish.revision)
      Object.assign(getText(locale), {
        publishAt: publish?.at ?? null,
        publishRevisionId: publish?.revision.id ?? null,
        publishSlug: publish?.revision.text.slug ?? null,
        unpublishAt,
      })
    },
  }
}

/** The columns of a text that is not live, not scheduled, or has nothing to restore from the trash. */
const notLive = { liveRevisionId: null, liveSlug: null, liveNoindex: false, liveDate: null, publishedAt: null }
const notScheduled = { publishAt: null, publishRevisionId: null, publishSlug: null, unpublishAt: null }
export const noTrashedLive = { trashedLiveRevisionId: null, trashedLiveDate: null }
const notTrashed = {
  ...noTrashedLive,
  trashedPublishAt: null,
  trashedPublishRevisionId: null,
  trashedUnpublishAt: null,
}

/** Writes the page and its changed texts, and what derives from them. @param original the page before the change */
async function writeEdit(edit: PageEdit, ctx: EditContext, original: PageRow): Promise<void> {
  const { tx, page } = edit
  const tags = new Set<string>()
  for (const text of textsOf(page)) {
    const { locale } = text
    const old = original.texts[locale]
    if (deepEqual(old, text) && original.deletedAt === page.deletedAt) continue
    await upsertText(tx, page.id, text)
    const usages = [
      ['saved', old?.savedRevisionId ?? null, text.savedRevisionId],
      ['live', liveIdOf(old), liveIdOf(text)],
      ['scheduled', scheduledIdOf(original, locale), scheduledIdOf(page, locale)],
    ] as const
    for (const [source, oldId, newId] of usages) {
      if (oldId === newId) continue
      const content = (await edit.revision(locale, newId))?.text
      await writeUsages(tx, { pageId: page.id, locale, source, userId: null }, content)
    }
    const liveBefore = old ?? notLive
    if (liveBefore.liveRevisionId !== text.liveRevisionId) {
      const live = await edit.revision(locale, text.liveRevisionId)
      await indexPage(tx, ctx, { pageId: page.id, collection: page.collection, locale, live })
    }
    if (liveBefore.liveRevisionId !== text.liveRevisionId || liveBefore.liveDate !== text.liveDate) {
      for (const tag of cacheTagsOf(page.id, [text.liveSlug, liveBefore.liveSlug])) tags.add(tag)
    }
  }
  if (page.collection !== null && tags.size > 0) {
    await writeEntryRows(tx, ctx.site, page)
    tags.add(collectionTag(page.collection))
  }
  if (!deepEqual(original, page)) await updatePage(tx, page)
  if (tags.size > 0) await invalidate(tx, [...tags])
}

/** The id of the revision that is live, or that was when the page was trashed and may be again after a restore. */
const liveIdOf = (text: TextRow | undefined): number | null =>
  text?.liveRevisionId ?? text?.trashedLiveRevisionId ?? null

/** The id of the revision that is scheduled, or will be when the page is restored from the trash. */
function scheduledIdOf({ deletedAt, texts }: PageRow, locale: Locale): number | null {
  const text = texts[locale]
  return (deletedAt === null ? text?.publishRevisionId : text?.trashedPublishRevisionId) ?? null
}

/** The cache tags that a change of a live page invalidates: by its id, by these slugs, and `sitemap`. */
const cacheTagsOf = (pageId: number, slugs: readonly (string | null)[]): string[] => [
  'sitemap',
  `page#${pageId}`,
  ...slugs.flatMap((slug) => (slug === null ? [] : [`page:/${slug}`])),
]

/**
 * Serializes page changes across instances until the transaction ends, so that no slug is taken twice and no file is
 * deleted while a page starts to use it.
 */
export async function lockPages(tx: Transaction, ctx: Pick<Context, 'dialect'>): Promise<void> {
  await lockPaths(tx, ctx)
  await lockFiles(tx, ctx)
}

/** The page as the subject of an audit entry. */
export const subjectOf = (page: PageRow, site: SiteLanguages) => ({
  type: 'page',
  id: page.id,
  name: titleOf(page, site) ?? `#${page.id}`,
})

export const pathOf = (slug: string, locale: Locale, site: Pick<SiteLanguages, 'rootLocale'>): string =>
  localizedPath(`/${slug}`, locale, site)
