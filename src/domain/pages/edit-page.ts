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
import { collectionTag, writeEntries } from './entries.ts'
import {
  findPageRow,
  findStoredSite,
  isSlugTaken,
  livePath,
  type PageRow,
  type TextRow,
  textsOf,
  titleOf,
} from './page.queries.ts'
import { deletePageRow, insertPage, updatePage, upsertText, writeUsages } from './page-write.queries.ts'
import { refuseLocked } from './refuse-locked.ts'
import { endReview } from './review.queries.ts'
import { findPageRevision, insertRevision, markPublished, type RevisionRow } from './revision.queries.ts'
import { indexPage } from './search-index.ts'

/** Scheduled jobs and commands have no actor; then the program is recorded as the author. */
export type EditContext = Pick<Context, 'dialect' | 'now' | 'site'> & { actor?: Context['actor'] }

/** A page during a change. Assignments to `page` are written when the change ends. */
export interface PageEdit {
  readonly tx: Transaction
  readonly now: Date
  readonly by: Author
  readonly page: PageRow
  readonly site: EditContext['site']
  /** A revision of this page, cached. */
  revision(locale: Locale, id: number | null | undefined): Promise<RevisionRow | undefined>
  /**
   * Saves a text as the next version and adds missing block ids.
   * @throws {Refusal} `invalid` at each block and field that is locked for the actor
   */
  save(
    locale: Locale,
    text: PageText,
    more?: {
      date?: string
      restoredFrom?: number
      /** The path of the text in the request; by default `text`. */
      at?: string
      /** The server chose another slug, because this one was taken. */
      renamed?: boolean
    },
  ): Promise<RevisionRow>
  /**
   * Publishes a revision: adds a redirect from the old slug, gives uploaded images without a description the alt text
   * that they have on this page, and clears the schedule to publish.
   * @param date the date of the text, when it is neither the revision's nor today
   * @throws {Refusal} `invalid` at `text.slug` when another page has the slug
   */
  publish(locale: Locale, revision: RevisionRow, date?: string): Promise<void>
  /** Unpublishes the page in one language. */
  unpublish(locale: Locale): void
  /** Replaces both schedules. */
  schedule(
    locale: Locale,
    schedule: { publish: { at: string; revision: RevisionRow } | null; unpublishAt: string | null },
  ): void
  /** Deletes the page with its history and drafts. */
  delete(): void
  /** Adds an entry about this page to the audit log. */
  record(entry: Pick<AuditEntry, 'action' | 'before' | 'after'>): void
}

interface EditOptions {
  /** Which pages may be changed: by default those outside the trash. Others are refused. */
  where?: 'site' | 'trash' | 'anywhere'
  /** The change comes from the configuration, so the page still counts as unchanged by users. */
  seeded?: boolean
}

/**
 * Every edit of an existing page goes through this function. It takes the page lock, reads the page once, runs
 * `change`, and then writes the changes, the columns used by list filters, the usages of files and sections, the search
 * index, the cache tags and the audit log.
 * @throws {Refusal} `not_found`, `page_in_bin`, `page_not_in_bin`
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
  const { where = 'site' } = options
  if (!page) throw new Refusal('not_found')
  if (where === 'site' && page.deletedAt !== null) throw new Refusal('page_in_bin')
  if (where === 'trash' && page.deletedAt === null) throw new Refusal('page_not_in_bin')
  return runEdit(tx, current, page, change, options)
}

/**
 * The context with the languages and collections as they are stored: the configuration may have changed since the request
 * began, also on another instance. Pages of a configuration are edited with that, because an import stores it after them.
 */
async function lockAndRefresh(tx: Transaction, ctx: EditContext, { seeded }: EditOptions): Promise<EditContext> {
  await lockPages(tx, ctx)
  return seeded ? ctx : { ...ctx, site: { ...ctx.site, ...(await findStoredSite(tx)) } }
}

/** Runs `editPage` in its own transaction. */
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

