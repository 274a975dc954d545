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

type Collections = Pick<SiteConfig, 'collections'>
type SiteStructure = Pick<SiteConfig, 'collections' | 'locales' | 'rootLocale'>

/** The cache tag of everything that shows entries of a collection. */
export const collectionTag = (id: string): string => `collection#${id}`

/** The slug of an entry: `name` below the slug of its collection, as `nieuws/opening`. Without a collection, `name`. */
export function slugBelow(site: Collections, id: string | null | undefined, name: string, locale: Locale): string {
  const collection = findCollection(site, id ?? null)
  return collection ? `${collectionSlug(collection, locale)}/${name}` : name
}

/** Why a page may not have a slug: an overview has it, or an entry would be outside its collection; or undefined. */
export function entrySlugProblem(
  site: Collections,
  page: { collection: string | null },
  slug: string,
  locale: Locale,
): 'entrySlug' | 'slugTaken' | undefined {
  if (collectionAt(site, slug, locale)) return 'slugTaken'
  if (page.collection === null) return undefined
  const collection = findCollection(site, page.collection)
  // The entry of a removed collection keeps its slug, which is below the collection again when that is back.
  return collection && isEntrySlug(collection, slug, locale) ? undefined : 'entrySlug'
}

/**
 * Whether another page, an overview or the prefix of a language has the address of a slug. Only a slug in the language
 * at the root, which has no prefix, can be the prefix of another language.
 */
export const isAddressTaken = async (
  { tx, page, site }: { tx: Transaction; page: { id: number }; site: SiteStructure },
  slug: string,
  locale: Locale,
): Promise<boolean> =>
  collectionAt(site, slug, locale) !== undefined ||
  (locale === rootLocaleOf(site) && isLanguagePrefix(site.locales, slug)) ||
  isSlugTaken(tx, { locale, slug, pageId: page.id })

/**
 * Validates the values of an entry and sanitizes rich text. Unchanged values are accepted even if they no longer match
 * their field, so that a change of the collection loses no data. Empty values are left out.
 * @throws {Refusal} `invalid` at `text.fields.…`
 */
export function validateEntryValues(
  site: Collections,
  { collection: id }: { collection: string | null },
  { before = {}, now = {} }: { before: EntryValues | undefined; now: EntryValues | undefined },
): EntryValues {
  const fields = findCollection(site, id)?.fields ?? []
  const problems: FieldProblem[] = []
  const valid: EntryValues = {}
  for (const [name, value] of Object.entries(now)) {
    const field = fields.find(({ id }) => id === name)
    const path = `text.fields.${name}`
    if (value === '') continue
    if (before[name] !== undefined && deepEqual(before[name], value)) valid[name] = value
    else if (!field) problems.push({ path, key: 'unknownField' })
    else {
      const parsed = z.strictObject({ value: entryValueSchema(field) }).safeParse({ value })
      if (parsed.success) valid[name] = parsed.data.value
      else problems.push(...fieldProblems(parsed.error).map((problem) => ({ ...problem, path })))
    }
  }
  for (const field of fields) {
    const path = `text.fields.${field.id}`
    const isMissing = field.required && isEmpty(field, valid[field.id])
    if (isMissing && !problems.some((problem) => problem.path === path)) problems.push({ path, key: 'required' })
  }
  if (problems.length > 0) throw new Refusal('invalid', { problems: problems.slice(0, maxProblems) })
  return valid
}

/** Whether visitors see nothing of a value: also of a choice whose option was removed from the collection. */
const isEmpty = (field: EntryField, value: EntryValues[string] | undefined): boolean =>
  value === undefined ||
  value === '' ||
  value === '<p></p>' ||
  (field.type === 'choice' && readEntryValue(field, value) === undefined)

/**
 * Replaces the rows by which overviews list an entry, each with the live text in a language or else in the main one.
 * @param only the languages to write; omitted: all of them
 */
