import { createHmac } from 'node:crypto'
import { z } from 'zod'
import type { Context } from '../../platform/context.ts'
import type { Db } from '../../platform/db/database.ts'
import type { TableColumns } from '../../platform/db/dialect/database-copy.ts'
import { ownTables } from '../../platform/db/empty-database.ts'

/** The format version; incremented when older versions of Etalage can no longer read archives. */
export const archiveFormat = 2
/** The format version of an archive without blob files, which contains all files itself. */
export const formatWithoutBlobFiles = 1

/** The names of the items in an archive. */
export const items = {
  header: 'backup.json',
  blobFiles: 'blob-files.json',
  table: (name: string) => `tables/${name}`,
  file: (key: string) => `files/${key}`,
  configuration: 'configuration/site.config.json',
  secret: 'secret',
  manifest: 'manifest.json',
}

/** The first item: what must be known to read the others. */
export const header = z.object({
  format: z.int(),
  madeAt: z.iso.datetime(),
  /** The name of the site, for people. */
  site: z.string(),
  /** The same for all backups of one site; see `siteIdOf`. */
  siteId: z.string().regex(/^[\w-]+$/),
  database: z.enum(['sqlite', 'postgres']),
  migrations: z.array(z.string()),
  /** The highest id that each table has given out, also to rows that were deleted. */
  lastIds: z.record(z.string(), z.int()),
})
export type Header = z.infer<typeof header>

const archiveItem = z.object({ name: z.string(), bytes: z.int(), hash: z.string() })

/** A blob file: an archive next to the backup's archive, with the same key, of the objects of one blob. */
export const blobFile = z.object({
  name: z.string().regex(/^[0-9a-f]{64}\.age$/),
  /** The size of the encrypted file. */
  bytes: z.int(),
  items: z.array(archiveItem),
})
export type BlobFile = z.infer<typeof blobFile>

/** The second item of an archive whose files are in blob files. */
export const blobFiles = z.object({
  folder: z.string().regex(/^etalage-files-[0-9a-f]{32}$/),
  /** By the id of the blob. */
  blobs: z.record(z.string(), blobFile),
})
export type BlobFiles = z.infer<typeof blobFiles>

/** The last item: an archive without it is incomplete. */
export const manifest = z.object({
  /** The number of rows by table. */
  rows: z.record(z.string(), z.int()),
  /** All other items, in their order. */
  items: z.array(archiveItem),
  /**
   * Blobs that staff deleted before the backup had read them. The tables still have the rows of their files, which a
   * restore deletes.
   */
  deletedBlobs: z.array(z.string()),
  /** Blobs that the database lists but the storage does not have. */
  missingBlobs: z.array(z.string()),
})
export type Manifest = z.infer<typeof manifest>

/** Tables that are not backed up: short-lived data such as sessions, counts that triggers maintain, migrations. */
const excludedTables = new Set([
  'session',
  'verification',
  'used_code',
  'sign_in_attempt',
  'page_presence',
  'cache_invalidation',
  'user_count',
  'file_count',
  'page_count',
  'page_entry_count',
  'kysely_migration',
  'kysely_migration_lock',
])

/** Columns, by table, with results of one machine, which must not be taken for those of the machine of a restore. */
const excludedColumns: Readonly<Record<string, readonly string[]>> = {
  health_setting: ['reached_origin', 'reached_at', 'lines'],
}

/** The tables to back up, in foreign-key order: referenced tables come first. */
export async function listBackedUpTables(ctx: Pick<Context, 'dialect'>, db: Db): Promise<TableColumns[]> {
  const tables = await ctx.dialect.copy.listTables(db)
  const references = await ctx.dialect.copy.listReferences(db)
  const sorted = sortByForeignKeys(
    tables.filter(({ name }) => ownTables.has(name)),
    references,
  )
  return sorted
    .filter(({ name }) => !excludedTables.has(name))
    .map(({ name, columns }) => ({
      name,
      columns: columns.filter((column) => ownTables.get(name)?.has(column) && !excludedColumns[name]?.includes(column)),
    }))
}

/** Sorts tables so that referenced ones come first. @throws when tables refer to each other in a circle */
export function sortByForeignKeys(
  tables: readonly TableColumns[],
  references: readonly { table: string; refersTo: string }[],
): TableColumns[] {
  const sorted: TableColumns[] = []
  let remaining = [...tables]
  while (remaining.length > 0) {
    const remainingNames = new Set(remaining.map(({ name }) => name))
    const refersToRemaining = ({ name }: TableColumns) =>
      references.some(({ table, refersTo }) => table === name && refersTo !== name && remainingNames.has(refersTo))
    const next = remaining.filter((table) => !refersToRemaining(table))
    if (next.length === 0) throw new Error(`tables refer to each other: ${[...remainingNames].join(', ')}`)
    sorted.push(...next)
    remaining = remaining.filter((table) => !next.includes(table))
  }
  return sorted
}

/** The id that all backups of one site share: an HMAC, so that it does not reveal the secret. */
export const siteIdOf = (secret: string): string =>
  createHmac('sha256', secret).update('backups of one site').digest('base64url')