/** Adds a page; `change` saves its texts. */
export async function addPage<Result>(
  tx: Transaction,
  ctx: EditContext,
  { fixed, seeded = false, collection = null }: { fixed: boolean; seeded?: boolean; collection?: string | null },
  change: (edit: PageEdit) => Promise<Result>,
): Promise<Result> {
  const current = await lockAndRefresh(tx, ctx, { seeded })
  const [now, by] = [ctx.now(), authorOf(ctx)]
  const id = await insertPage(tx, { fixed, collection, at: now, by })
  const at = now.toISOString()
  const times = { deletedAt: null, createdAt: at, updatedAt: at, updatedBy: by }
  return runEdit(tx, current, { id, fixed, seeded: false, collection, ...times, texts: {} }, change, { seeded })
}

async function runEdit<Result>(
  tx: Transaction,
  ctx: EditContext,
  page: PageRow,
  change: (edit: PageEdit) => Promise<Result>,
  { seeded = false }: EditOptions,
): Promise<Result> {
  const before = structuredClone(page)
  const entries: Pick<AuditEntry, 'action' | 'before' | 'after'>[] = []
  let deleted = false
  const edit = beginEdit(tx, ctx, page, { record: (entry) => entries.push(entry), delete: () => (deleted = true) })
  const result = await change(edit)
  if (seeded || !deepEqual(before, page)) page.seeded = seeded
  if (deleted) await deletePageRow(tx, page.id)
  else await writeEdit(edit, ctx, before)
  for (const entry of entries) {
    await record(tx, { now: ctx.now, actor: ctx.actor }, { ...entry, subject: subjectOf(page, ctx.site) })
  }
  return result
}

