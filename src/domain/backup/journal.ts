import { readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Decrypter, Encrypter } from 'age-encryption'
import { z } from 'zod'
import type { Context } from '../../platform/context.ts'
import type { Database, Transaction } from '../../platform/db/database.ts'
import { readJournal } from '../../platform/db/restore-journal.ts'
import { listBlockedUsers } from './backup.queries.ts'
import { siteIdOf } from './contents.ts'

/**
 * What happened to a site that a restore of an older backup must not undo. It stands beside the archives, as of the newest
 * backup, and is taken from the database that a restore replaces.
 */
const journal = z.object({
  siteId: z.string(),
  /** The moment up to which it is complete. */
  at: z.iso.datetime(),
  entries: z.array(z.object({ kind: z.enum(['erased', 'user_deleted']), subject: z.string(), at: z.string() })),
  blockedUsers: z.array(z.int()),
  lastIds: z.record(z.string(), z.int()),
})
export type Journal = z.infer<typeof journal>

const fileName = 'etalage-journal.age'

export async function currentJournal(
  ctx: Pick<Context, 'dialect' | 'now'> & { secret: string },
  db: Database | Transaction,
): Promise<Journal> {
  return {
    siteId: siteIdOf(ctx.secret),
    at: ctx.now().toISOString(),
    entries: await readJournal(db),
    blockedUsers: await listBlockedUsers(db),
    lastIds: await ctx.dialect.copy.readLastIds(db),
  }
}

/** Writes the journal beside the archives of a folder, encrypted as they are. */
export async function writeJournalFile(folder: string, recipient: string, content: Journal): Promise<void> {
  const encrypter = new Encrypter()
  encrypter.addRecipient(recipient)
  const path = join(folder, fileName)
  const partial = `${path}.partial`
  await writeFile(partial, await encrypter.encrypt(JSON.stringify(content)), { mode: 0o600, flush: true })
  await rename(partial, path)
}

/** The journal beside an archive. Undefined when there is none that this key opens. */
export async function findJournalFile(archive: string, identity: string): Promise<Journal | undefined> {
  const decrypter = new Decrypter()
  decrypter.addIdentity(identity)
  try {
    const text = await decrypter.decrypt(await readFile(join(dirname(archive), fileName)), 'text')
    return journal.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}
