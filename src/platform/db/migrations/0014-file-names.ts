import { sql } from 'kysely'
import type { MigrationOf } from './migration.ts'

const batch = 500

/** Renames columns for what they hold; adds stored sizes, previews, and turns in the resize queue. */
export const fileNames: MigrationOf = () => ({
  async up(db) {
    const { schema } = db
    const renames: [table: string, from: string, to: string][] = [
      ['file', 'hash', 'content_hash'],
      ['file', 'address', 'public_id'],
      ['file', 'blob', 'blob_id'],
      ['file', 'pictures', 'resized_images'],
      ['file', 'pictures_blob', 'resized_blob_id'],
      ['file_address', 'address', 'public_id'],
      ['stored_blob', 'blob', 'id'],
    ]
    for (const [table, from, to] of renames) await schema.alterTable(table).renameColumn(from, to).execute()
    await schema.alterTable('file_address').renameTo('file_public_id').execute()
    await schema.alterTable('file').addColumn('preview_bytes', 'integer').execute()
    await schema.alterTable('file').addColumn('queued_by', 'integer').execute()
    await schema
      .alterTable('file')
      .addColumn('queue_turn', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
    await schema
      .alterTable('stored_blob')
      .addColumn('bytes', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
    await schema.createIndex('file_queue').on('file').columns(['state', 'queue_turn', 'due_at']).execute()
    await sql`
      update stored_blob
      set state = case state when 'arriving' then 'reserved' when 'kept' then 'committed' else 'released' end`.execute(
      db,
    )
    await sql`update file set resized_images = replace(resized_images, '"address":', '"publicId":')`.execute(db)
    await sql`
      update stored_blob set bytes = (select file.bytes from file where file.blob_id = stored_blob.id)
      where id in (select blob_id from file)`.execute(db)
    let after = 0
    for (;;) {
      const { rows } = await sql<{ id: number; blob: string; images: string }>`
        select id, resized_blob_id as blob, resized_images as images from file
        where id > ${after} and resized_blob_id is not null and resized_images is not null
        order by id limit ${batch}`.execute(db)
      for (const { id, blob, images } of rows) {
        const { widths }: { widths: { bytes: number[] }[] } = JSON.parse(images)
        const bytes = widths.flatMap((width) => width.bytes).reduce((sum, one) => sum + one, 0)
        await sql`update stored_blob set bytes = ${bytes} where id = ${blob}`.execute(db)
        after = id
      }
      if (rows.length < batch) break
    }
  },
})
