import { createHash } from 'node:crypto'
import { findCollection } from '../../contract/collections.ts'
import type { SiteConfig, SitePage } from '../../contract/site-config.ts'
import type { Database } from '../../platform/db/database.ts'
import { listSeeds, type SeedRow } from './seed.queries.ts'

/** Whether `seedPages` has something to do, which most starts have not: then it need not be loaded. */
export const hasPagesToSeed = async (db: Database, site: SiteConfig, options: { changed: boolean }): Promise<boolean> =>
  pagesToSeed(site, options, await listSeeds(db)).length > 0

/** The pages of the configuration that the database does not have yet, or has with an older text of the file. */
export function pagesToSeed(
  site: SiteConfig,
  { changed }: { changed: boolean },
  seeds: readonly SeedRow[],
): { page: SitePage; seed: SeedRow | undefined }[] {
  // Staff may have removed a collection since.
  const pages = site.pages.filter(({ collection: id }) => id === undefined || findCollection(site, id))
  return pages.flatMap((page) => {
    const seed = seeds.find(({ slug }) => slug === page.slug)
    const isNew = changed && seed?.pageId != null && seed.hash !== hashOf(page)
    return seed && !isNew ? [] : [{ page, seed }]
  })
}

export const hashOf = (page: SitePage): string => createHash('sha256').update(JSON.stringify(page)).digest('base64url')
