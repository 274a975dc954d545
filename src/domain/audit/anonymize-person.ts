import type { Db, Transaction } from '../../platform/db/database.ts'
import { addressPattern } from '../../platform/db/text-search.ts'
import { listEntriesAbout, listExistingUserIds, type StoredAuditEntry, updateEntry } from './anonymize.queries.ts'

const redacted = '…'

interface Person {
  /** In lower case. */
  email: string
  /** The account that is deleted with the person's data. */
  userId: number | undefined
}

/** Audit entries that contain the person's email address, or whose actor or subject is one of the person's accounts. */
export async function listEntriesOfPerson(db: Db, person: Person): Promise<StoredAuditEntry[]> {
  const { email } = person
  const naming = (await listEntriesAbout(db, { email, userIds: [] })).filter((entry) => containsAddress(entry, email))
  const userIds = await findAccountsOf(db, naming, person)
  if (userIds.size === 0) return naming
  const entries = await listEntriesAbout(db, { email, userIds: [...userIds] })
  return entries.filter((entry) => containsAddress(entry, email) || involvesUser(entry, userIds))
}

/**
 * Replaces a person's name and address in the audit log; actions and user ids stay.
 * @returns the number of entries that named the person, and the ids of the person's accounts
 */
export async function anonymizePerson(
  tx: Transaction,
  person: Person,
): Promise<{ changes: number; userIds: number[] }> {
  const entries = await listEntriesOfPerson(tx, person)
  const accounts = await findAccountsOf(tx, entries, person)
  for (const entry of entries) {
    const isAboutPerson = entry.subject_type === 'user' && accounts.has(Number(entry.subject_id))
    const redact = (text: string) => text.replace(addressPattern(person.email), redacted)
    await updateEntry(tx, entry.id, {
      ...(entry.actor_id !== null && accounts.has(entry.actor_id) && { actor_name: `#${entry.actor_id}` }),
      subject_name: isAboutPerson ? `#${entry.subject_id}` : redact(entry.subject_name),
      before: isAboutPerson ? null : entry.before && redact(entry.before),
      after: isAboutPerson ? null : entry.after && redact(entry.after),
    })
  }
  return { changes: entries.length, userIds: [...accounts] }
}

/**
 * The account that is deleted now, and deleted accounts that had this address. An account that has another address now,
 * or that got this address after another user, is not included.
 */
async function findAccountsOf(
  db: Db,
  entries: readonly StoredAuditEntry[],
  { email, userId }: Person,
): Promise<Set<number>> {
  const subjects = entries.flatMap(({ subject_type, subject_id, subject_name }) =>
    subject_type === 'user' && subject_id !== null && subject_name.toLowerCase().includes(`<${email}>`)
      ? [Number(subject_id)]
      : [],
  )
  const existing = new Set(await listExistingUserIds(db, subjects))
  return new Set([...subjects.filter((id) => !existing.has(id)), ...(userId === undefined ? [] : [userId])])
}

const involvesUser = (entry: StoredAuditEntry, userIds: ReadonlySet<number>): boolean =>
  (entry.actor_id !== null && userIds.has(entry.actor_id)) ||
  (entry.subject_type === 'user' && userIds.has(Number(entry.subject_id)))

const containsAddress = (entry: StoredAuditEntry, email: string): boolean =>
  [entry.subject_name, entry.before, entry.after].some(
    (text) => text !== null && text.search(addressPattern(email)) >= 0,
  )
