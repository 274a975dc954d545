import { type AdminLocale, adminLocale } from '../../contract/locales.ts'
import type { Database, Transaction } from '../../platform/db/database.ts'
import type { UserLinkTable } from '../../platform/db/tables/people.ts'

export type LinkPurpose = UserLinkTable['purpose']

export interface FoundLink {
  userId: number | null
  email: string | null
  /** Whether it was shown to its creator. */
  shown: boolean
}

export async function insertLink(
  tx: Transaction,
  link: {
    tokenHash: string
    purpose: LinkPurpose
    userId: number | null
    email: string | undefined
    shown: boolean
    expiresAt: Date
    now: Date
  },
): Promise<void> {
  await tx
    .insertInto('user_link')
    .values({
      token_hash: link.tokenHash,
      purpose: link.purpose,
      user_id: link.userId,
      email: link.email ?? null,
      shown: link.shown ? 1 : 0,
      expires_at: link.expiresAt.toISOString(),
      created_at: link.now.toISOString(),
    })
    .execute()
}

/** A valid link. */
export async function findLink(
  db: Database | Transaction,
  wanted: { tokenHash: string; purpose: LinkPurpose },
  now: Date,
): Promise<FoundLink | undefined> {
  const row = await db
    .selectFrom('user_link')
    .where('token_hash', '=', wanted.tokenHash)
    .where('purpose', '=', wanted.purpose)
    .where('expires_at', '>', now.toISOString())
    .select(['user_id', 'email', 'shown'])
    .executeTakeFirst()
  return row && { userId: row.user_id, email: row.email, shown: row.shown === 1 }
}

/** Returns and invalidates a valid link; of two concurrent calls one gets it. */
export async function consumeLinkRow(
  tx: Transaction,
  wanted: { tokenHash: string; purpose: LinkPurpose },
  now: Date,
): Promise<FoundLink | undefined> {
  const row = await tx
    .deleteFrom('user_link')
    .where('token_hash', '=', wanted.tokenHash)
    .where('purpose', '=', wanted.purpose)
    .where('expires_at', '>', now.toISOString())
    .returning(['user_id', 'email', 'shown'])
    .executeTakeFirst()
  return row && { userId: row.user_id, email: row.email, shown: row.shown === 1 }
}

/** Deletes the links of users, all or those of one purpose. */
export async function deleteUserLinks(
  tx: Transaction,
  userIds: readonly number[],
  purpose?: LinkPurpose,
): Promise<void> {
  await tx
    .deleteFrom('user_link')
    .where('user_id', 'in', userIds)
    .$if(purpose !== undefined, (query) => query.where('purpose', '=', purpose as LinkPurpose))
    .execute()
}

export async function deleteSetupLinks(tx: Transaction): Promise<void> {
  await tx.deleteFrom('user_link').where('purpose', '=', 'setup').execute()
}

export async function findUserLocale(tx: Transaction, userId: number): Promise<AdminLocale | undefined> {
  const row = await tx.selectFrom('user').select('locale').where('id', '=', userId).executeTakeFirst()
  return row && adminLocale(row.locale)
}
