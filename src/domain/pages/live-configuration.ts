import { withoutIds } from '../../blocks/block-ids.ts'
import { readEntryValue } from '../../blocks/entry-values.ts'
import { inlineSections } from '../../blocks/section.tsx'
import { type EntryField, findCollection } from '../../contract/collections.ts'
import { deepEqual } from '../../contract/deep-equal.ts'
import { limits } from '../../contract/limits.ts'
import { type Locale, mainLocaleOf } from '../../contract/locales.ts'
import type { SiteConfig, SitePage } from '../../contract/site-config.ts'
import type { Db } from '../../platform/db/database.ts'
import { showSections } from '../sections/shown-sections.ts'
import { listPublishedEntries } from './entry.queries.ts'
import { findLiveRow, listLiveSlugs } from './live-page.queries.ts'
import { withMenuSlugs } from './menu-pages.ts'
import { findKnownPage, listSeeds, type SeedRow } from './seed.queries.ts'

/**
 * The configuration for a file, with the live texts of its pages, the published entries of its collections, and copies of
 * the sections in them; unpublished content is left out.
 * @returns `omitted`: how many of the oldest entries did not fit into a file that can be imported
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
  const { entries, omitted } = await fillWithEntries(db, site, { pages, published })
  return { site: await withMenuSlugs(db, { ...site, pages: [...pages, ...entries] }), omitted }
}

/** The newest published entries, as many as fit beside the pages, in the order in which they were made. */
async function fillWithEntries(
  db: Db,
  site: SiteConfig,
  { pages, published }: { pages: readonly SitePage[]; published: readonly { id: number; collection: string }[] },
) {
  const seeds = await listSeeds(db)
  const slugs = new Set(pages.map(({ slug }) => slug))
  const entries: SitePage[] = []
  let bytes = sizeOf({ ...site, pages })
  let omitted = 0
  for (const { id, collection } of published) {
    const fields = findCollection(site, collection)?.fields ?? []
    const isFull = omitted > 0 || pages.length + entries.length >= limits.configPages
    const entry = isFull
      ? undefined
      : await liveEntry(db, { id, collection, fields, seeds, slugs, main: mainLocaleOf(site) })
    // It was unpublished meanwhile.
    if (!isFull && !entry) continue
    bytes += entry ? sizeOf([[entry]]) : 0
    if (!entry || bytes > limits.exportedConfigBytes) omitted++
    else {
      entries.push(entry)
      slugs.add(entry.slug)
    }
  }
  return { entries: entries.reverse(), omitted }
}

/** In bytes of the file as the import screen sends it: a JSON string of indented JSON. */
const sizeOf = (value: object): number => Buffer.byteLength(JSON.stringify(JSON.stringify(value, null, 2)))

async function liveEntry(
  db: Db,
  of: {
    id: number
    collection: string
    fields: readonly EntryField[]
    seeds: readonly SeedRow[]
    slugs: Set<string>
    main: Locale
  },
): Promise<SitePage | undefined> {
  const { id, collection, fields, seeds, slugs, main } = of
  const live = await listLiveSlugs(db, id)
  const [first] = [...live.filter(({ locale }) => locale === main), ...live]
  const own = seeds.find(({ pageId }) => pageId === id)?.slug ?? first?.slug ?? ''
  // The entry of another language may have the same slug, and one that was seeded may have had it before.
  const isTaken = slugs.has(own) || seeds.some((seed) => seed.slug === own && seed.pageId !== id)
  const slug = isTaken ? `${own}-${first?.locale}-${id}` : own
  const entry = await livePage(db, { slug, collection }, { id, main })
  for (const text of Object.values(entry?.content ?? {})) {
    // A value that no longer fits its field is not shown, and could not be imported.
    if (!text?.fields) continue
    const fitting = fields.flatMap((field) => {
      const value = readEntryValue(field, text.fields?.[field.id])
      return value === undefined ? [] : [[field.id, value] as const]
    })
    delete text.fields
    if (fitting.length > 0) text.fields = Object.fromEntries(fitting)
  }
  return entry
}

/** The pages of a configuration whose live text differs, or that are not published. */
export async function listChangedPages(db: Db, site: SiteConfig): Promise<SitePage[]> {
  const changed: SitePage[] = []
  for await (const { page, live } of pairWithLive(db, site)) {
    if (!live || !deepEqual(withoutIds(live), withoutIds(page))) changed.push(page)
  }
  return changed
}

/** The pages of a configuration with their live text and their id: null if deleted, undefined if unknown. */
async function* pairWithLive(db: Db, site: SiteConfig) {
  const seeds = await listSeeds(db)
  for (const page of site.pages) {
    const id = await findKnownPage(db, seeds, page)
    yield { page, id, live: id == null ? undefined : await livePage(db, page, { id, main: mainLocaleOf(site) }) }
  }
}

async function livePage(
  db: Db,
  { slug, collection }: Pick<SitePage, 'slug' | 'collection'>,
  { id, main }: { id: number; main: Locale },
): Promise<SitePage | undefined> {
  const content: SitePage['content'] = {}
  const dates = new Map<string, string>()
  for (const { locale, slug: own } of await listLiveSlugs(db, id)) {
    const live = await findLiveRow(db, locale, own)
    if (!live) continue
    const { text, date } = live
    const { body } = await showSections(db, { locale, main }, text.body)
    content[locale] = {
      title: text.title,
      description: text.description,
      body: inlineSections(body),
      ...(own !== slug && { slug: own }),
      ...(text.seoTitle !== '' && { seoTitle: text.seoTitle }),
      ...(text.picture !== '' && { picture: text.picture }),
      ...(text.noindex && { noindex: true }),
      ...(collection !== undefined && text.fields && Object.keys(text.fields).length > 0 && { fields: text.fields }),
    }
    dates.set(locale, date)
  }
  const updated = [...dates.values()].sort().at(-1)
  const own = content[main]
  if ((!own && collection === undefined) || updated === undefined) return undefined
  for (const [locale, date] of dates) if (date !== updated) Object.assign(content[locale] ?? {}, { updated: date })
  const inOrder = own ? { [main]: own, ...content } : content
  return { slug, ...(collection !== undefined && { collection }), updated, content: inOrder }
}
