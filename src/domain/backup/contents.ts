import { createHmac } from 'node:crypto'
import { z } from 'zod'
import type { Context } from '../../platform/context.ts'
import type { Db } from '../../platform/db/database.ts'
import type { TableColumns } from '../../platform/db/dialect/database-copy.ts'
import { ownTables } from '../../platform/db/empty-database.ts'

/** The format version; incremented when older versions of the program can no longer read the archive. */
export const archiveFormat = 2
/** That of an archive that has all files itself. */
export const wholeFormat = 1

/** Names of the items. */
export const items = {
  header: 'backup.json',
  blobFiles: 'blob-files.json',
  table: (name: string) => `tables/${name}`,
  file: (key: string) => `files/${key}`,
  configuration: 'configuration/site.config.json',
  secret: 'secret',
  manifest: 'manifest.json',
}

/** The first item: the description needed to read the others. */
export const header = z.object({
  format: z.int(),
  madeAt: z.iso.datetime(),
  /** The name of the site, for people. */
  site: z.string(),
  /** The same for all backups of one site; see `siteIdOf`. */
  siteId: z.string().regex(/^[\w-]+$/),
  database: z.enum(['sqlite', 'postgres']),
  migrations: z.array(z.string()),
  lastIds: z.record(z.string(), z.int()),
})
export type Header = z.infer<typeof header>

const archiveItem = z.object({ name: z.string(), bytes: z.int(), hash: z.string() })

/** A file beside the archives with the objects of a blob: an archive of its own, with the same key. */
export const blobFile = z.object({
  name: z.string().regex(/^[0-9a-f]{64}\.age$/),
  /** Its size as it is stored. */
  bytes: z.int(),
  items: z.array(archiveItem),
})
export type BlobFile = z.infer<typeof blobFile>

/** The second item of an archive whose blobs are in files beside it. */
export const blobFiles = z.object({
  folder: z.string().regex(/^etalage-files-[0-9a-f]{32}$/),
  /** By the id of the blob. */
  blobs: z.record(z.string(), blobFile),
})
export type BlobFiles = z.infer<typeof blobFiles>

/** The last item: an archive without it is not complete. */
export const manifest = z.object({
  rows: z.record(z.string(), z.int()),
  items: z.array(archiveItem),
  /** Blobs that were deleted before the backup had read them: their rows are in the tables, and a restore deletes them. */
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

/** Columns of what one machine saw, which a copy on another one must not take for its own. */
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
  const done = new Set<string>()
  let waiting = [...tables]
  while (waiting.length > 0) {
    const known = new Set(waiting.map(({ name }) => name))
    const isFree = ({ name }: TableColumns) =>
      references.every(({ table, refersTo }) => table !== name || refersTo === name || !known.has(refersTo))
    const free = waiting.filter(isFree)
    if (free.length === 0) throw new Error(`tables refer to each other: ${[...known].join(', ')}`)
    for (const table of free) done.add(table.name)
    sorted.push(...free)
    waiting = waiting.filter(({ name }) => !done.has(name))
  }
  return sorted
}

/** An id that all backups of one site share: an HMAC of its secret, which it does not reveal. */
export const siteIdOf = (secret: string): string =>
  createHmac('sha256', secret).update('backups of one site').digest('base64url')
