import type { z } from 'zod'
import { type ArchiveItem, type ArchiveSource, readArchive, readItems } from '../../platform/archive/archive.ts'
import { NewerArchive, UnusableArchive } from '../../platform/archive/unusable-archive.ts'
import { migrationNames } from '../../platform/db/migrations/migration-names.ts'
import {
  archiveFormat,
  type BlobFiles,
  blobFiles,
  type Header,
  header,
  items,
  type Manifest,
  manifest,
} from './contents.ts'

export interface CheckedBackup {
  header: Header
  manifest: Manifest
  /** The objects of stored files: in the archive, and in blob files next to it. */
  files: ArchiveItem[]
  /** Undefined: the archive contains all files itself. */
  blobFiles: BlobFiles | undefined
  secret: string
  /** The text of the configuration file. */
  configuration: string
}

/**
 * Reads a whole archive, and verifies every item against the manifest, without writing anything. It does not read the
 * blob files: `listUnusableBlobFiles` does.
 * @throws {UnusableArchive} when the archive is damaged or has another key; {NewerArchive} when a newer version made it
 */
export async function checkBackup(path: string, identity: string, signal?: AbortSignal): Promise<CheckedBackup> {
  const texts = new Map<string, string>()
  const rows: Record<string, number> = {}
  let archiveHeader: Header | undefined
  const handleItem = async (name: string, content: AsyncIterable<Buffer>) => {
    if (!archiveHeader) {
      if (name !== items.header) throw new UnusableArchive({ key: 'archiveForeign', archive: path })
      archiveHeader = parseItem(path, header, await textOf(path, content))
      refuseNewer(path, archiveHeader)
    } else if (name.startsWith(items.table(''))) {
      rows[name.slice(items.table('').length)] = (await countLines(path, content)) - 1
    } else if (textItems.has(name)) {
      texts.set(name, await textOf(path, content))
    }
  }
  const actualItems = await readArchive(path, identity, handleItem, signal)
  const manifestText = texts.get(items.manifest)
  if (!archiveHeader || manifestText === undefined)
    throw new UnusableArchive({ key: 'archiveIncomplete', archive: path })
  const contents = parseItem(path, manifest, manifestText)
  const expected = JSON.stringify([contents.items, contents.rows])
  if (JSON.stringify([actualItems.filter(({ name }) => name !== items.manifest), rows]) !== expected) {
    throw new UnusableArchive({ key: 'archiveOtherItems', archive: path })
  }
  const secret = texts.get(items.secret)
  const configuration = texts.get(items.configuration)
  if (secret === undefined || configuration === undefined)
    throw new UnusableArchive({ key: 'archiveIncomplete', archive: path })
  const blobFilesText = texts.get(items.blobFiles)
  const listed = blobFilesText === undefined ? undefined : parseItem(path, blobFiles, blobFilesText)
  const files = [
    ...contents.items.filter(({ name }) => name.startsWith(items.file(''))),
    ...Object.values(listed?.blobs ?? {}).flatMap((blob) => blob.items),
  ]
  return { header: archiveHeader, manifest: contents, files, blobFiles: listed, secret, configuration }
}

/** The first items of an archive. */
export interface BackupHead {
  header: Header
  blobFiles: BlobFiles | undefined
}

/** Reads the first items of an archive. @throws {UnusableArchive}; {NewerArchive}; {TargetFailure} */
export async function readBackupHead(from: ArchiveSource, identity: string, signal?: AbortSignal): Promise<BackupHead> {
  const texts = new Map<string, string>()
  const handleItem = async (name: string, content: AsyncIterable<Buffer>) =>
    void texts.set(name, await textOf(from.label, content))
  const until = (name: string) => name !== items.header && name !== items.blobFiles
  await readItems(from, identity, handleItem, { until, ...(signal && { signal }) })
  const archiveHeader = parseItem(from.label, header, texts.get(items.header) ?? '')
  refuseNewer(from.label, archiveHeader)
  const blobFilesText = texts.get(items.blobFiles)
  const listed = blobFilesText === undefined ? undefined : parseItem(from.label, blobFiles, blobFilesText)
  return { header: archiveHeader, blobFiles: listed }
}

/** @throws {NewerArchive} when this version does not know the format or a migration */
function refuseNewer(path: string, { format, migrations }: Header): void {
  const isKnown = (migration: string) => migrationNames.some((name) => name === migration)
  if (format > archiveFormat || !migrations.every(isKnown)) throw new NewerArchive(path)
}

/** Parses an item. @throws {UnusableArchive}; {NewerArchive} */
function parseItem<Schema extends z.ZodType>(path: string, schema: Schema, text: string): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(text))
  } catch (error) {
    // The header of a newer version may not match the schema, but it begins with the format number.
    const { format } = (text.startsWith('{"format":') ? JSON.parse(text) : {}) as { format?: number }
    if (format !== undefined && format > archiveFormat) refuseNewer(path, { format, migrations: [] } as never)
    throw new UnusableArchive({ key: 'archiveForeign', archive: path }, error)
  }
}

/** The items that are read as one text; others are tables and files. */
const textItems = new Set([items.blobFiles, items.configuration, items.secret, items.manifest])

/** Not constant, so that a test can lower them. */
export const archiveLimits = {
  /** Far above the list of a million stored files, and below the longest possible string. */
  textBytes: 2 ** 28,
  /** Far above the largest row, a page with all its blocks. */
  lineBytes: 2 ** 26,
}

async function textOf(path: string, content: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of content) {
    bytes += chunk.length
    if (bytes > archiveLimits.textBytes) throw new UnusableArchive({ key: 'archiveItemTooLarge', archive: path })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

async function countLines(path: string, content: AsyncIterable<Buffer>): Promise<number> {
  let lines = 0
  let unfinishedBytes = 0
  for await (const chunk of content) {
    let lineStart = 0
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, lineStart)) {
      lineStart = end + 1
      unfinishedBytes = 0
      lines++
    }
    unfinishedBytes += chunk.length - lineStart
    if (unfinishedBytes > archiveLimits.lineBytes)
      throw new UnusableArchive({ key: 'archiveRowTooLarge', archive: path })
  }
  if (unfinishedBytes > 0) throw new UnusableArchive({ key: 'archiveRowIncomplete', archive: path })
  return lines
}

const newline = 0x0a
