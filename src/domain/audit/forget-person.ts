import type { Database, Transaction } from '../../platform/db/database.ts'
import { listKnownUsers, listNaming, type NamingRow, updateNaming } from './forget.queries.ts'

const hidden = '…'

/** The changes in which somebody is named by their address, or that are of their account, or about it. @param of.email in lower case */
export async function changesNaming(
  db: Database | Transaction,
  of: { email: string; userId: number | undefined },
): Promise<NamingRow[]> {
  const named = (await listNaming(db, { email: of.email, userIds: [] })).filter((row) => names(row, of.email))
  const userIds = await erasedUsers(db, named, of)
  if (userIds.size === 0) return named
  const rows = await listNaming(db, { email: of.email, userIds: [...userIds] })
  return rows.filter((row) => names(row, of.email) || isOf(row, userIds))
}

/**
 * Lets the log forget who somebody was: that something was done stays, and by which number, but neither name nor address.
 * @param of.userId of the account that is removed with it
 * @returns how many changes named them, and the accounts that were theirs
 */
export async function forgetPerson(
  tx: Transaction,
  of: { email: string; userId: number | undefined },
): Promise<{ changes: number; userIds: number[] }> {
  const rows = await changesNaming(tx, of)
  const erased = await erasedUsers(tx, rows, of)
  for (const row of rows) {
    const about = row.subject_type === 'user' && erased.has(Number(row.subject_id))
    await updateNaming(tx, row.id, {
      ...(row.actor_id !== null && erased.has(row.actor_id) && { actor_name: `#${row.actor_id}` }),
      subject_name: about ? `#${row.subject_id}` : without(row.subject_name, of.email),
      before: about ? null : row.before && without(row.before, of.email),
      after: about ? null : row.after && without(row.after, of.email),
    })
  }
  return { changes: rows.length, userIds: [...erased] }
}

/**
 * The account that is removed now, and those with this address that are gone already. Somebody who has another address by
 * now, or who has this one after somebody else, is another matter.
 */
async function erasedUsers(
  db: Database | Transaction,
  rows: readonly NamingRow[],
  { email, userId }: { email: string; userId: number | undefined },
): Promise<Set<number>> {
  const subjects = rows.flatMap(({ subject_type, subject_id, subject_name }) =>
    subject_type === 'user' && subject_id !== null && subject_name.toLowerCase().includes(`<${email}>`)
      ? [Number(subject_id)]
      : [],
  )
  const there = new Set(await listKnownUsers(db, subjects))
  return new Set([...subjects.filter((id) => !there.has(id)), ...(userId === undefined ? [] : [userId])])
}

const isOf = (row: NamingRow, userIds: ReadonlySet<number>): boolean =>
  (row.actor_id !== null && userIds.has(row.actor_id)) ||
  (row.subject_type === 'user' && userIds.has(Number(row.subject_id)))

const names = (row: NamingRow, email: string): boolean =>
  [row.subject_name, row.before, row.after].some((text) => text !== null && text.search(addressIn(email)) >= 0)

const without = (text: string, email: string): string => text.replace(addressIn(email), hidden)

/** The whole address, whatever its capitals: `an@example.nl` stands in `jan@example.nl` and is another. */
const addressIn = (email: string): RegExp =>
  new RegExp(
    `(?<![\\p{L}\\p{N}!#$%&'*+/=?^_\`{|}~.@-])${email.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')}(?![\\p{L}\\p{N}-]|\\.[\\p{L}\\p{N}])`,
    'giu',
  )
