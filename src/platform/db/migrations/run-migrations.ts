import type { Kysely } from 'kysely'
import { type MigrationResultSet, Migrator } from 'kysely/migration'
import type { Dialect } from '../dialect/dialect.ts'
import { first } from './0001-first.ts'
import { people } from './0002-people.ts'
import { inbox } from './0003-inbox.ts'
import { files } from './0004-files.ts'
import { pages } from './0005-pages.ts'
import { views } from './0006-views.ts'
import { configuration } from './0007-configuration.ts'
import { draftsAndWriters } from './0008-drafts-and-writers.ts'
import { binnedPlans } from './0009-binned-plans.ts'
import { cacheInvalidation } from './0010-cache-invalidation.ts'
import { searchTextByTriggers } from './0011-search-text-by-triggers.ts'
import { oneRowDrafts } from './0012-one-row-drafts.ts'
import { fileNames } from './0014-file-names.ts'
import { givenPasswords } from './0015-given-passwords.ts'
import { erasureAndDays } from './0016-erasure-and-days.ts'
import { knownBrowser } from './0017-known-browser.ts'
import { knowablePasswords } from './0018-knowable-passwords.ts'
import { startList } from './0019-start-list.ts'
import { pageReviews } from './0020-page-reviews.ts'
import { sections } from './0022-sections.ts'
import { pageLocks } from './0023-page-locks.ts'
import { pageSearch } from './0025-page-search.ts'
import { forms } from './0026-forms.ts'
import { collections } from './0027-collections.ts'
import { visitTotals } from './0029-visit-totals.ts'
import { spam } from './0030-spam.ts'
import { newestEntries } from './0031-newest-entries.ts'
import { restoreJournal } from './0035-restore-journal.ts'
import { fileDescriptions } from './0036-file-descriptions.ts'
import { sectionRevisions } from './0037-section-revisions.ts'
import { backups } from './0040-backups.ts'
import { backupProofs } from './0041-backup-proofs.ts'
import { mailSettings } from './0042-mail-settings.ts'
import { mailReports } from './0043-mail-reports.ts'
import { healthAlarms } from './0044-health-alarms.ts'
import { databaseGrowth } from './0045-database-growth.ts'
import { entryCounts } from './0047-entry-counts.ts'
import { earlierOffers } from './0050-earlier-offers.ts'
import { searchByWords } from './0052-search-by-words.ts'
import { backupRetention } from './0053-backup-retention.ts'
import { backupReading } from './0058-backup-reading.ts'
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
