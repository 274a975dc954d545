import { type Locale, locales } from '../../contract/locales.ts'
import type { Database, Transaction } from '../../platform/db/database.ts'

export interface FoundPerson {
  id: number
  name: string
  email: string
  locale: Locale
  twoFactor: boolean
  version: number
}

const personColumns = ['id', 'name', 'email', 'locale', 'two_factor_enabled', 'version'] as const

interface PersonRow {
  id: number
  name: string
  email: string
  locale: string
  two_factor_enabled: number
  version: number
}

function person({ locale, two_factor_enabled, ...row }: PersonRow): FoundPerson {
  return { ...row, locale: locales.find((one) => one === locale) ?? 'nl', twoFactor: two_factor_enabled === 1 }
}

export async function findPerson(db: Database | Transaction, id: number): Promise<FoundPerson | undefined> {
  const row = await db.selectFrom('user').where('id', '=', id).select(personColumns).executeTakeFirst()
  return row && person(row)
}

/** The person as they are now, and until the transaction ends nobody else changes them. Nobody when they are blocked. */
export async function holdPerson(tx: Transaction, id: number): Promise<FoundPerson | undefined> {
  const row = await tx
    .updateTable('user')
    // Writing what stands there makes both databases wait for whoever is writing.
    .set((eb) => ({ version: eb.ref('version') }))
    .where('id', '=', id)
    .where('blocked', '=', 0)
    .returning(personColumns)
    .executeTakeFirst()
  return row && person(row)
}

export async function updatePerson(
  tx: Transaction,
  id: number,
  changes: { name?: string; email?: string; locale?: Locale; twoFactor?: boolean },
  now: Date,
): Promise<void> {
  const { twoFactor, ...columns } = changes
  await tx
    .updateTable('user')
    .set((eb) => ({
      ...columns,
      ...(twoFactor !== undefined && { two_factor_enabled: twoFactor ? 1 : 0 }),
      version: eb('version', '+', 1),
      updated_at: now.toISOString(),
    }))
    .where('id', '=', id)
    .execute()
}

/** Who signs in with an address. */
export async function findPersonByEmail(db: Database | Transaction, email: string): Promise<FoundPerson | undefined> {
  const row = await db.selectFrom('user').where('email', '=', email).select(personColumns).executeTakeFirst()
  return row && person(row)
}

/** The address that waits until its link is used. */
export async function findNewEmail(db: Database | Transaction, userId: number, now: Date): Promise<string | null> {
  const row = await db
    .selectFrom('user_link')
    .where('user_id', '=', userId)
    .where('purpose', '=', 'email')
    .where('expires_at', '>', now.toISOString())
    .select('email')
    .executeTakeFirst()
  return row?.email ?? null
}
