import type { SiteConfig } from '../../contract/site-config.ts'
import { readSiteFile } from '../../platform/config/site-file.ts'
import type { Database } from '../../platform/db/database.ts'
import { findLatestRevision } from './configuration.queries.ts'
import { readConfiguration, readRevision } from './configuration.ts'

export interface LoadedConfiguration {
  site: SiteConfig
  /** Where it came from: the file's path, or `revision 12`. */
  source: string
}

/**
 * What staff changed wins over the file; without a change the file counts.
 * @throws {ConfigurationRefused} when the one that counts cannot be used
 */
export async function loadConfiguration(
  db: Database,
  from: { file: string; publicDir: string },
): Promise<LoadedConfiguration> {
  const revision = await findLatestRevision(db)
  if (revision) {
    return { site: readRevision(revision, from.publicDir), source: `revision ${revision.id}` }
  }
  return { site: readConfiguration(readSiteFile(from.file), from.file, from.publicDir), source: from.file }
}