export async function writeEntryRows(
  tx: Transaction,
  site: SiteStructure,
  page: Pick<PageRow, 'id' | 'collection' | 'texts'>,
  only?: readonly Locale[],
): Promise<void> {
  const collection = findCollection(site, page.collection)
  const rows: PageEntryTable[] = []
  for (const locale of only ?? site.locales) {
    const live = [page.texts[locale], page.texts[mainLocaleOf(site)]].find((text) => text?.liveRevisionId != null)
    const content = live?.liveRevisionId && (await findRevisionText(tx, live.liveRevisionId))
    if (!collection || !live?.liveRevisionId || !content) continue
    const { date, category } = facetsOf(collection, content, live.liveDate ?? '')
    rows.push({
      page_id: page.id,
      locale,
      collection: collection.id,
      text_locale: live.locale,
      revision_id: live.liveRevisionId,
      slug: content.slug,
      date,
      category,
      sort_key: collection.order === 'title' ? titleSortKey(content.title) : date,
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

/** The first 200 characters of a title, for the bytewise order of the database. Migration 0062 converted older keys. */
const titleSortKey = (title: string): string =>
  foldWords(title)
    .slice(0, 200)
    .replace(/[پچژکگه]/g, (character) => persianSortKeys[character] ?? character)

/** The date and the category of an entry; the category is empty when it has none. */
function facetsOf(collection: Collection, { fields = {} }: PageText, liveDate: string) {
  const read = (field: EntryField | undefined) => field && readEntryValue(field, fields[field.id])
  return {
    date: String(read(dateField(collection)) ?? liveDate),
    category: String(read(categoryField(collection)) ?? ''),
  }
}

/** The collections of a site, and the number of entries outside the trash, also of removed collections. */
export const listCollections = async ({ db, site }: Pick<Context, 'db' | 'site'>) => ({
  data: site.collections ?? [],
  entries: await countEntriesByCollection(db),
})

/** The removed collections that still have entries outside the trash, which are hidden. */
export async function listHiddenCollections(db: Db, site: Collections): Promise<EntryCount[]> {
  const counts = await countEntriesByCollection(db)
  return counts.filter(({ id }) => isHiddenEntry(site, id))
}

const batchSize = 200
const maxProblems = 20

/**
 * Validates changed collections against existing pages, and updates the list rows of their entries. Those of a removed
 * collection stay for when it is back. Needs `lockPaths`.
 * @throws {Refusal} `invalid` when a collection with entries changes its slug, or when a slug conflicts with a page, a
 * redirect or a language prefix
 */
export async function applyCollections(
  tx: Transaction,
  before: SiteStructure | undefined,
  site: SiteStructure,
): Promise<void> {
  const [oldCollections, newCollections] = [before?.collections ?? [], site.collections ?? []]
  const added = site.locales.filter((locale) => !before?.locales.includes(locale))
  const removed = (before?.locales ?? []).filter((locale) => !site.locales.includes(locale))
  const mainChanges = before !== undefined && mainLocaleOf(before) !== mainLocaleOf(site)
  if (deepEqual(oldCollections, newCollections) && added.length === 0 && removed.length === 0 && !mainChanges) return
  const problems: FieldProblem[] = []
  for (const [index, collection] of newCollections.entries()) {
    const old = oldCollections.find(({ id }) => id === collection.id)
    for (const locale of site.locales) {
      const slug = collectionSlug(collection, locale)
      const clash = added.find((language) => isLanguagePrefix([language], slug))
      if (clash && old) problems.push({ path: `locales.${site.locales.indexOf(clash)}`, key: 'languageInUse' })
      if (old && collectionSlug(old, locale) === slug) continue
      const path = `collections.${index}.slug.${collection.slug[locale] === undefined ? mainLocaleOf(site) : locale}`
      if (isLanguagePrefix(site.locales, slug)) problems.push({ path, key: 'slugReserved' })
      // Also entries of a removed collection that is added again.
      else if (await hasEntriesElsewhere(tx, { collection: collection.id, locale, slug }))
        problems.push({ path, key: 'collectionMoves' })
      else if (await isSlugTaken(tx, { locale, slug, pageId: undefined })) problems.push({ path, key: 'slugTaken' })
      else if (await findRedirectFrom(tx, localizedPath(`/${slug}`, locale, site)))
        problems.push({ path, key: 'redirectTaken' })
    }
  }
  const unique = problems.filter(({ path }, index) => problems.findIndex((other) => other.path === path) === index)
  if (unique.length > 0) throw new Refusal('invalid', { problems: unique.slice(0, maxProblems) })
  for (const collection of newCollections) {
    const old = oldCollections.find(({ id }) => id === collection.id)
    const isSame = !mainChanges && deepEqual(old && rowSettingsOf(old), rowSettingsOf(collection))
    if (!isSame) await rewriteRows(tx, site, collection.id)
    else if (added.length > 0) await rewriteRows(tx, site, collection.id, added)
  }
  if (removed.length > 0) await deleteEntryRowsIn(tx, removed)
}

/** The settings of a collection that its list rows depend on; labels are read from the configuration instead. */
function rowSettingsOf(collection: Collection) {
  const category = categoryField(collection)
  return [collection.order, dateField(collection)?.id, category?.id, category?.options?.map(({ id }) => id)]
}

/** Rewrites the list rows of all entries of a collection. @param only the languages; omitted: all of them */
async function rewriteRows(tx: Transaction, site: SiteStructure, id: string, only?: readonly Locale[]): Promise<void> {
  for (let afterId = 0; ; ) {
    const ids = await listEntryIds(tx, id, afterId, batchSize)
    for (const page of await listPageRows(tx, ids)) await writeEntryRows(tx, site, page, only)
    const lastId = ids.at(-1)
    if (lastId === undefined) return
    afterId = lastId
    // Lets other requests run in between.
    await nextTurn()
  }
}
