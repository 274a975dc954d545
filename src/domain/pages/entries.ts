import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'
import { entryValueSchema, readEntryValue } from '../../blocks/entry-values.ts'
import {
  type Collection,
  categoryField,
  collectionAt,
  collectionSlug,
  dateField,
  type EntryField,
  type EntryValues,
  findCollection,
  isEntrySlug,
  isHiddenEntry,
} from '../../contract/collections.ts'
import type { EntryCount } from '../../contract/configuration.ts'
import { deepEqual } from '../../contract/deep-equal.ts'
import { type FieldProblem, Refusal } from '../../contract/errors.ts'
import { fieldProblems } from '../../contract/field-problems.ts'
import { type Locale, localizedPath, mainLocaleOf, rootLocaleOf } from '../../contract/locales.ts'
import type { PageText } from '../../contract/pages.ts'
import type { SiteConfig } from '../../contract/site-config.ts'
import { isLanguagePrefix } from '../../contract/slug.ts'
import type { Context } from '../../platform/context.ts'
import type { Db, Transaction } from '../../platform/db/database.ts'
import type { PageEntryTable } from '../../platform/db/tables/pages.ts'
import { foldWords } from '../../platform/db/text-search.ts'
import { findRedirectFrom } from '../redirects/redirect.queries.ts'
import {
  countEntriesByCollection,
  deleteEntryRowsIn,
  hasEntriesElsewhere,
  listEntryIds,
  replaceEntryRows,
} from './entry.queries.ts'
import { findRevisionText } from './live-page.queries.ts'
import { isSlugTaken, listPageRows, type PageRow } from './page.queries.ts'

type Site = Pick<SiteConfig, 'collections'>
type SiteInLanguages = Pick<SiteConfig, 'collections' | 'locales' | 'rootLocale'>

/** The cache tag of everything that shows entries of a collection. */
export const collectionTag = (id: string): string => `collection#${id}`

/** The slug of an entry: its name below the slug of its collection. Without a collection, the name itself. */
export function slugBelow(site: Site, collectionId: string | null | undefined, name: string, locale: Locale): string {
  const collection = findCollection(site, collectionId ?? null)
  return collection ? `${collectionSlug(collection, locale)}/${name}` : name
}

/** Whether a page may have a slug: an entry has one below its collection, and no page has that of an overview. */
export function entrySlugProblem(
  site: Site,
  page: { collection: string | null },
  slug: string,
  locale: Locale,
): 'entrySlug' | 'slugTaken' | undefined {
  if (collectionAt(site, slug, locale)) return 'slugTaken'
  if (page.collection === null) return undefined
  const collection = findCollection(site, page.collection)
  // A hidden entry keeps its slug, which is below its collection when that is back.
  return collection && isEntrySlug(collection, slug, locale) ? undefined : 'entrySlug'
}

/**
 * Whether another page, an overview or the prefix of a language has an address, so that a page cannot be shown at it. Only
 * pages in the language at the root can have the prefix of another.
 */
export const isAddressTaken = async (
  { tx, page, site }: { tx: Transaction; page: { id: number }; site: SiteInLanguages },
  slug: string,
  locale: Locale,
): Promise<boolean> =>
  collectionAt(site, slug, locale) !== undefined ||
  (locale === rootLocaleOf(site) && isLanguagePrefix(site.locales, slug)) ||
  isSlugTaken(tx, { locale, slug, pageId: page.id })

/**
 * Validates the values of an entry and sanitizes rich text. Unchanged values are accepted even if they no longer match
 * their field, so that a change of the collection loses no data.
 * @throws {Refusal} `invalid` at `text.fields.…`
 */
export function checkValues(
  site: Site,
  { collection: id }: { collection: string | null },
  { before = {}, now = {} }: { before: EntryValues | undefined; now: EntryValues | undefined },
): EntryValues {
  const fields = findCollection(site, id)?.fields ?? []
  const problems: FieldProblem[] = []
  const checked: EntryValues = {}
  for (const [name, value] of Object.entries(now)) {
    const field = fields.find((one) => one.id === name)
    const path = `text.fields.${name}`
    if (value === '') continue
    if (before[name] !== undefined && deepEqual(before[name], value)) checked[name] = value
    else if (!field) problems.push({ path, key: 'unknownField' })
    else {
      const read = z.strictObject({ value: entryValueSchema(field) }).safeParse({ value })
      if (read.success) checked[name] = read.data.value
      else problems.push(...fieldProblems(read.error).map((problem) => ({ ...problem, path })))
    }
  }
  for (const field of fields) {
    const path = `text.fields.${field.id}`
    const isMissing = field.required && isEmpty(field, checked[field.id])
    if (isMissing && !problems.some((one) => one.path === path)) problems.push({ path, key: 'required' })
  }
  if (problems.length > 0) throw new Refusal('invalid', { problems: problems.slice(0, 20) })
  return checked
}

/** Also a choice whose option was removed from the collection: visitors do not see it. */
const isEmpty = (field: EntryField, value: EntryValues[string] | undefined): boolean =>
  value === undefined ||
  value === '' ||
  value === '<p></p>' ||
  (field.type === 'choice' && readEntryValue(field, value) === undefined)

/**
 * Writes what overviews list of an entry: in each language of the site its text, or else that in the main one.
 * @param only the languages to write; omitted: all of them
 */
