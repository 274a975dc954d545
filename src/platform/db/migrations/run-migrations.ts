import type { Kysely } from 'kysely'
import { type MigrationResultSet, Migrator } from 'kysely/migration'
import type { Dialect } from '../dialect/dialect.ts'
import { files, first, inbox, people } from './0001-to-0004.ts'
import {
  binnedPlans,
  cacheInvalidation,
  configuration,
  draftsAndWriters,
  oneRowDrafts,
  pages,
  searchTextByTriggers,
  views,
} from './0005-to-0012.ts'
import {
  collections,
  erasureAndDays,
  fileNames,
  forms,
  givenPasswords,
  knowablePasswords,
  knownBrowser,
  pageLocks,
  pageReviews,
  pageSearch,
  sections,
  startList,
} from './0014-to-0027.ts'
import {
  backupProofs,
  backupReading,
  backupRetention,
  backups,
  databaseGrowth,
  earlierOffers,
  entryCounts,
  fileDescriptions,
  healthAlarms,
  healthMemory,
  mailReports,
  mailSettings,
  newestEntries,
  restoreJournal,
  searchByWords,
  sectionRevisions,
  spam,
  visitTotals,
} from './0029-to-0059.ts'
import {
  limitedWords,
  plainNames,
  searchTextByTriggersOnPostgres,
  trashedDates,
  uploadersAndTitles,
} from './0060-to-0064.ts'
import type { MigrationOf } from './migration.ts'
import type { MigrationName } from './migration-names.ts'

const migrations: Record<MigrationName, MigrationOf> = {
  '0001-first': first,
  '0002-people': people,
  '0003-inbox': inbox,
  '0004-files': files,
  '0005-pages': pages,
  '0006-views': views,
  '0007-configuration': configuration,
  '0008-drafts-and-writers': draftsAndWriters,
  '0009-binned-plans': binnedPlans,
  '0010-cache-invalidation': cacheInvalidation,
  '0011-search-text-by-triggers': searchTextByTriggers,
  '0012-one-row-drafts': oneRowDrafts,
  '0014-file-names': fileNames,
  '0015-given-passwords': givenPasswords,
  '0016-erasure-and-days': erasureAndDays,
  '0017-known-browser': knownBrowser,
  '0018-knowable-passwords': knowablePasswords,
  '0019-start-list': startList,
  '0020-page-reviews': pageReviews,
  '0022-sections': sections,
  '0023-page-locks': pageLocks,
  '0025-page-search': pageSearch,
  '0026-forms': forms,
  '0027-collections': collections,
  '0029-visit-totals': visitTotals,
  '0030-spam': spam,
  '0031-newest-entries': newestEntries,
  '0035-restore-journal': restoreJournal,
  '0036-file-descriptions': fileDescriptions,
  '0037-section-revisions': sectionRevisions,
  '0040-backups': backups,
  '0041-backup-proofs': backupProofs,
  '0042-mail-settings': mailSettings,
  '0043-mail-reports': mailReports,
  '0044-health-alarms': healthAlarms,
  '0045-database-growth': databaseGrowth,
  '0047-entry-counts': entryCounts,
  '0050-earlier-offers': earlierOffers,
  '0052-search-by-words': searchByWords,
  '0053-backup-retention': backupRetention,
  '0058-backup-reading': backupReading,
  '0059-health-memory': healthMemory,
  '0060-plain-names': plainNames,
  '0061-trashed-dates': trashedDates,
  '0062-uploaders-and-titles': uploadersAndTitles,
  '0063-limited-words': limitedWords,
  '0064-search-text-by-triggers-on-postgres': searchTextByTriggersOnPostgres,
}

/**
 * Runs the pending migrations. A module of its own, because most starts have nothing to migrate and skip loading it.
 * @param db may be a transaction
 * @param only the names of those to run
 */
export const runMigrations = (
  db: Kysely<never>,
  dialect: Dialect,
  only: readonly string[] = Object.keys(migrations),
): Promise<MigrationResultSet> =>
  new Migrator({
    db,
    provider: {
      getMigrations: async () =>
        Object.fromEntries(
          Object.entries(migrations)
            .filter(([name]) => only.includes(name))
            .map(([name, migration]) => [name, migration(dialect)]),
        ),
    },
  }).migrateToLatest()
