import { sql } from 'kysely'
import { foldedColumns } from './folded-text.ts'
import { addColumn, createIndex, type MigrationOf } from './migration.ts'

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
    await createIndex(db.schema, 'message_created', 'message', ['created_at'])
    await createIndex(db.schema, 'message_fingerprint', 'message', ['fingerprint', 'created_at'])
    await createIndex(db.schema, 'message_address', 'message', ['address_key', 'created_at'])

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
    await createIndex(db.schema, 'outbox_due', 'outbox', ['state', 'next_attempt_at'])
    await createIndex(db.schema, 'outbox_about', 'outbox', ['about'])

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
    await createIndex(schema, 'user_name', 'user', ['search_text', ...filtered])
    await createIndex(schema, 'user_email', 'user', ['email', ...filtered])
    await createIndex(schema, 'user_created', 'user', ['created_at', ...filtered])
    await schema
      .createIndex('user_signed_in')
      .on('user')
      .expression(sql`coalesce(last_signed_in_at, ''), id, role_id, blocked`)
      .execute()
    await createIndex(schema, 'user_role', 'user', ['role_id', 'blocked'])
    await createIndex(schema, 'user_blocked', 'user', ['blocked'])
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
    await createIndex(schema, 'session_user', 'session', ['user_id'])
    await createIndex(schema, 'session_expires', 'session', ['expires_at'])

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
    await createIndex(schema, 'account_user', 'account', ['user_id'])

    await schema
      .createTable('verification')
      .addColumn('id', 'integer', dialect.autoIncrement)
      .addColumn('identifier', 'text', (c) => c.notNull())
      .addColumn('value', 'text', (c) => c.notNull())
      .addColumn('expires_at', 'text', (c) => c.notNull())
      .addColumn('created_at', 'text', (c) => c.notNull())
      .addColumn('updated_at', 'text', (c) => c.notNull())
      .execute()
    await createIndex(schema, 'verification_identifier', 'verification', ['identifier'])
    await createIndex(schema, 'verification_value', 'verification', ['value'])
    await createIndex(schema, 'verification_expires', 'verification', ['expires_at'])

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
    await createIndex(schema, 'passkey_user', 'passkey', ['user_id'])
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
    await createIndex(schema, 'user_link_user', 'user_link', ['user_id', 'purpose'])
    await createIndex(schema, 'user_link_expires', 'user_link', ['expires_at'])
    await schema
      .createTable('known_place')
      .addColumn('key', 'text', (c) => c.primaryKey())
      .addColumn('until', 'text', (c) => c.notNull())
      .execute()
    await createIndex(schema, 'known_place_until', 'known_place', ['until'])
    await schema
      .createTable('sign_in_attempt')
      .addColumn('key', 'text', (c) => c.primaryKey())
      .addColumn('failures', 'integer', (c) => c.notNull())
      .addColumn('wait_until', 'text')
      .addColumn('window_ends_at', 'text', (c) => c.notNull())
      .execute()
    await createIndex(schema, 'sign_in_attempt_ends', 'sign_in_attempt', ['window_ends_at'])

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
    await createIndex(schema, 'audit_at', 'audit', ['at'])
    await createIndex(schema, 'audit_subject', 'audit', ['subject_type', 'subject_id', 'id'])
    await createIndex(schema, 'audit_action', 'audit', ['action', 'id'])
    await createIndex(schema, 'audit_actor', 'audit', ['actor_id', 'id'])
    await dialect.indexText(db, { table: 'audit', column: 'search_text' })

    await addColumn(schema, 'outbox', 'secret', 'text')

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
    await addColumn(schema, 'message', 'read_at', 'text')
    await addColumn(schema, 'message', 'answered_at', 'text')
    await addColumn(schema, 'message', 'note', 'text', (c) => c.notNull().defaultTo(''))
    await addColumn(schema, 'message', 'thread', 'text', (c) => c.notNull().defaultTo(''))
    await addColumn(schema, 'message', 'version', 'integer', (c) => c.notNull().defaultTo(1))
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
    await createIndex(schema, 'message_folder', 'message', ['folder', 'id'])
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
    await createIndex(schema, 'message_reply_message', 'message_reply', ['message_id', 'id'])

    await dialect.addGeneratedText(db, { table: 'outbox', column: 'search_text', from: foldedColumns('recipient') })
    await dialect.indexText(db, { table: 'outbox', column: 'search_text' })
    await createIndex(schema, 'outbox_state', 'outbox', ['state', 'id'])
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
    await createIndex(schema, 'file_name', 'file', ['search_text', ...filtered])
    await createIndex(schema, 'file_created', 'file', ['created_at', ...filtered])
    await createIndex(schema, 'file_bytes', 'file', ['bytes', ...filtered])
    await createIndex(schema, 'file_folder_kind', 'file', ['folder_id', 'kind'])
    await createIndex(schema, 'file_hash', 'file', ['hash'])
    await createIndex(schema, 'file_due', 'file', ['state', 'due_at'])
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
    await createIndex(schema, 'file_address_file', 'file_address', ['file_id'])
    await schema
      .createTable('stored_blob')
      .addColumn('blob', 'text', (c) => c.primaryKey())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('at', 'text', (c) => c.notNull())
      .execute()
    await createIndex(schema, 'stored_blob_state', 'stored_blob', ['state', 'at'])
  },
})
