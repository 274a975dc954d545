import { sql } from 'kysely'
import { foldedColumns } from './folded-text.ts'
import type { MigrationOf } from './migration.ts'

const rights = [
  'users.read',
  'users.write',
  'roles.write',
  'pages.write',
  'pages.publish',
  'files.write',
  'messages.read',
  'messages.write',
  'config.write',
  'mail.read',
  'audit.read',
]

/** Users with their roles and rights, how they sign in, and the audit log. Emails get a column for a secret. */
export const people: MigrationOf = (dialect) => ({
  async up(db) {
    const { schema } = db
    await schema
      .createTable('role')
      .addColumn('id', 'integer', dialect.autoIncrement)
      .addColumn('name', 'text', (c) => c.notNull().unique())
      .addColumn('version', 'integer', (c) => c.notNull().defaultTo(1))
      .addColumn('created_at', 'text', (c) => c.notNull())
      .addColumn('updated_at', 'text', (c) => c.notNull())
      .execute()
    await schema
      .createTable('role_right')
      .addColumn('role_id', 'integer', (c) => c.notNull().references('role.id').onDelete('cascade'))
      .addColumn('right_name', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('role_right_key', ['role_id', 'right_name'])
      .execute()

    await schema
      .createTable('user')
      .addColumn('id', 'integer', dialect.autoIncrement)
      .addColumn('email', dialect.bytewiseText as 'text', (c) => c.notNull().unique())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('email_verified', 'integer', (c) => c.notNull().defaultTo(1))
      .addColumn('image', 'text')
      .addColumn('blocked', 'integer', (c) => c.notNull().defaultTo(0))
      .addColumn('role_id', 'integer', (c) => c.references('role.id').onDelete('restrict'))
      .addColumn('locale', 'text', (c) => c.notNull().defaultTo('nl'))
      .addColumn('two_factor_enabled', 'integer', (c) => c.notNull().defaultTo(0))
      .addColumn('last_signed_in_at', 'text')
      .addColumn('signed_in_before_at', 'text')
      .addColumn('version', 'integer', (c) => c.notNull().defaultTo(1))
      .addColumn('created_at', 'text', (c) => c.notNull())
      .addColumn('updated_at', 'text', (c) => c.notNull())
      .addColumn('search_text', dialect.bytewiseText as 'text', (c) =>
        c.generatedAlwaysAs(foldedColumns('name', 'email')).stored(),
      )
      .execute()
    // Better Auth's verification rows contain a user id or, under another identifier, a count of wrong codes; ids from
    // 100 on keep them apart.
    await dialect.startIdsAt(db, 'user', 100)
    // Role and blocked come last, so that a filtered list is read from the index of its sort order alone.
    const filtered = ['id', 'role_id', 'blocked']
    await schema
      .createIndex('user_name')
      .on('user')
      .columns(['search_text', ...filtered])
      .execute()
    await schema
      .createIndex('user_email')
      .on('user')
      .columns(['email', ...filtered])
      .execute()
    await schema
      .createIndex('user_created')
      .on('user')
      .columns(['created_at', ...filtered])
      .execute()
    await schema
      .createIndex('user_signed_in')
      .on('user')
      .expression(sql`coalesce(last_signed_in_at, ''), id, role_id, blocked`)
      .execute()
    await schema.createIndex('user_role').on('user').columns(['role_id', 'blocked']).execute()
    await schema.createIndex('user_blocked').on('user').column('blocked').execute()
    await dialect.indexText(db, { table: 'user', column: 'search_text' })
    await schema
      .createTable('user_count')
      .addColumn('role_id', 'integer', (c) => c.notNull())
      .addColumn('blocked', 'integer', (c) => c.notNull())
      .addColumn('counted', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('user_count_key', ['role_id', 'blocked'])
      .execute()
    await dialect.maintainCounts(db, { table: 'user', into: 'user_count', columns: ['role_id', 'blocked'] })

    await schema
      .createTable('session')
      .addColumn('id', 'integer', dialect.autoIncrement)
      .addColumn('user_id', 'integer', (c) => c.notNull().references('user.id').onDelete('cascade'))
      .addColumn('token_hash', 'text', (c) => c.notNull().unique())
      .addColumn('expires_at', 'text', (c) => c.notNull())
      .addColumn('confirmed_at', 'text')
      .addColumn('ip_address', 'text')
      .addColumn('user_agent', 'text')
      .addColumn('created_at', 'text', (c) => c.notNull())
      .addColumn('updated_at', 'text', (c) => c.notNull())
      .execute()
    await schema.createIndex('session_user').on('session').column('user_id').execute()
    await schema.createIndex('session_expires').on('session').column('expires_at').execute()

    await schema
      .createTable('account')
      .addColumn('id', 'integer', dialect.autoIncrement)
      .addColumn('user_id', 'integer', (c) => c.notNull().references('user.id').onDelete('cascade'))
      .addColumn('provider_id', 'text', (c) => c.notNull())
      .addColumn('account_id', 'text', (c) => c.notNull())
      .addColumn('password', 'text')
      .addColumn('access_token', 'text')
      .addColumn('refresh_token', 'text')
      .addColumn('id_token', 'text')
      .addColumn('access_token_expires_at', 'text')
      .addColumn('refresh_token_expires_at', 'text')
      .addColumn('scope', 'text')
      .addColumn('created_at', 'text', (c) => c.notNull())
      .addColumn('updated_at', 'text', (c) => c.notNull())
      .addUniqueConstraint('account_key', ['provider_id', 'account_id'])
      .execute()
    await schema.createIndex('account_user').on('account').column('user_id').execute()

    await schema
      .createTable('verification')
      .addColumn('id', 'integer', dialect.autoIncrement)
      .addColumn('identifier', 'text', (c) => c.notNull())
      .addColumn('value', 'text', (c) => c.notNull())
      .addColumn('expires_at', 'text', (c) => c.notNull())
      .addColumn('created_at', 'text', (c) => c.notNull())
      .addColumn('updated_at', 'text', (c) => c.notNull())
      .execute()
    await schema.createIndex('verification_identifier').on('verification').column('identifier').execute()
    await schema.createIndex('verification_value').on('verification').column('value').execute()
    await schema.createIndex('verification_expires').on('verification').column('expires_at').execute()

    await schema
      .createTable('two_factor')
      .addColumn('id', 'integer', dialect.autoIncrement)
      .addColumn('user_id', 'integer', (c) => c.notNull().unique().references('user.id').onDelete('cascade'))
      .addColumn('secret', 'text', (c) => c.notNull())
      .addColumn('backup_codes', 'text', (c) => c.notNull())
      .addColumn('verified', 'integer', (c) => c.notNull().defaultTo(0))
      .addColumn('failed_verification_count', 'integer', (c) => c.notNull().defaultTo(0))
      .addColumn('locked_until', 'text')
      .execute()
    await schema
      .createTable('passkey')
      .addColumn('id', 'integer', dialect.autoIncrement)
      .addColumn('user_id', 'integer', (c) => c.notNull().references('user.id').onDelete('cascade'))
      .addColumn('name', 'text')
      .addColumn('public_key', 'text', (c) => c.notNull())
      .addColumn('credential_id', 'text', (c) => c.notNull().unique())
      .addColumn('counter', 'integer', (c) => c.notNull())
      .addColumn('device_type', 'text', (c) => c.notNull())
      .addColumn('backed_up', 'integer', (c) => c.notNull())
      .addColumn('transports', 'text')
      .addColumn('aaguid', 'text')
      .addColumn('created_at', 'text')
      .execute()
    await schema.createIndex('passkey_user').on('passkey').column('user_id').execute()
    await schema
      .createTable('used_code')
      .addColumn('code', 'text', (c) => c.primaryKey())
      .addColumn('until', 'text', (c) => c.notNull())
      .execute()

    await schema
      .createTable('user_link')
      .addColumn('id', 'integer', dialect.autoIncrement)
      .addColumn('token_hash', 'text', (c) => c.notNull().unique())
      .addColumn('purpose', 'text', (c) => c.notNull())
      .addColumn('user_id', 'integer', (c) => c.references('user.id').onDelete('cascade'))
      .addColumn('email', 'text')
      .addColumn('expires_at', 'text', (c) => c.notNull())
      .addColumn('created_at', 'text', (c) => c.notNull())
      .execute()
    await schema.createIndex('user_link_user').on('user_link').columns(['user_id', 'purpose']).execute()
    await schema.createIndex('user_link_expires').on('user_link').column('expires_at').execute()
    await schema
      .createTable('known_place')
      .addColumn('key', 'text', (c) => c.primaryKey())
      .addColumn('until', 'text', (c) => c.notNull())
      .execute()
    await schema.createIndex('known_place_until').on('known_place').column('until').execute()
    await schema
      .createTable('sign_in_attempt')
      .addColumn('key', 'text', (c) => c.primaryKey())
      .addColumn('failures', 'integer', (c) => c.notNull())
      .addColumn('wait_until', 'text')
      .addColumn('window_ends_at', 'text', (c) => c.notNull())
      .execute()
    await schema.createIndex('sign_in_attempt_ends').on('sign_in_attempt').column('window_ends_at').execute()

    await schema
      .createTable('audit')
      .addColumn('id', 'integer', dialect.autoIncrement)
      .addColumn('at', 'text', (c) => c.notNull())
      .addColumn('actor_id', 'integer')
      .addColumn('actor_name', 'text', (c) => c.notNull())
      .addColumn('action', 'text', (c) => c.notNull())
      .addColumn('subject_type', 'text', (c) => c.notNull())
      .addColumn('subject_id', 'text')
      .addColumn('subject_name', 'text', (c) => c.notNull())
      .addColumn('before', 'text')
      .addColumn('after', 'text')
      .addColumn('search_text', dialect.bytewiseText as 'text', (c) =>
        c.generatedAlwaysAs(foldedColumns('actor_name', 'subject_name')).stored(),
      )
      .execute()
    await schema.createIndex('audit_at').on('audit').column('at').execute()
    await schema.createIndex('audit_subject').on('audit').columns(['subject_type', 'subject_id', 'id']).execute()
    await schema.createIndex('audit_action').on('audit').columns(['action', 'id']).execute()
    await schema.createIndex('audit_actor').on('audit').columns(['actor_id', 'id']).execute()
    await dialect.indexText(db, { table: 'audit', column: 'search_text' })

    await schema.alterTable('outbox').addColumn('secret', 'text').execute()

    const at = new Date().toISOString()
    for (const [name, held] of [
      ['Geregistreerd', []],
      ['Beheerder', rights],
      ['Redacteur', ['pages.write', 'pages.publish', 'files.write']],
    ] as const) {
      const { id } = await db
        .insertInto('role')
        .values({ name, created_at: at, updated_at: at })
        .returning('id')
        .executeTakeFirstOrThrow()
      if (held.length > 0) {
        await db
          .insertInto('role_right')
          .values(held.map((right_name) => ({ role_id: id, right_name })))
          .execute()
      }
    }
  },
})
