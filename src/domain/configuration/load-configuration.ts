import type { SiteConfig } from '../../contract/site-config.ts'
import type { ConfigurationCache } from '../../platform/config/configuration-cache.ts'
import { readSiteFile } from '../../platform/config/site-file.ts'
import type { Database } from '../../platform/db/database.ts'
import { findLatestConfigRevision, hasConfigRevision } from './configuration.queries.ts'
import { checkLogo, parseConfigRevision, parseConfiguration } from './configuration.ts'

export interface LoadedConfiguration {
  site: SiteConfig
  /** Where it was loaded from: the path of the file, or `revision 12`. */
  source: string
  /** The text of the file; undefined for a revision. */
  fileText?: string
}

/**
 * The current configuration: the newest revision, or the file when there is none.
 * @param from.cache where the last result is stored
 * @throws {InvalidConfiguration}
 */
export async function loadConfiguration(
  db: Database,
  from: { file: string; publicDir: string; cache?: ConfigurationCache<SiteConfig> },
): Promise<LoadedConfiguration> {
  const { file, publicDir, cache } = from
  const revision = await findLatestConfigRevision(db)
  const source = revision ? `revision ${revision.id}` : file
  const text = revision ? revision.config : readSiteFile(file)
  const loadedFrom = { source, ...(!revision && { fileText: text }) }
  // A file is checked more strictly than a revision, so the same text may be valid as one of them only.
  const key = `${revision ? 'revision' : 'file'} ${text}`
  const cached = cache?.find(key)
  if (cached) {
    // The logo may have been removed from the disk since.
    checkLogo(cached, source, publicDir)
    return { site: cached, ...loadedFrom }
  }
  const site = revision ? parseConfigRevision(revision, publicDir) : parseConfiguration(text, source, publicDir)
  cache?.store(key, site)
  return { site, ...loadedFrom }
}

/** The newest revision; undefined when there is none. @throws {InvalidConfiguration} */
export async function findStoredConfiguration(
  db: Database,
  publicDir: string,
): Promise<LoadedConfiguration | undefined> {
  const revision = await findLatestConfigRevision(db)
  return revision && { site: parseConfigRevision(revision, publicDir), source: `revision ${revision.id}` }
}

/** Whether the site uses a stored configuration instead of the file, also while migrations are pending. */
export const isConfigurationStored = (db: Database): Promise<boolean> => hasConfigRevision(db)
