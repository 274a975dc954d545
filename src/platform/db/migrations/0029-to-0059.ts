import { sql } from 'kysely'
import { foldedColumns } from './folded-text.ts'
import { addColumn, createIndex, type MigrationOf } from './migration.ts'

/** Totals of a day by referring site, campaign, device and so on. Page views are known from before. */
export const visitTotals: MigrationOf = (dialect) => ({
  async up(db) {
    await db.schema
      .createTable('visit_total')
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('day', 'text', (c) => c.notNull())
      .addColumn('value', dialect.bytewiseText, (c) => c.notNull())
      .addColumn('count', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('visit_total_key', ['kind', 'day', 'value'])
      .execute()
    await createIndex(db.schema, 'visit_total_day', 'visit_total', ['day'])
    await db
      .insertInto('visit_total')
      .columns(['kind', 'day', 'value', 'count'])
      .expression(
        db
          .selectFrom('page_view')
          .select([sql.lit('view').as('kind'), 'day', sql.lit('').as('value'), (eb) => eb.fn.sum('views').as('count')])
          .groupBy('day'),
      )
      .execute()
  },
})

/** Stores the matched spam rules of a message, its page, and whether the statistics count it. */
export const spam: MigrationOf = () => ({
  async up(db) {
    const { schema } = db
    await addColumn(schema, 'message', 'spam_reasons', 'text', (c) => c.notNull().defaultTo('[]'))
    await addColumn(schema, 'message', 'page', 'text')
    await addColumn(schema, 'message', 'counted', 'integer', (c) => c.notNull().defaultTo(0))
    await sql`update message set counted = 1 where folder = 'inbox'`.execute(db)
  },
})

/** The newest entries of a collection, for lists and feeds; overviews may have another order. */
export const newestEntries: MigrationOf = () => ({
  async up({ schema }) {
    const newest = ['date', 'page_id'] as const
    await createIndex(schema, 'page_entry_newest', 'page_entry', ['collection', 'locale', ...newest])
    await createIndex(schema, 'page_entry_newest_of_category', 'page_entry', [
      'collection',
      'locale',
      'category',
      ...newest,
    ])
  },
})

/** Subjects that a restore of an older backup must not bring back: erased people and deleted users. */
export const restoreJournal: MigrationOf = () => ({
  async up({ schema }) {
    await schema
      .createTable('restore_journal')
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('subject', 'text', (c) => c.notNull())
      .addColumn('at', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('restore_journal_key', ['kind', 'subject'])
      .execute()
  },
})

export const fileSearchText = ['name', 'alt_nl', 'alt_fa', 'alt_other_text', 'folder_name']

/** The descriptions of a file beyond Dutch and Persian, which its search text has too. */
export const fileDescriptions: MigrationOf = (dialect) => ({
  async up(db) {
    const { schema } = db
    await addColumn(schema, 'file', 'alt_other', 'text', (c) => c.notNull().defaultTo('{}'))
    await addColumn(schema, 'file', 'alt_other_text', 'text', (c) => c.notNull().defaultTo(''))
    const columns = fileSearchText
    if (dialect.name === 'sqlite') return dialect.fillSearchTextByTriggers(db, { table: 'file', columns })

    // The expression of a generated column cannot be changed before PostgreSQL 17. Its indexes go with it.
    await schema.alterTable('file').dropColumn('search_text').execute()
    await dialect.addGeneratedText(db, { table: 'file', column: 'search_text', from: foldedColumns(...columns) })
    await createIndex(schema, 'file_name', 'file', ['search_text', 'id', 'folder_id', 'kind'])
    await dialect.indexText(db, { table: 'file', column: 'search_text' })
  },
})

/** The saved texts of sections; what is stored now is the first. */
export const sectionRevisions: MigrationOf = (dialect) => ({
  async up(db) {
    const { schema } = db
    await schema
      .createTable('section_revision')
      .addColumn('id', 'integer', dialect.autoIncrement)
      .addColumn('section_id', 'text', (c) => c.notNull().references('section.id').onDelete('cascade'))
      .addColumn('locale', 'text', (c) => c.notNull())
      .addColumn('version', 'integer', (c) => c.notNull())
      .addColumn('group_id', 'integer', (c) => c.notNull())
      .addColumn('text', 'text', (c) => c.notNull())
      .addColumn('restored_from', 'integer')
      .addColumn('at', 'text', (c) => c.notNull())
      .addColumn('by_id', 'integer')
      .addColumn('by_name', 'text', (c) => c.notNull())
      .execute()
    await schema
      .createIndex('section_revision_version')
      .on('section_revision')
      .columns(['section_id', 'locale', 'version'])
      .unique()
      .execute()
    await createIndex(schema, 'section_revision_group', 'section_revision', ['section_id', 'locale', 'group_id'])
    await createIndex(schema, 'section_revision_by', 'section_revision', ['by_id'])
    await sql`
      insert into section_revision (section_id, locale, version, group_id, text, at, by_id, by_name)
      select section.id, section_text.locale, section.version, 0, section_text.body,
        section.updated_at, section.updated_by_id, section.updated_by_name
      from section inner join section_text on section_text.section_id = section.id`.execute(db)
    await sql`update section_revision set group_id = id`.execute(db)
  },
})

/** The settings of backups, and the backup runs. */
export const backups: MigrationOf = (dialect) => ({
  async up({ schema }) {
    await schema
      .createTable('backup_setting')
      .addColumn('id', 'integer', (c) => c.primaryKey())
      .addColumn('value', 'text', (c) => c.notNull())
      .addColumn('version', 'integer', (c) => c.notNull())
      .addColumn('since', 'text')
      .execute()
    await schema
      .createTable('backup_run')
      .addColumn('id', 'integer', dialect.autoIncrement)
      .addColumn('made_by', 'text', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('day', 'text')
      .addColumn('attempt', 'integer', (c) => c.notNull())
      .addColumn('target', 'text', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('asked_at', 'text', (c) => c.notNull())
      .addColumn('started_at', 'text')
      .addColumn('finished_at', 'text')
      .addColumn('lease_until', 'text')
      // Integers of PostgreSQL end at two gigabytes.
      .addColumn('bytes', 'double precision', (c) => c.notNull())
      .addColumn('row_count', 'integer', (c) => c.notNull())
      .addColumn('file_count', 'integer', (c) => c.notNull())
      .addColumn('hash', 'text', (c) => c.notNull())
      .addColumn('error', 'text', (c) => c.notNull())
      .addColumn('actor_id', 'integer')
      .addColumn('actor_name', 'text', (c) => c.notNull())
      .execute()
    // `day` is null for manual backups, and nulls are never equal: only scheduled runs are limited.
    await schema.createIndex('backup_run_of_day').unique().on('backup_run').columns(['day', 'attempt']).execute()
  },
})

/** Proofs of backups. */
export const backupProofs: MigrationOf = (dialect) => ({
  async up({ schema }) {
    await schema
      .createTable('backup_proof')
      .addColumn('id', 'integer', dialect.autoIncrement)
      .addColumn('made_by', 'text', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('day', 'text', (c) => c.unique())
      .addColumn('target', 'text', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('backup_at', 'text')
      .addColumn('asked_at', 'text', (c) => c.notNull())
      .addColumn('started_at', 'text')
      .addColumn('finished_at', 'text')
      .addColumn('lease_until', 'text')
      .addColumn('findings', 'text', (c) => c.notNull())
      .addColumn('reason', 'text', (c) => c.notNull())
      .execute()
  },
})

/** Mail servers that staff set, each with its password encrypted with the program's secret. */
export const mailSettings: MigrationOf = () => ({
  async up({ schema }) {
    await schema
      .createTable('mail_setting')
      .addColumn('name', 'text', (c) => c.notNull().primaryKey())
      .addColumn('value', 'text')
      .addColumn('password', 'text')
      .addColumn('version', 'integer', (c) => c.notNull().defaultTo(0))
      .addColumn('updated_at', 'text', (c) => c.notNull())
      .execute()
  },
})

/** Reports that an email was not delivered, and how far the mailbox that receives them was read. */
export const mailReports: MigrationOf = () => ({
  async up({ schema }) {
    await addColumn(schema, 'outbox', 'bounced_at', 'text')
    await addColumn(schema, 'outbox', 'bounce', 'text')
    await createIndex(schema, 'outbox_message_id', 'outbox', ['message_id'])
    await schema
      .createTable('mailbox_reading')
      .addColumn('name', 'text', (c) => c.notNull().primaryKey())
      .addColumn('uid_validity', 'text')
      .addColumn('uid', 'integer', (c) => c.notNull().defaultTo(0))
      .addColumn('claimed_until', 'text', (c) => c.notNull())
      .addColumn('read_at', 'text')
      .addColumn('problem', 'text')
      .addColumn('test_message_id', 'text')
      .addColumn('test_sent_at', 'text')
      .addColumn('test_results', 'text')
      .execute()
  },
})

/** Open incidents of health checks, the recipients of alerts and monthly reports, and pending webhook events. */
export const healthAlarms: MigrationOf = () => ({
  async up(db) {
    await db.schema
      .createTable('health_trouble')
      .addColumn('check_name', 'text', (c) => c.primaryKey())
      .addColumn('looks', 'integer', (c) => c.notNull())
      .addColumn('good_looks', 'integer', (c) => c.notNull())
      .addColumn('notified_at', 'text')
      .execute()
    await db.schema
      .createTable('health_setting')
      .addColumn('id', 'integer', (c) => c.primaryKey())
      .addColumn('people', 'text', (c) => c.notNull())
      .addColumn('reports', 'text', (c) => c.notNull())
      .addColumn('reported_month', 'text')
      .addColumn('webhook', 'text')
      .addColumn('pending', 'text', (c) => c.notNull())
      .addColumn('looked_at', 'text')
      .addColumn('version', 'integer', (c) => c.notNull())
      .execute()
    await db
      .insertInto('health_setting')
      .values({ id: 1, people: '[]', reports: '[]', pending: '[]', version: 1 })
      .execute()
  },
})

/** How large the database was on each of the last days. */
export const databaseGrowth: MigrationOf = () => ({
  async up(db) {
    await addColumn(db.schema, 'health_setting', 'sizes', 'text', (c) => c.notNull().defaultTo('[]'))
  },
})

const columns = ['collection', 'locale', 'category'] as const

/** How many entries each category of a collection lists, so that an overview of very many counts none. */
export const entryCounts: MigrationOf = (dialect) => ({
  async up(db) {
    const bytewise = dialect.bytewiseText as 'text'
    await db.schema
      .createTable('page_entry_count')
      .addColumn('collection', bytewise, (c) => c.notNull())
      .addColumn('locale', 'text', (c) => c.notNull())
      .addColumn('category', bytewise, (c) => c.notNull())
      .addColumn('counted', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('page_entry_count_key', [...columns])
      .execute()
    const names = sql.join(columns.map((column) => sql.id(column)))
    await sql`insert into page_entry_count (${names}, counted)
      select ${names}, count(*) from page_entry group by ${names}`.execute(db)
    await dialect.maintainCounts(db, { table: 'page_entry', into: 'page_entry_count', columns: [...columns] })
  },
})

/** The offers by other writers that a later offer of the same page continues. */
export const earlierOffers: MigrationOf = () => ({
  async up(db) {
    const { schema } = db
    await schema
      .createTable('page_review_earlier')
      .addColumn('page_id', 'integer', (c) => c.notNull().references('page.id').onDelete('cascade'))
      .addColumn('locale', 'text', (c) => c.notNull())
      .addColumn('number', 'integer', (c) => c.notNull())
      .addColumn('revision_id', 'integer', (c) => c.notNull())
      .addColumn('note', 'text', (c) => c.notNull())
      .addColumn('offered_at', 'text', (c) => c.notNull())
      .addColumn('offered_by_id', 'integer')
      .addColumn('offered_by_name', 'text', (c) => c.notNull())
      .addColumn('taken_over_by_id', 'integer')
      .addPrimaryKeyConstraint('page_review_earlier_key', ['page_id', 'locale', 'number'])
      .execute()
    await createIndex(schema, 'page_review_earlier_offered_by', 'page_review_earlier', ['offered_by_id'])
  },
})

/** An index of the words of pages. The program adds existing pages when it starts, a page at a time. */
export const searchByWords: MigrationOf = (dialect) => ({
  async up(db) {
    await addColumn(db.schema, 'page_search', 'words_indexed', 'integer', (c) => c.notNull().defaultTo(0))
    await sql`create index page_search_without_words on page_search (locale) where words_indexed = 0`.execute(db)
    await dialect.indexWords(db, { table: 'page_search', column: 'search_text' })
  },
})

/** Why the files of older backups could not be removed after a backup. */
export const backupRetention: MigrationOf = () => ({
  async up({ schema }) {
    await addColumn(schema, 'backup_run', 'retention_error', 'text', (c) => c.notNull().defaultTo(''))
  },
})

/** The lease of the process that reads a backup to take something out of it. */
export const backupReading: MigrationOf = () => ({
  async up({ schema }) {
    await addColumn(schema, 'backup_run', 'reading_until', 'text')
  },
})

/**
 * When this site was last reached at its public address, and what the last check run found, for screens and commands that run
 * no check themselves; and an index of the few emails that were returned.
 */
export const healthMemory: MigrationOf = () => ({
  async up(db) {
    for (const column of ['reached_origin', 'reached_at', 'lines']) {
      await addColumn(db.schema, 'health_setting', column, 'text')
    }
    await sql`create index outbox_bounced on outbox (bounced_at) where bounced_at is not null`.execute(db)
  },
})
