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
 * Changes that a restore of an older backup must not undo: erasures, deleted and blocked users, and used ids. It is stored next
 * to the archives after each backup; a restore also reads it from the database that it replaces.
 */
const journal = z.object({
  siteId: z.string(),
  /** It contains everything up to this time. */
  at: z.iso.datetime(),
  /** `subject`: of one that was erased the keyed hash of the address, of a deleted user the id. */
  entries: z.array(z.object({ kind: z.enum(['erased', 'user_deleted']), subject: z.string(), at: z.string() })),
  blockedUsers: z.array(z.int()),
  lastIds: z.record(z.string(), z.int()),
})
export type Journal = z.infer<typeof journal>

const fileName = (siteId: string) => `etalage-journal-${siteId}.age`

export async function currentJournal(
  ctx: Pick<Context, 'dialect' | 'now'> & { secret: string },
  db: Db,
): Promise<Journal> {
  return {
    siteId: siteIdOf(ctx.secret),
    at: ctx.now().toISOString(),
    entries: await readJournal(db),
    blockedUsers: await listBlockedUsers(db),
    lastIds: ofOwnTables(await ctx.dialect.copy.readLastIds(db)),
  }
}

/** Leaves out tables of other programs in the same database. */
export const ofOwnTables = (lastIds: Journal['lastIds']): Journal['lastIds'] =>
  Object.fromEntries(Object.entries(lastIds).filter(([table]) => ownTables.has(table)))

/**
 * Writes the journal next to the archives, encrypted with the same key, together with what the one there has.
 * @returns the new name of an existing journal that cannot be read, for example after a change of the key
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
  const encrypted = await encrypter.encrypt(JSON.stringify(isReadable ? merged(existing, content) : content))
  const aside = existing === 'unreadable' ? `${name}.unreadable-${content.at.replaceAll(':', '-')}` : undefined
  if (aside) await target.rename(name, aside)
  await target.write(name, Readable.from([encrypted]))
  return aside
}

/**
 * With the erasures and highest ids that either has: the one there may be of a copy of the site, or from a time when its clock
 * was wrong. A copy gives the ids of users to others, so deleted and blocked users are those of this database alone.
 */
function merged(existing: Journal, content: Journal): Journal {
  const entries = new Map<string, JournalEntry>()
  for (const entry of [...existing.entries.filter(({ kind }) => kind === 'erased'), ...content.entries]) {
    const key = `${entry.kind} ${entry.subject}`
    const known = entries.get(key)
    if (!known || known.at < entry.at) entries.set(key, entry)
  }
  const lastIds = { ...existing.lastIds }
  for (const [table, id] of Object.entries(content.lastIds)) lastIds[table] = Math.max(id, lastIds[table] ?? 0)
  const isAhead = Date.parse(existing.at) > Date.parse(content.at) + dayMs
  const { at } = existing.at > content.at && !isAhead ? existing : content
  return { ...content, at, entries: [...entries.values()], lastIds }
}

/**
 * The journal in the folder of an archive; undefined when there is none.
 * @throws {UnusableJournal} when it cannot be read: a restore without it would bring back erased people
 */
export const readJournalBeside = (archive: string, identity: string, siteId: string): Promise<Journal | undefined> =>
  readJournalAt(folderTarget(dirname(archive)), identity, siteId)

/** `readJournalBeside` for a backup target. */
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

/** The backup itself may be good. */
export class UnusableJournal extends UnusableArchive {
  constructor(path: string, cause: Error) {
    super({ key: 'journalNotRead', archive: path, detail: cause.message }, cause)
  }
}

/** Room for hundreds of thousands of entries. A larger file is no journal, and is not read into the memory. */
const maxBytes = 64 * 1_048_576

/** Of a file larger than `maxBytes`, only the beginning. */
async function readStored(target: BackupTarget, name: string): Promise<Buffer | undefined> {
  const stored = await target.read(name)
  if (!stored) return undefined
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of stored) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > maxBytes) break
  }
  return Buffer.concat(chunks)
}

async function decryptJournal(
  content: Buffer | undefined,
  identity: string,
  siteId: string,
): Promise<Journal | undefined> {
  if (!content) return undefined
  if (content.length > maxBytes) throw new Error('it is larger than a journal can be')
  const decrypter = new Decrypter()
  decrypter.addIdentity(identity)
  const found = journal.safeParse(JSON.parse(await decrypter.decrypt(content, 'text')))
  if (!found.success) throw new Error('it is not one of this version of the program')
  if (found.data.siteId !== siteId) throw new Error('it belongs to another site')
  return found.data
}