export async function writeEntries(
  tx: Transaction,
  site: SiteInLanguages,
  page: Pick<PageRow, 'id' | 'collection' | 'texts'>,
  only?: readonly Locale[],
): Promise<void> {
  const collection = findCollection(site, page.collection)
  const rows: PageEntryTable[] = []
  for (const locale of only ?? site.locales) {
    const live = [page.texts[locale], page.texts[mainLocaleOf(site)]].find((one) => one?.liveRevisionId != null)
    const text = live?.liveRevisionId && (await findRevisionText(tx, live.liveRevisionId))
    if (!collection || !live?.liveRevisionId || !text) continue
    const { date, category } = facetsOf(collection, text, live.liveDate ?? '')
    rows.push({
      page_id: page.id,
      locale,
      collection: collection.id,
      text_locale: live.locale,
      revision_id: live.liveRevisionId,
      slug: text.slug,
      date,
      category,
      sort_key: collection.order === 'title' ? titleKey(text.title) : date,
    })
  }
  await replaceEntryRows(tx, page.id, rows, only)
}

/** Persian characters that Unicode orders unlike the alphabet; each sorts after all words with the character before it. */
const persianSortKeys: Record<string, string> = {
  پ: 'ب\uffff',
  چ: 'ج\uffff',
  ژ: 'ز\uffff',
  ک: 'ق\uffff',
  گ: 'ق\uffff\uffff',
  ه: 'و\uffff',
}

/** A title as a sort key, for the bytewise order of the database. Migration 0062 converted the keys that older versions stored. */
const titleKey = (title: string): string =>
  foldWords(title)
    .slice(0, 200)
    .replace(/[پچژکگه]/g, (character) => persianSortKeys[character] ?? character)

/** The date and the category of an entry. */
function facetsOf(collection: Collection, { fields = {} }: PageText, liveDate: string) {
  const read = (field: ReturnType<typeof dateField>) => field && readEntryValue(field, fields[field.id])
  return {
    date: String(read(dateField(collection)) ?? liveDate),
    category: String(read(categoryField(collection)) ?? ''),
  }
}

/** The collections of a site, and how many entries outside the trash each has, also those that were removed. */
export const showCollections = async ({ db, site }: Pick<Context, 'db' | 'site'>) => ({
  data: site.collections ?? [],
  entries: await countEntriesByCollection(db),
})

/** The collections that a site lacks and that have entries outside the trash, which are hidden. */
export async function listHiddenCollections(db: Db, site: Site): Promise<EntryCount[]> {
  const counts = await countEntriesByCollection(db)
  return counts.filter(({ id }) => isHiddenEntry(site, id))
}

const batch = 200

/**
 * Validates changed collections against existing pages, and updates the list rows of their entries. Those of a collection
 * that is removed stay, so that they are there when it is back. Needs `lockPaths`.
 * @throws {Refusal} `invalid` when a collection with entries changes its slug, or when a slug conflicts with a page, a
 * redirect or a language prefix
 */
export async function applyCollections(
  tx: Transaction,
  before: SiteInLanguages | undefined,
  site: SiteInLanguages,
): Promise<void> {
  const [was, is] = [before?.collections ?? [], site.collections ?? []]
  const added = site.locales.filter((locale) => !before?.locales.includes(locale))
  const removed = (before?.locales ?? []).filter((locale) => !site.locales.includes(locale))
  const mainMoves = before !== undefined && mainLocaleOf(before) !== mainLocaleOf(site)
  if (deepEqual(was, is) && added.length === 0 && removed.length === 0 && !mainMoves) return
  const problems: FieldProblem[] = []
  for (const [index, collection] of is.entries()) {
    const old = was.find(({ id }) => id === collection.id)
    for (const locale of site.locales) {
      const slug = collectionSlug(collection, locale)
      const clash = added.find((one) => isLanguagePrefix([one], slug))
      if (clash && old) problems.push({ path: `locales.${site.locales.indexOf(clash)}`, key: 'languageInUse' })
      if (old && collectionSlug(old, locale) === slug) continue
      const path = `collections.${index}.slug.${collection.slug[locale] === undefined ? mainLocaleOf(site) : locale}`
      if (isLanguagePrefix(site.locales, slug)) problems.push({ path, key: 'slugReserved' })
      // Also those of a collection that comes back.
      else if (await hasEntriesElsewhere(tx, { collection: collection.id, locale, slug }))
        problems.push({ path, key: 'collectionMoves' })
      else if (await isSlugTaken(tx, { locale, slug, pageId: undefined })) problems.push({ path, key: 'slugTaken' })
      else if (await findRedirectFrom(tx, localizedPath(`/${slug}`, locale, site)))
        problems.push({ path, key: 'redirectTaken' })
    }
  }
  const once = problems.filter(({ path }, index) => problems.findIndex((one) => one.path === path) === index)
  if (once.length > 0) throw new Refusal('invalid', { problems: once.slice(0, 20) })
  for (const collection of is) {
    const old = was.find(({ id }) => id === collection.id)
    const isSame = !mainMoves && deepEqual(old && orderOf(old), orderOf(collection))
    if (!isSame) await listAgain(tx, site, collection.id)
    else if (added.length > 0) await listAgain(tx, site, collection.id, added)
  }
  if (removed.length > 0) await deleteEntryRowsIn(tx, removed)
}

/** The settings that the list rows depend on; labels are not in these rows, but read from the configuration. */
function orderOf(collection: Collection) {
  const category = categoryField(collection)
  return [collection.order, dateField(collection)?.id, category?.id, category?.options?.map(({ id }) => id)]
}

async function listAgain(tx: Transaction, site: SiteInLanguages, id: string, only?: readonly Locale[]): Promise<void> {
  for (let after = 0; ; ) {
    const ids = await listEntryIds(tx, id, after, batch)
    for (const page of await listPageRows(tx, ids)) await writeEntries(tx, site, page, only)
    const last = ids.at(-1)
    if (last === undefined) return
    after = last
    // Lets other requests run in between.
    await nextTurn()
  }
}
