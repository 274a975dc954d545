import type { Database, Transaction } from '../../platform/db/database.ts'

export interface Person {
  id: number
  name: string
  email: string
  locale: string
}

const person = ['id', 'name', 'email', 'locale'] as const

/** Somebody who may sign in: who is blocked is not found. */
export async function findOpenUserByEmail(db: Database | Transaction, email: string): Promise<Person | undefined> {
  return db.selectFrom('user').where('email', '=', email).where('blocked', '=', 0).select(person).executeTakeFirst()
}

export async function findOpenUser(db: Database | Transaction, id: number): Promise<Person | undefined> {
  return db.selectFrom('user').where('id', '=', id).where('blocked', '=', 0).select(person).executeTakeFirst()
}

/** Who signs in again within the hour is on the same visit. */
const visitMs = 3_600_000

export async function updateLastSignedIn(tx: Transaction, userId: number, now: Date): Promise<void> {
  const earlier = new Date(now.getTime() - visitMs).toISOString()
  await tx
    .updateTable('user')
    .set((eb) => ({
      last_signed_in_at: now.toISOString(),
      signed_in_before_at: eb
        .case()
        .when('last_signed_in_at', '<', earlier)
        .then(eb.ref('last_signed_in_at'))
        .else(eb.ref('signed_in_before_at'))
        .end(),
    }))
    .where('id', '=', userId)
    .execute()
}
