import type { SiteConfig } from '../../contract/site-config.ts'
import type { Database, Transaction } from '../../platform/db/database.ts'
import { findLatestRevision } from './configuration.queries.ts'
import { readRevision } from './configuration.ts'

/**
 * The configuration as the database has it at this moment, which a copy of the program may not have heard of yet.
 * @returns undefined when it is the file's
 */
export async function findSite(db: Database | Transaction): Promise<SiteConfig | undefined> {
  const revision = await findLatestRevision(db)
  return revision && readRevision(revision)
}
