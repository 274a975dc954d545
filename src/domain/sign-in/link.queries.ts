import type { ExpressionBuilder, Selectable } from 'kysely'
import { type AdminLocale, adminLocale } from '../../contract/locales.ts'
import type { Db, Transaction } from '../../platform/db/database.ts'
import type { Tables } from '../../platform/db/tables/index.ts'
import type { UserLinkTable } from '../../platform/db/tables/people.ts'

export type LinkPurpose = UserLinkTable['purpose']

export interface FoundLink {
  userId: number | null
  /** The address that it confirms; null: it has another purpose. */
  email: string | null
  /** It was shown to the user who created it, so a password that it sets counts as chosen by that user. */
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

interface LinkKey {
  tokenHash: string
  purpose: LinkPurpose
}

/** A link that is not used or expired. */
export async function findLink(db: Db, key: LinkKey, now: Date): Promise<FoundLink | undefined> {
  const query = db.selectFrom('user_link').where(isValid(key, now)).select(linkColumns)
  return toLink(await query.executeTakeFirst())
}

/** Returns and invalidates a valid link; of two concurrent calls one gets it. */
export async function consumeLinkRow(tx: Transaction, key: LinkKey, now: Date): Promise<FoundLink | undefined> {
  const query = tx.deleteFrom('user_link').where(isValid(key, now)).returning(linkColumns)
  return toLink(await query.executeTakeFirst())
}

const linkColumns = ['user_id', 'email', 'shown'] as const

const toLink = (row: Pick<Selectable<UserLinkTable>, 'user_id' | 'email' | 'shown'> | undefined) =>
  row && { userId: row.user_id, email: row.email, shown: row.shown === 1 }

/** The condition for the link with this key, unless it has expired. */
const isValid =
  ({ tokenHash, purpose }: LinkKey, now: Date) =>
  (eb: ExpressionBuilder<Tables, 'user_link'>) =>
    eb.and({ token_hash: tokenHash, purpose }).and('expires_at', '>', now.toISOString())

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
