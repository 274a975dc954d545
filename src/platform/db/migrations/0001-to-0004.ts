import { sql } from 'kysely'
import { foldedColumns } from './folded-text.ts'
import type { MigrationOf } from './migration.ts'

/** Messages and the emails about them; revisions of the configuration; the version by which every process notices invalidations. */
export const first: MigrationOf = (dialect) => ({
  async up(db) {
    await db.schema
      .createTable('message')
      .addColumn('id', 'integer', dialect.autoIncrement)
      .addColumn('naam', 'text', (c) => c.notNull())
      .addColumn('email', 'text', (c) => c.notNull())
      .addColumn('tel', 'text', (c) => c.notNull())
      .addColumn('bericht', 'text', (c) => c.notNull())
      .addColumn('locale', 'text', (c) => c.notNull())
      .addColumn('folder', 'text', (c) => c.notNull())
      .addColumn('spam_reason', 'text')
      .addColumn('privacy_version', 'text', (c) => c.notNull())
      .addColumn('fingerprint', 'text', (c) => c.notNull())
      .addColumn('address_key', 'text', (c) => c.notNull())
      .addColumn('created_at', 'text', (c) => c.notNull())
      .execute()
    await db.schema.createIndex('message_created').on('message').column('created_at').execute()
    await db.schema.createIndex('message_fingerprint').on('message').columns(['fingerprint', 'created_at']).execute()
    await db.schema.createIndex('message_address').on('message').columns(['address_key', 'created_at']).execute()

    await db.schema
      .createTable('outbox')
      .addColumn('id', 'integer', dialect.autoIncrement)
      .addColumn('message_id', 'text', (c) => c.notNull().unique())
      .addColumn('template', 'text', (c) => c.notNull())
      .addColumn('locale', 'text', (c) => c.notNull())
      .addColumn('data', 'text', (c) => c.notNull())
      .addColumn('about', 'text')
      .addColumn('recipient', 'text', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull().defaultTo('waiting'))
      .addColumn('attempts', 'integer', (c) => c.notNull().defaultTo(0))
      .addColumn('next_attempt_at', 'text', (c) => c.notNull())
      .addColumn('last_error', 'text')
      .addColumn('created_at', 'text', (c) => c.notNull())
      .addColumn('sent_at', 'text')
      .execute()
    await db.schema.createIndex('outbox_due').on('outbox').columns(['state', 'next_attempt_at']).execute()
    await db.schema.createIndex('outbox_about').on('outbox').column('about').execute()

    await db.schema
      .createTable('config_revision')
      .addColumn('id', 'integer', dialect.autoIncrement)
      .addColumn('config', 'text', (c) => c.notNull())
      .addColumn('note', 'text', (c) => c.notNull())
      .addColumn('created_at', 'text', (c) => c.notNull())
      .execute()

    await db.schema
      .createTable('content_clock')
      .addColumn('id', 'integer', (c) => c.primaryKey())
      .addColumn('version', 'integer', (c) => c.notNull())
      .execute()
    await db.schema
      .createTable('content_change')
      .addColumn('version', 'integer', (c) => c.notNull())
      .addColumn('tag', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('content_change_key', ['version', 'tag'])
      .execute()
    await db.insertInto('content_clock').values({ id: 1, version: 0 }).execute()
  },
})

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

/** Staff read, search, annotate and answer messages; emails are searched. */
export const inbox: MigrationOf = (dialect) => ({
  async up(db) {
    const { schema } = db
    await schema.alterTable('message').addColumn('read_at', 'text').execute()
    await schema.alterTable('message').addColumn('answered_at', 'text').execute()
    await schema
      .alterTable('message')
      .addColumn('note', 'text', (c) => c.notNull().defaultTo(''))
      .execute()
    await schema
      .alterTable('message')
      .addColumn('thread', 'text', (c) => c.notNull().defaultTo(''))
      .execute()
    await schema
      .alterTable('message')
      .addColumn('version', 'integer', (c) => c.notNull().defaultTo(1))
      .execute()
    // Messages from before the inbox were delivered by email and read there.
    await sql`update message set read_at = created_at where folder = 'inbox'`.execute(db)
    await sql`update message set thread = coalesce((
      select string_agg(outbox.message_id, ' ') from outbox where outbox.about = 'message:' || message.id), '')`.execute(
      db,
    )
    await dialect.addGeneratedText(db, {
      table: 'message',
      column: 'search_text',
      from: foldedColumns('naam', 'email', 'tel', 'bericht'),
    })
    await dialect.indexText(db, { table: 'message', column: 'search_text' })
    await schema.createIndex('message_folder').on('message').columns(['folder', 'id']).execute()
    for (const [name, condition] of [
      ['unread', sql<boolean>`read_at is null`],
      ['open', sql<boolean>`answered_at is null`],
      ['answered', sql<boolean>`answered_at is not null`],
    ] as const) {
      await schema.createIndex(`message_${name}`).on('message').columns(['folder', 'id']).where(condition).execute()
    }

    await schema
      .createTable('message_reply')
      .addColumn('id', 'integer', dialect.autoIncrement)
      .addColumn('message_id', 'integer', (c) => c.notNull().references('message.id').onDelete('cascade'))
      .addColumn('mail_id', 'text', (c) => c.notNull().unique())
      .addColumn('text', 'text', (c) => c.notNull())
      .addColumn('actor_id', 'integer')
      .addColumn('actor_name', 'text', (c) => c.notNull())
      .addColumn('created_at', 'text', (c) => c.notNull())
      .execute()
    await schema.createIndex('message_reply_message').on('message_reply').columns(['message_id', 'id']).execute()

    await dialect.addGeneratedText(db, { table: 'outbox', column: 'search_text', from: foldedColumns('recipient') })
    await dialect.indexText(db, { table: 'outbox', column: 'search_text' })
    await schema.createIndex('outbox_state').on('outbox').columns(['state', 'id']).execute()
  },
})

/** Uploads: their properties, every public URL that each has had, and which folders of the storage are in use. */
export const files: MigrationOf = (dialect) => ({
  async up(db) {
    const { schema } = db
    await schema
      .createTable('file_folder')
      .addColumn('id', 'integer', dialect.autoIncrement)
      .addColumn('name', 'text', (c) => c.notNull().unique())
      .execute()
    await schema
      .createTable('file')
      .addColumn('id', 'integer', dialect.autoIncrement)
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('kind', 'integer', (c) => c.notNull())
      .addColumn('type', 'text', (c) => c.notNull())
      .addColumn('bytes', 'integer', (c) => c.notNull())
      .addColumn('hash', 'text', (c) => c.notNull())
      .addColumn('address', 'text', (c) => c.notNull())
      .addColumn('blob', 'text', (c) => c.notNull())
      .addColumn('folder_id', 'integer', (c) => c.references('file_folder.id').onDelete('restrict'))
      .addColumn('folder_name', 'text', (c) => c.notNull().defaultTo(''))
      .addColumn('alt_nl', 'text', (c) => c.notNull().defaultTo(''))
      .addColumn('alt_fa', 'text', (c) => c.notNull().defaultTo(''))
      .addColumn('width', 'integer')
      .addColumn('height', 'integer')
      .addColumn('frames', 'integer', (c) => c.notNull().defaultTo(1))
      .addColumn('placeholder', 'text')
      .addColumn('crop', 'text')
      .addColumn('focal_x', 'integer', (c) => c.notNull().defaultTo(50))
      .addColumn('focal_y', 'integer', (c) => c.notNull().defaultTo(50))
      .addColumn('pictures', 'text')
      .addColumn('pictures_blob', 'text')
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('attempts', 'integer', (c) => c.notNull().defaultTo(0))
      .addColumn('due_at', 'text')
      .addColumn('added_by', 'text', (c) => c.notNull())
      .addColumn('version', 'integer', (c) => c.notNull().defaultTo(1))
      .addColumn('created_at', 'text', (c) => c.notNull())
      .addColumn('updated_at', 'text', (c) => c.notNull())
      .addColumn('search_text', dialect.bytewiseText as 'text', (c) =>
        c.generatedAlwaysAs(foldedColumns('name', 'alt_nl', 'alt_fa', 'folder_name')).stored(),
      )
      .execute()
    // Folder and kind come last, so that a filtered list is read from the index of its sort order alone.
    const filtered = ['id', 'folder_id', 'kind']
    await schema
      .createIndex('file_name')
      .on('file')
      .columns(['search_text', ...filtered])
      .execute()
    await schema
      .createIndex('file_created')
      .on('file')
      .columns(['created_at', ...filtered])
      .execute()
    await schema
      .createIndex('file_bytes')
      .on('file')
      .columns(['bytes', ...filtered])
      .execute()
    await schema.createIndex('file_folder_kind').on('file').columns(['folder_id', 'kind']).execute()
    await schema.createIndex('file_hash').on('file').column('hash').execute()
    await schema.createIndex('file_due').on('file').columns(['state', 'due_at']).execute()
    await dialect.indexText(db, { table: 'file', column: 'search_text' })
    await schema
      .createTable('file_count')
      .addColumn('folder_id', 'integer', (c) => c.notNull())
      .addColumn('kind', 'integer', (c) => c.notNull())
      .addColumn('counted', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('file_count_key', ['folder_id', 'kind'])
      .execute()
    await dialect.maintainCounts(db, { table: 'file', into: 'file_count', columns: ['folder_id', 'kind'] })

    await schema
      .createTable('file_address')
      .addColumn('address', 'text', (c) => c.primaryKey())
      .addColumn('file_id', 'integer', (c) => c.notNull().references('file.id').onDelete('cascade'))
      .execute()
    await schema.createIndex('file_address_file').on('file_address').column('file_id').execute()
    await schema
      .createTable('stored_blob')
      .addColumn('blob', 'text', (c) => c.primaryKey())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('at', 'text', (c) => c.notNull())
      .execute()
    await schema.createIndex('stored_blob_state').on('stored_blob').columns(['state', 'at']).execute()
  },
})