function beginEdit(
  tx: Transaction,
  ctx: EditContext,
  page: PageRow,
  more: Pick<PageEdit, 'record' | 'delete'>,
): PageEdit {
  const [now, by] = [ctx.now(), authorOf(ctx)]
  const revisions = new Map<number, RevisionRow>()
  const textIn = (locale: Locale): TextRow => {
    const text = page.texts[locale]
    if (!text) throw new Refusal('not_found')
    return text
  }
  const revision: PageEdit['revision'] = async (locale, id) => {
    if (id == null) return undefined
    const known = revisions.get(id) ?? (await findPageRevision(tx, { pageId: page.id, locale }, id))
    if (known) revisions.set(id, known)
    return known
  }
  return {
    ...more,
    tx,
    now,
    by,
    page,
    site: ctx.site,
    revision,
    async save(locale, wanted, more = {}) {
      const { date = null, restoredFrom = null, at } = more
      const slug = (more.renamed && page.texts[locale]?.slug) || wanted.slug
      // A nested block may have the id of a locked one, so the text is compared as it will be stored.
      const text = { ...wanted, body: withIds(wanted.body) }
      await refuseLocked({ tx, page, site: ctx.site, revision }, ctx.actor, { locale, text: { ...text, slug }, at })
      const version = (page.texts[locale]?.version ?? 0) + 1
      const made = { version, text, date, restoredFrom, at: now, by }
      const id = await insertRevision(tx, { pageId: page.id, locale }, made)
      const saved: RevisionRow = { id, version, text, date, at: now.toISOString(), by }
      revisions.set(id, saved)
      const columns = {
        title: text.title,
        slug: text.slug,
        version,
        savedRevisionId: id,
        savedAt: saved.at,
        savedBy: by,
      }
      page.texts[locale] = {
        ...(page.texts[locale] ?? { locale, ...unpublished, ...unscheduled, ...untrashed }),
        ...columns,
      }
      page.updatedAt = saved.at
      page.updatedBy = by
      return saved
    },
    async publish(locale, revision, date = revision.date ?? dayAt(now)) {
      const text = textIn(locale)
      const { slug, noindex } = revision.text
      if (await isSlugTaken(tx, { locale, slug, pageId: page.id })) {
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
      Object.assign(text, live, { publishedAt: now.toISOString() }, unscheduled, {
        unpublishAt,
        ...notTrashedLive,
      })
    },
    unpublish: (locale) => void Object.assign(textIn(locale), unpublished, { unpublishAt: null }),
    schedule(locale, { publish, unpublishAt }) {
      if (publish) revisions.set(publish.revision.id, publish.revision)
      Object.assign(textIn(locale), {
        publishAt: publish?.at ?? null,
        publishRevisionId: publish?.revision.id ?? null,
        publishSlug: publish?.revision.text.slug ?? null,
        unpublishAt,
      })
    },
  }
}

const unpublished = { liveRevisionId: null, liveSlug: null, liveNoindex: false, liveDate: null, publishedAt: null }
const unscheduled = { publishAt: null, publishRevisionId: null, publishSlug: null, unpublishAt: null }
export const notTrashedLive = { trashedLiveRevisionId: null, trashedLiveDate: null }
const untrashed = {
  ...notTrashedLive,
  trashedPublishAt: null,
  trashedPublishRevisionId: null,
  trashedUnpublishAt: null,
}

async function writeEdit(edit: PageEdit, ctx: EditContext, before: PageRow): Promise<void> {
  const { tx, page } = edit
  const tags = new Set<string>()
  for (const is of textsOf(page)) {
    const { locale } = is
    const was = before.texts[locale]
    if (deepEqual(was, is) && before.deletedAt === page.deletedAt) continue
    await upsertText(tx, page.id, is)
    const usages = [
      ['saved', was?.savedRevisionId ?? null, is.savedRevisionId],
      ['live', liveOf(was), liveOf(is)],
      ['scheduled', scheduledRevisionOf(before, locale), scheduledRevisionOf(page, locale)],
    ] as const
    for (const [source, wasId, isId] of usages) {
      if (wasId === isId) continue
      const text = (await edit.revision(locale, isId))?.text
      await writeUsages(tx, { pageId: page.id, locale, source, userId: null }, text)
    }
    if ((was?.liveRevisionId ?? null) !== is.liveRevisionId) {
      const live = await edit.revision(locale, is.liveRevisionId)
      await indexPage(tx, ctx, { pageId: page.id, collection: page.collection, locale, live })
    }
    if (was?.liveRevisionId !== is.liveRevisionId || was?.liveDate !== is.liveDate) {
      for (const tag of tagsOf(page.id, [is.liveSlug, was?.liveSlug ?? null])) tags.add(tag)
    }
  }
  if (page.collection !== null && tags.size > 0) {
    await writeEntries(tx, ctx.site, page)
    tags.add(collectionTag(page.collection))
  }
  if (!deepEqual(before, page)) await updatePage(tx, page)
  if (tags.size > 0) await invalidate(tx, [...tags])
}

/** The revision that is live, or was before a trip to the trash and may go live again by a restore. */
const liveOf = (text: TextRow | undefined): number | null => text?.liveRevisionId ?? text?.trashedLiveRevisionId ?? null

/** The revision that is scheduled, or will be when the page is restored from the trash. */
function scheduledRevisionOf({ deletedAt, texts }: PageRow, locale: Locale): number | null {
  const text = texts[locale]
  return (deletedAt === null ? text?.publishRevisionId : text?.trashedPublishRevisionId) ?? null
}

/** The cache tags of a page: its own, those of these slugs, and `sitemap`. */
const tagsOf = (pageId: number, slugs: readonly (string | null)[]): string[] => [
  'sitemap',
  `page#${pageId}`,
  ...slugs.flatMap((slug) => (slug === null ? [] : [`page:/${slug}`])),
]

/**
 * Serializes page changes across instances, so that no slug is taken twice and no file is deleted while a page starts
 * to use it.
 */
export async function lockPages(tx: Transaction, ctx: Pick<Context, 'dialect'>): Promise<void> {
  await lockPaths(tx, ctx)
  await lockFiles(tx, ctx)
}

/** The page as the audit log refers to it. */
export const subjectOf = (page: PageRow, site: SiteLanguages) => ({
  type: 'page',
  id: page.id,
  name: titleOf(page, site) ?? `#${page.id}`,
})

export const pathOf = (slug: string, locale: Locale, site: Pick<SiteLanguages, 'rootLocale'>): string =>
  localizedPath(`/${slug}`, locale, site)
