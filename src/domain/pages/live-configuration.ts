import { withoutIds } from '../../blocks/block-ids.ts'
import { readEntryValue } from '../../blocks/entry-values.ts'
import { inlineSections } from '../../blocks/section.tsx'
import { type EntryField, findCollection } from '../../contract/collections.ts'
import { deepEqual } from '../../contract/deep-equal.ts'
import { limits } from '../../contract/limits.ts'
import { type Locale, mainLocaleOf } from '../../contract/locales.ts'
import type { SiteConfig, SitePage } from '../../contract/site-config.ts'
import type { Db } from '../../platform/db/database.ts'
import { fillSections } from '../sections/shown-sections.ts'
import { listPublishedEntries } from './entry.queries.ts'
import { findLiveRow, listLiveSlugs } from './live-page.queries.ts'
import { withMenuSlugs } from './menu-pages.ts'
import { findStoredPageId, listSeeds, type SeedRow } from './seed.queries.ts'

/**
 * The configuration for an export file, with the live texts of its pages, the published entries of its collections, and
 * copies of the sections in them; unpublished content is left out.
 * @returns `omitted`: how many of the oldest entries were left out, because the file would be too large to import
 */
export async function withLivePages(db: Db, site: SiteConfig): Promise<{ site: SiteConfig; omitted: number }> {
  const published = (await listPublishedEntries(db)).filter(({ collection }) => findCollection(site, collection))
  const entryIds = new Set(published.map(({ id }) => id))
  const pages: SitePage[] = []
  for await (const { page, id, live } of pairWithLive(db, site)) {
    // Before the first start the database has no pages.
    if (id === undefined) pages.push(page)
    else if (live && page.collection === undefined && !entryIds.has(id ?? 0)) pages.push(live)
  }
  const { entries, omitted } = await collectEntries(db, site, { pages, published })
  return { site: await withMenuSlugs(db, { ...site, pages: [...pages, ...entries] }), omitted }
}

/** As many of the newest published entries as fit into the file with the pages; the oldest first. */
async function collectEntries(
  db: Db,
  site: SiteConfig,
  { pages, published }: { pages: readonly SitePage[]; published: readonly { id: number; collection: string }[] },
) {
  const seeds = await listSeeds(db)
  const takenSlugs = new Set(pages.map(({ slug }) => slug))
  const entries: SitePage[] = []
  let bytes = sizeOf({ ...site, pages })
  let omitted = 0
  for (const { id, collection } of published) {
    const fields = findCollection(site, collection)?.fields ?? []
    const isFull = omitted > 0 || pages.length + entries.length >= limits.configPages
    const entry = isFull
      ? undefined
      : await loadLiveEntry(db, { id, collection, fields, seeds, takenSlugs, main: mainLocaleOf(site) })
    // The entry was unpublished meanwhile.
    if (!isFull && !entry) continue
    // Nested twice, as deep as in the file, so that the indentation counts too.
    bytes += entry ? sizeOf([[entry]]) : 0
    if (!entry || bytes > limits.exportedConfigBytes) omitted++
    else {
      entries.push(entry)
      takenSlugs.add(entry.slug)
    }
  }
  return { entries: entries.reverse(), omitted }
}

/** The bytes in the request of the import screen, which sends the indented JSON of the file as a JSON string. */
const sizeOf = (value: object): number => Buffer.byteLength(JSON.stringify(JSON.stringify(value, null, 2)))

/** An entry as a page of the file, under a slug that is unique there; undefined when it is not live. */
async function loadLiveEntry(
  db: Db,
  source: {
    id: number
    collection: string
    fields: readonly EntryField[]
    seeds: readonly SeedRow[]
    takenSlugs: Set<string>
    main: Locale
  },
): Promise<SitePage | undefined> {
  const { id, collection, fields, seeds, takenSlugs, main } = source
  const liveSlugs = await listLiveSlugs(db, id)
  const original = liveSlugs.find(({ locale }) => locale === main) ?? liveSlugs[0]
  const preferred = seeds.find(({ pageId }) => pageId === id)?.slug ?? original?.slug ?? ''
  // An entry in another language may have the same slug, and a seeded one may have had it before.
  const isTaken = takenSlugs.has(preferred) || seeds.some((seed) => seed.slug === preferred && seed.pageId !== id)
  const slug = isTaken ? `${preferred}-${original?.locale}-${id}` : preferred
  const entry = await loadLivePage(db, { slug, collection }, { id, main })
  for (const text of Object.values(entry?.content ?? {})) {
    // A value that no longer fits its field is not shown, and could not be imported.
    if (!text?.fields) continue
    const validFields = fields.flatMap((field) => {
      const value = readEntryValue(field, text.fields?.[field.id])
      return value === undefined ? [] : [[field.id, value] as const]
    })
    delete text.fields
    if (validFields.length > 0) text.fields = Object.fromEntries(validFields)
  }
  return entry
}

/** The pages of a configuration that are not published, or whose live text differs from the configuration. */
export async function listChangedPages(db: Db, site: SiteConfig): Promise<SitePage[]> {
  const changed: SitePage[] = []
  for await (const { page, live } of pairWithLive(db, site)) {
    if (!live || !deepEqual(withoutIds(live), withoutIds(page))) changed.push(page)
  }
  return changed
}

/** Yields the pages of a configuration with the live page, if any, and its id: null: deleted; undefined: unknown. */
async function* pairWithLive(db: Db, site: SiteConfig) {
  const seeds = await listSeeds(db)
  for (const page of site.pages) {
    const id = await findStoredPageId(db, seeds, page)
    yield { page, id, live: id == null ? undefined : await loadLivePage(db, page, { id, main: mainLocaleOf(site) }) }
  }
}

/**
 * The live texts of a page in the format of the configuration; undefined for one that is not live, or that is no entry
 * and not live in the main language.
 */
async function loadLivePage(
  db: Db,
  { slug, collection }: Pick<SitePage, 'slug' | 'collection'>,
  { id, main }: { id: number; main: Locale },
): Promise<SitePage | undefined> {
  const content: SitePage['content'] = {}
  const dates = new Map<string, string>()
  for (const { locale, slug: liveSlug } of await listLiveSlugs(db, id)) {
    const live = await findLiveRow(db, locale, liveSlug)
    if (!live) continue
    const { text, date } = live
    const { body } = await fillSections(db, { locale, main }, text.body)
    content[locale] = {
      title: text.title,
      description: text.description,
      body: inlineSections(body),
      ...(liveSlug !== slug && { slug: liveSlug }),
      ...(text.seoTitle !== '' && { seoTitle: text.seoTitle }),
      ...(text.picture !== '' && { picture: text.picture }),
      ...(text.noindex && { noindex: true }),
      ...(collection !== undefined && text.fields && Object.keys(text.fields).length > 0 && { fields: text.fields }),
    }
    dates.set(locale, date)
  }
  const latest = [...dates.values()].sort().at(-1)
  const mainContent = content[main]
  // Only entries may lack the main language.
  if ((!mainContent && collection === undefined) || latest === undefined) return undefined
  for (const [locale, date] of dates) if (date !== latest) Object.assign(content[locale] ?? {}, { updated: date })
  const mainFirst = mainContent ? { [main]: mainContent, ...content } : content
  return { slug, ...(collection !== undefined && { collection }), updated: latest, content: mainFirst }
}
