import { type Locale, locales } from '../../contract/locales.ts'
import type { Database, Transaction } from '../../platform/db/database.ts'
import type { UserLinkTable } from '../../platform/db/tables/people.ts'

export type LinkPurpose = UserLinkTable['purpose']

export interface FoundLink {
  userId: number | null
  email: string | null
}

export async function insertLink(
  tx: Transaction,
  link: {
    tokenHash: string
    purpose: LinkPurpose
    userId: number | null
    email: string | undefined
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
      expires_at: link.expiresAt.toISOString(),
      created_at: link.now.toISOString(),
    })
    .execute()
}

/** A link that still works. */
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
    .select(['user_id', 'email'])
    .executeTakeFirst()
  return row && { userId: row.user_id, email: row.email }
}

/** The same, and from now on it works no more: of two at once one gets it. */
export async function takeLink(
  tx: Transaction,
  wanted: { tokenHash: string; purpose: LinkPurpose },
  now: Date,
): Promise<FoundLink | undefined> {
  const row = await tx
    .deleteFrom('user_link')
    .where('token_hash', '=', wanted.tokenHash)
    .where('purpose', '=', wanted.purpose)
    .where('expires_at', '>', now.toISOString())
    .returning(['user_id', 'email'])
    .executeTakeFirst()
  return row && { userId: row.user_id, email: row.email }
}

/** Ends the links of users, all of them or those of one purpose. */
export async function deleteLinksOf(tx: Transaction, userIds: readonly number[], purpose?: LinkPurpose): Promise<void> {
  await tx
    .deleteFrom('user_link')
    .where('user_id', 'in', userIds)
    .$if(purpose !== undefined, (query) => query.where('purpose', '=', purpose as LinkPurpose))
    .execute()
}

export async function deleteSetupLinks(tx: Transaction): Promise<void> {
  await tx.deleteFrom('user_link').where('purpose', '=', 'setup').execute()
}

export async function findLocaleOf(tx: Transaction, userId: number): Promise<Locale | undefined> {
  const row = await tx.selectFrom('user').select('locale').where('id', '=', userId).executeTakeFirst()
  return locales.find((locale) => locale === row?.locale)
}
