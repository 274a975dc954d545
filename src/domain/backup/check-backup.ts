import type { z } from 'zod'
import { readArchive } from '../../platform/archive/archive.ts'
import { UnusableArchive } from '../../platform/archive/unusable-archive.ts'
import { migrationNames } from '../../platform/db/migrations/migration-names.ts'
import { archiveFormat, type Header, header, items, type Manifest, manifest } from './contents.ts'

export interface CheckedBackup {
  header: Header
  manifest: Manifest
  secret: string
  /** The text of the configuration file. */
  configuration: string
}

/**
 * Reads a whole backup, and verifies every item against the manifest. Nothing is written.
 * @throws {UnusableArchive} when it is damaged, has another key, or was made by a newer version of the program
 */
export async function checkBackup(path: string, identity: string, signal?: AbortSignal): Promise<CheckedBackup> {
  const texts = new Map<string, string>()
  const rows: Record<string, number> = {}
  let first: Header | undefined
  const take = async (name: string, content: AsyncIterable<Buffer>) => {
    if (!first) {
      if (name !== items.header) throw new UnusableArchive(path, 'is no backup of this program.')
      first = parsed(path, header, await textOf(content))
      refuseNewer(path, first)
    } else if (name.startsWith(items.table(''))) {
      rows[name.slice(items.table('').length)] = (await countLines(content)) - 1
    } else if (!name.startsWith(items.file(''))) {
      texts.set(name, await textOf(content))
    }
  }
  const found = await readArchive(path, identity, take, signal)
  const last = texts.get(items.manifest)
  if (!first || last === undefined) throw new UnusableArchive(path, 'is not complete.')
  const content = parsed(path, manifest, last)
  const expected = JSON.stringify([content.items, content.rows])
  if (JSON.stringify([found.filter(({ name }) => name !== items.manifest), rows]) !== expected) {
    throw new UnusableArchive(path, 'does not contain what its manifest lists.')
  }
  const secret = texts.get(items.secret)
  const configuration = texts.get(items.configuration)
  if (secret === undefined || configuration === undefined) throw new UnusableArchive(path, 'is not complete.')
  return { header: first, manifest: content, secret, configuration }
}

function refuseNewer(path: string, { format, migrations }: Header): void {
  const unknown = migrations.filter((name) => !migrationNames.some((known) => known === name))
  if (format > archiveFormat || unknown.length > 0) {
    throw new UnusableArchive(path, 'was made by a newer version of this program. Restore it with that version.')
  }
}

function parsed<Schema extends z.ZodType>(path: string, schema: Schema, text: string): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(text))
  } catch (error) {
    // A newer version may have other fields; the format number shows whether it is newer.
    const { format } = (text.startsWith('{"format":') ? JSON.parse(text) : {}) as { format?: number }
    if (format !== undefined && format > archiveFormat) refuseNewer(path, { format, migrations: [] } as never)
    throw new UnusableArchive(path, 'is no backup of this program.', error)
  }
}

async function textOf(content: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of content) parts.push(part)
  return Buffer.concat(parts).toString()
}

async function countLines(content: AsyncIterable<Buffer>): Promise<number> {
  let lines = 0
  for await (const part of content) for (const byte of part) if (byte === newline) lines++
  return lines
}

const newline = 0x0a
