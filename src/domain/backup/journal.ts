import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { Decrypter, Encrypter } from 'age-encryption'
import { z } from 'zod'
import { dayMs } from '../../contract/limits.ts'
import type { BackupKey } from '../../platform/archive/backup-key.ts'
import { type BackupTarget, folderTarget } from '../../platform/archive/backup-target.ts'
import { UnusableArchive } from '../../platform/archive/unusable-archive.ts'
import type { Context } from '../../platform/context.ts'
import type { Db } from '../../platform/db/database.ts'
import { ownTables } from '../../platform/db/empty-database.ts'
import { type JournalEntry, readJournal } from '../../platform/db/restore-journal.ts'
import { listBlockedUsers } from './backup.queries.ts'
import { siteIdOf } from './contents.ts'

/**
 * The changes that a restore of an older backup must not undo: erasures, deleted and blocked users, and used ids. After
 * each backup the journal is stored next to the archives; a restore also reads that of the database that it replaces.
 */
const journal = z.object({
  siteId: z.string(),
  /** The journal contains everything up to this time. */
  at: z.iso.datetime(),
  /** `subject` is the keyed hash of the email address of an erased person, or the id of a deleted user. */
  entries: z.array(z.object({ kind: z.enum(['erased', 'user_deleted']), subject: z.string(), at: z.string() })),
  blockedUsers: z.array(z.int()),
  lastIds: z.record(z.string(), z.int()),
})
export type Journal = z.infer<typeof journal>

const fileName = (siteId: string) => `etalage-journal-${siteId}.age`

/** Creates the journal of a database as it is now. */
export async function createJournal(
  ctx: Pick<Context, 'dialect' | 'now'> & { secret: string },
  db: Db,
): Promise<Journal> {
  return {
    siteId: siteIdOf(ctx.secret),
    at: ctx.now().toISOString(),
    entries: await readJournal(db),
    blockedUsers: await listBlockedUsers(db),
    lastIds: onlyOwnTables(await ctx.dialect.copy.readLastIds(db)),
  }
}

/** The ids without those of tables that do not belong to Etalage, which may share the database. */
export const onlyOwnTables = (lastIds: Journal['lastIds']): Journal['lastIds'] =>
  Object.fromEntries(Object.entries(lastIds).filter(([table]) => ownTables.has(table)))

/**
 * Writes the journal next to the archives, encrypted with the same key and merged with the existing one. An existing
 * journal that cannot be read, for example after a change of the key, is renamed.
 * @returns its new name, or undefined
 */
export async function writeJournalFile(
  target: BackupTarget,
  key: BackupKey,
  content: Journal,
): Promise<string | undefined> {
  const name = fileName(content.siteId)
  const file = await readStored(target, name)
  const existing = await decryptJournal(file, key.identity, content.siteId).catch(() => 'unreadable' as const)
  const isReadable = existing !== undefined && existing !== 'unreadable'
  const encrypter = new Encrypter()
  encrypter.addRecipient(key.recipient)
  const encrypted = await encrypter.encrypt(JSON.stringify(isReadable ? mergeJournals(existing, content) : content))
  const newName = existing === 'unreadable' ? `${name}.unreadable-${content.at.replaceAll(':', '-')}` : undefined
  if (newName) await target.rename(name, newName)
  await target.write(name, Readable.from([encrypted]))
  return newName
}

/**
 * Merges the erasures and highest ids of both: the existing journal may be of a copy of the site, or from a time when
 * the clock was wrong. A copy may use the same user id for another person, so deleted and blocked users are those of
 * `content` alone.
 */
function mergeJournals(existing: Journal, content: Journal): Journal {
  const entries = new Map<string, JournalEntry>()
  for (const entry of [...existing.entries.filter(({ kind }) => kind === 'erased'), ...content.entries]) {
    const key = `${entry.kind} ${entry.subject}`
    const earlier = entries.get(key)
    if (!earlier || earlier.at < entry.at) entries.set(key, entry)
  }
  const lastIds = { ...existing.lastIds }
  for (const [table, id] of Object.entries(content.lastIds)) lastIds[table] = Math.max(id, lastIds[table] ?? 0)
  // More than a day ahead: the existing time is of a wrong clock.
  const isClockWrong = Date.parse(existing.at) > Date.parse(content.at) + dayMs
  const { at } = existing.at > content.at && !isClockWrong ? existing : content
  return { ...content, at, entries: [...entries.values()], lastIds }
}

/**
 * Reads the journal next to an archive; undefined without one.
 * @throws {UnusableJournal}, or a restore would bring back erased people
 */
export const readJournalNextTo = (archive: string, identity: string, siteId: string): Promise<Journal | undefined> =>
  readJournalAt(folderTarget(dirname(archive)), identity, siteId)

/** `readJournalNextTo` for a backup target. */
export async function readJournalAt(
  target: BackupTarget,
  identity: string,
  siteId: string,
): Promise<Journal | undefined> {
  const name = fileName(siteId)
  return decryptJournal(await readStored(target, name), identity, siteId).catch((error) => {
    throw new UnusableJournal(`${target.label}/${name}`, error)
  })
}

/** The journal cannot be read; the archive itself may be good. */
export class UnusableJournal extends UnusableArchive {
  constructor(path: string, cause: Error) {
    super({ key: 'journalNotRead', archive: path, detail: cause.message }, cause)
  }
}

/** Enough for hundreds of thousands of entries. A larger file is not a journal, and is not read into memory. */
const maxJournalBytes = 64 * 1_048_576

/** Reads a file; of one larger than `maxJournalBytes` only the beginning, which `decryptJournal` refuses. */
async function readStored(target: BackupTarget, name: string): Promise<Buffer | undefined> {
  const stored = await target.read(name)
  if (!stored) return undefined
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of stored) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > maxJournalBytes) break
  }
  return Buffer.concat(chunks)
}

/** @returns undefined without content @throws when it cannot be decrypted or is not a journal of this site */
async function decryptJournal(
  content: Buffer | undefined,
  identity: string,
  siteId: string,
): Promise<Journal | undefined> {
  if (!content) return undefined
  if (content.length > maxJournalBytes) throw new Error('it is larger than a journal can be')
  const decrypter = new Decrypter()
  decrypter.addIdentity(identity)
  const parsed = journal.safeParse(JSON.parse(await decrypter.decrypt(content, 'text')))
  if (!parsed.success) throw new Error('it is not one of this version of the program')
  if (parsed.data.siteId !== siteId) throw new Error('it belongs to another site')
  return parsed.data
}
