import type { Db, Transaction } from '../../platform/db/database.ts'
import { addressIn } from '../../platform/db/text-search.ts'
import { listEntriesAbout, listExistingUserIds, type StoredAuditEntry, updateEntry } from './anonymize.queries.ts'

const hidden = '…'

/**
 * Audit entries that name this email address, or whose actor or subject is this account.
 * @param of.email in lower case
 */
export async function listEntriesOfPerson(
  db: Db,
  of: { email: string; userId: number | undefined },
): Promise<StoredAuditEntry[]> {
  const named = (await listEntriesAbout(db, { email: of.email, userIds: [] })).filter((row) => names(row, of.email))
  const userIds = await erasedUsers(db, named, of)
  if (userIds.size === 0) return named
  const rows = await listEntriesAbout(db, { email: of.email, userIds: [...userIds] })
  return rows.filter((row) => names(row, of.email) || isOf(row, userIds))
}

/**
 * Replaces a person's name and address in the audit log; actions and user ids stay.
 * @param of.userId the account that is deleted with it
 * @returns the number of entries that named the person, and the ids of the person's accounts
 */
export async function anonymizePerson(
  tx: Transaction,
  of: { email: string; userId: number | undefined },
): Promise<{ changes: number; userIds: number[] }> {
  const rows = await listEntriesOfPerson(tx, of)
  const erased = await erasedUsers(tx, rows, of)
  for (const row of rows) {
    const about = row.subject_type === 'user' && erased.has(Number(row.subject_id))
    await updateEntry(tx, row.id, {
      ...(row.actor_id !== null && erased.has(row.actor_id) && { actor_name: `#${row.actor_id}` }),
      subject_name: about ? `#${row.subject_id}` : without(row.subject_name, of.email),
      before: about ? null : row.before && without(row.before, of.email),
      after: about ? null : row.after && without(row.after, of.email),
    })
  }
  return { changes: rows.length, userIds: [...erased] }
}

/**
 * The account that is deleted now, and deleted accounts that had this address. An account that has another address now,
 * or that got this address after another user, is not included.
 */
async function erasedUsers(
  db: Db,
  rows: readonly StoredAuditEntry[],
  { email, userId }: { email: string; userId: number | undefined },
): Promise<Set<number>> {
  const subjects = rows.flatMap(({ subject_type, subject_id, subject_name }) =>
    subject_type === 'user' && subject_id !== null && subject_name.toLowerCase().includes(`<${email}>`)
      ? [Number(subject_id)]
      : [],
  )
  const there = new Set(await listExistingUserIds(db, subjects))
  return new Set([...subjects.filter((id) => !there.has(id)), ...(userId === undefined ? [] : [userId])])
}

const isOf = (row: StoredAuditEntry, userIds: ReadonlySet<number>): boolean =>
  (row.actor_id !== null && userIds.has(row.actor_id)) ||
  (row.subject_type === 'user' && userIds.has(Number(row.subject_id)))

const names = (row: StoredAuditEntry, email: string): boolean =>
  [row.subject_name, row.before, row.after].some((text) => text !== null && text.search(addressIn(email)) >= 0)

const without = (text: string, email: string): string => text.replace(addressIn(email), hidden)
