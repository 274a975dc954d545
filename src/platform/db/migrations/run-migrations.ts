import type { Kysely } from 'kysely'
import { type MigrationResultSet, Migrator } from 'kysely/migration'
import type { Dialect } from '../dialect/dialect.ts'
import * as to0004 from './0001-to-0004.ts'
import * as to0012 from './0005-to-0012.ts'
import * as to0027 from './0014-to-0027.ts'
import * as to0059 from './0029-to-0059.ts'
import * as to0064 from './0060-to-0064.ts'
import type { MigrationOf } from './migration.ts'
import type { MigrationName } from './migration-names.ts'

const migrations: Record<MigrationName, MigrationOf> = {
  '0001-first': to0004.first,
  '0002-people': to0004.people,
  '0003-inbox': to0004.inbox,
  '0004-files': to0004.files,
  '0005-pages': to0012.pages,
  '0006-views': to0012.views,
  '0007-configuration': to0012.configuration,
  '0008-drafts-and-writers': to0012.draftsAndWriters,
  '0009-binned-plans': to0012.binnedPlans,
  '0010-cache-invalidation': to0012.cacheInvalidation,
  '0011-search-text-by-triggers': to0012.searchTextByTriggers,
  '0012-one-row-drafts': to0012.oneRowDrafts,
  '0014-file-names': to0027.fileNames,
  '0015-given-passwords': to0027.givenPasswords,
  '0016-erasure-and-days': to0027.erasureAndDays,
  '0017-known-browser': to0027.knownBrowser,
  '0018-knowable-passwords': to0027.knowablePasswords,
  '0019-start-list': to0027.startList,
  '0020-page-reviews': to0027.pageReviews,
  '0022-sections': to0027.sections,
  '0023-page-locks': to0027.pageLocks,
  '0025-page-search': to0027.pageSearch,
  '0026-forms': to0027.forms,
  '0027-collections': to0027.collections,
  '0029-visit-totals': to0059.visitTotals,
  '0030-spam': to0059.spam,
  '0031-newest-entries': to0059.newestEntries,
  '0035-restore-journal': to0059.restoreJournal,
  '0036-file-descriptions': to0059.fileDescriptions,
  '0037-section-revisions': to0059.sectionRevisions,
  '0040-backups': to0059.backups,
  '0041-backup-proofs': to0059.backupProofs,
  '0042-mail-settings': to0059.mailSettings,
  '0043-mail-reports': to0059.mailReports,
  '0044-health-alarms': to0059.healthAlarms,
  '0045-database-growth': to0059.databaseGrowth,
  '0047-entry-counts': to0059.entryCounts,
  '0050-earlier-offers': to0059.earlierOffers,
  '0052-search-by-words': to0059.searchByWords,
  '0053-backup-retention': to0059.backupRetention,
  '0058-backup-reading': to0059.backupReading,
  '0059-health-memory': to0059.healthMemory,
  '0060-plain-names': to0064.plainNames,
  '0061-trashed-dates': to0064.trashedDates,
  '0062-uploaders-and-titles': to0064.uploadersAndTitles,
  '0063-limited-words': to0064.limitedWords,
  '0064-search-text-by-triggers-on-postgres': to0064.searchTextByTriggersOnPostgres,
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
