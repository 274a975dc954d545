import { createHash } from 'node:crypto'
import { findCollection } from '../../contract/collections.ts'
import type { SiteConfig, SitePage } from '../../contract/site-config.ts'
import type { Database } from '../../platform/db/database.ts'
import { listSeeds, type SeedRow } from './seed.queries.ts'

/** Whether `seedPages` has anything to do. Mostly it has not, and then its module is not loaded at startup. */
export const hasPagesToSeed = async (db: Database, site: SiteConfig, options: { changed: boolean }): Promise<boolean> =>
  pagesToSeed(site, options, await listSeeds(db)).length > 0

/** The pages of the configuration that were not seeded yet, and with `changed` those that changed in the file since. */
export function pagesToSeed(
  site: SiteConfig,
  { changed }: { changed: boolean },
  seeds: readonly SeedRow[],
): { page: SitePage; seed: SeedRow | undefined }[] {
  // The collection of an entry may have been removed since.
  const pages = site.pages.filter(({ collection: id }) => id === undefined || findCollection(site, id))
  return pages.flatMap((page) => {
    const seed = seeds.find(({ slug }) => slug === page.slug)
    const isChanged = changed && seed?.pageId != null && seed.hash !== hashOf(page)
    return seed && !isChanged ? [] : [{ page, seed }]
  })
}

export const hashOf = (page: SitePage): string => createHash('sha256').update(JSON.stringify(page)).digest('base64url')
