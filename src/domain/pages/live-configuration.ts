import { withoutIds } from '../../blocks/block-ids.ts'
import { withCopies } from '../../blocks/section.tsx'
import { deepEqual } from '../../contract/deep-equal.ts'
import type { SiteConfig, SitePage } from '../../contract/site-config.ts'
import type { Database, Transaction } from '../../platform/db/database.ts'
import { showSections } from '../sections/shown-sections.ts'
import { findLiveRow, listLiveSlugs } from './live-page.queries.ts'
import { withMenuSlugs } from './menu-pages.ts'
import { findPageIdBySlug, listSeeds } from './seed.queries.ts'

/**
 * The configuration for a file, with the live texts of its pages and copies of the sections in them; pages that are not
 * published are left out.
 */
export async function withLivePages(db: Database | Transaction, site: SiteConfig): Promise<SiteConfig> {
  const pages: SitePage[] = []
  for await (const { page, known, live } of compared(db, site)) {
    if (live) pages.push(live)
    // Before the first start the database has no pages.
    else if (!known) pages.push(page)
  }
  return withMenuSlugs(db, { ...site, pages })
}

/** The pages of a configuration whose live text differs, or that are not published. */
export async function listChangedPages(db: Database | Transaction, site: SiteConfig): Promise<SitePage[]> {
  const changed: SitePage[] = []
  for await (const { page, live } of compared(db, site)) {
    if (!live || !deepEqual(withoutIds(live), withoutIds(page))) changed.push(page)
  }
  return changed
}

/** Each page of a configuration with its live text; `known` is true for pages that are in the database. */
async function* compared(db: Database | Transaction, site: SiteConfig) {
  const seeds = await listSeeds(db)
  for (const page of site.pages) {
    const seed = seeds.find(({ slug }) => slug === page.slug)
    const id = seed ? seed.pageId : await findPageIdBySlug(db, page.slug)
    yield { page, known: id !== undefined, live: id == null ? undefined : await livePage(db, page, id) }
  }
}

async function livePage(db: Database | Transaction, { slug }: SitePage, id: number): Promise<SitePage | undefined> {
  const content: Partial<SitePage['content']> = {}
  let updated: string | undefined
  for (const { locale, slug: own } of await listLiveSlugs(db, id)) {
    const live = await findLiveRow(db, locale, own)
    if (!live) continue
    const { text, date } = live
    const { body } = await showSections(db, locale, text.body)
    content[locale] = {
      title: text.title,
      description: text.description,
      body: withCopies(body),
      ...(own !== slug && { slug: own }),
      ...(text.seoTitle !== '' && { seoTitle: text.seoTitle }),
      ...(text.picture !== '' && { picture: text.picture }),
      ...(text.noindex && { noindex: true }),
    }
    if (updated === undefined || date > updated) updated = date
  }
  const { nl } = content
  if (!nl || updated === undefined) return undefined
  const inOrder = { nl, ...content }
  return { slug, updated, content: inOrder as SitePage['content'] }
}
