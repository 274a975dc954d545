import { foldedColumns } from './folded-text.ts'
import type { MigrationOf } from './migration.ts'

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
