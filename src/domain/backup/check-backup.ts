import type { z } from 'zod'
import { type ArchiveItem, readArchive, readItems } from '../../platform/archive/archive.ts'
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
  /** The stored files: in the archive, and in files beside it. */
  files: ArchiveItem[]
  /** Undefined: the archive has all files itself. */
  blobFiles: BlobFiles | undefined
  secret: string
  /** The text of the configuration file. */
  configuration: string
}

/**
 * Reads a whole archive, and verifies every item against the manifest. Nothing is written. The files beside it are checked by
 * `listUnusableBlobFiles`.
 * @throws {UnusableArchive} when it is damaged, has another key, or was made by a newer version of the program
 */
export async function checkBackup(path: string, identity: string, signal?: AbortSignal): Promise<CheckedBackup> {
  const texts = new Map<string, string>()
  const rows: Record<string, number> = {}
  let first: Header | undefined
  const take = async (name: string, content: AsyncIterable<Buffer>) => {
    if (!first) {
      if (name !== items.header) throw new UnusableArchive({ key: 'archiveForeign', archive: path })
      first = parsed(path, header, await textOf(path, content))
      refuseNewer(path, first)
    } else if (name.startsWith(items.table(''))) {
      rows[name.slice(items.table('').length)] = (await countLines(path, content)) - 1
    } else if (textItems.has(name)) {
      texts.set(name, await textOf(path, content))
    }
  }
  const found = await readArchive(path, identity, take, signal)
  const last = texts.get(items.manifest)
  if (!first || last === undefined) throw new UnusableArchive({ key: 'archiveIncomplete', archive: path })
  const content = parsed(path, manifest, last)
  const expected = JSON.stringify([content.items, content.rows])
  if (JSON.stringify([found.filter(({ name }) => name !== items.manifest), rows]) !== expected) {
    throw new UnusableArchive({ key: 'archiveOtherItems', archive: path })
  }
  const secret = texts.get(items.secret)
  const configuration = texts.get(items.configuration)
  if (secret === undefined || configuration === undefined)
    throw new UnusableArchive({ key: 'archiveIncomplete', archive: path })
  const beside = texts.get(items.blobFiles)
  const stored = beside === undefined ? undefined : parsed(path, blobFiles, beside)
  const files = [
    ...content.items.filter(({ name }) => name.startsWith(items.file(''))),
    ...Object.values(stored?.blobs ?? {}).flatMap((blob) => blob.items),
  ]
  return { header: first, manifest: content, files, blobFiles: stored, secret, configuration }
}

/** The header at the beginning of an archive. */
export interface BackupHead {
  header: Header
  blobFiles: BlobFiles | undefined
}

/** Reads the beginning of an archive. @throws {UnusableArchive}; {NewerArchive}; {TargetFailure} of the content */
export async function readBackupHead(
  from: Parameters<typeof readItems>[0],
  identity: string,
  signal?: AbortSignal,
): Promise<BackupHead> {
  const texts = new Map<string, string>()
  const take = async (name: string, content: AsyncIterable<Buffer>) =>
    void texts.set(name, await textOf(from.label, content))
  const until = (name: string) => name !== items.header && name !== items.blobFiles
  await readItems(from, identity, take, { until, ...(signal && { signal }) })
  const first = parsed(from.label, header, texts.get(items.header) ?? '')
  refuseNewer(from.label, first)
  const beside = texts.get(items.blobFiles)
  return { header: first, blobFiles: beside === undefined ? undefined : parsed(from.label, blobFiles, beside) }
}

function refuseNewer(path: string, { format, migrations }: Header): void {
  const unknown = migrations.filter((name) => !migrationNames.some((known) => known === name))
  if (format > archiveFormat || unknown.length > 0) {
    throw new NewerArchive(path)
  }
}

function parsed<Schema extends z.ZodType>(path: string, schema: Schema, text: string): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(text))
  } catch (error) {
    // A newer version may have other fields; the format number shows whether it is newer.
    const { format } = (text.startsWith('{"format":') ? JSON.parse(text) : {}) as { format?: number }
    if (format !== undefined && format > archiveFormat) refuseNewer(path, { format, migrations: [] } as never)
    throw new UnusableArchive({ key: 'archiveForeign', archive: path }, error)
  }
}

/** The items that are read as one text; others are tables and files. */
const textItems = new Set([items.blobFiles, items.configuration, items.secret, items.manifest])

/** A test lowers them. */
export const archiveLimits = {
  /** Far above the list of a million stored files, and what a text can have. */
  textBytes: 2 ** 28,
  /** Far above the largest row, a page with all its blocks. */
  lineBytes: 2 ** 26,
}

async function textOf(path: string, content: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of content) {
    bytes += part.length
    if (bytes > archiveLimits.textBytes) throw new UnusableArchive({ key: 'archiveItemTooLarge', archive: path })
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

async function countLines(path: string, content: AsyncIterable<Buffer>): Promise<number> {
  let lines = 0
  let unfinished = 0
  for await (const part of content) {
    let from = 0
    for (let end = part.indexOf(newline); end !== -1; end = part.indexOf(newline, from)) {
      from = end + 1
      unfinished = 0
      lines++
    }
    unfinished += part.length - from
    if (unfinished > archiveLimits.lineBytes) throw new UnusableArchive({ key: 'archiveRowTooLarge', archive: path })
  }
  if (unfinished > 0) throw new UnusableArchive({ key: 'archiveRowIncomplete', archive: path })
  return lines
}

const newline = 0x0a
