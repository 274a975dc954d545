import { openDatabase } from '../src/platform/db/database.ts'
import { family, given } from './names.ts'

/** Inserts this number of users; one in twenty is blocked, one in ten is an editor. */
export async function addPeople(database: { dataDir: string; databaseUrl?: string }, count: number): Promise<void> {
  const { db } = await openDatabase(database)
  await db.transaction().execute(async (tx) => {
    for (let from = 0; from < count; from += 500) {
      const rows = Array.from({ length: Math.min(500, count - from) }, (_, index) => {
        const number = from + index
        // Steps that are coprime with the lengths, so that every pair occurs.
        const first = given[(number * 5) % given.length] as string
        const last = family[(number * 3 + Math.floor(number / 7)) % family.length] as string
        const at = new Date(Date.UTC(2020, 0, 1) + ((number * 7_919) % 200_000_000) * 1_000).toISOString()
        return {
          name: `${first} ${last}`,
          email: `${first}.${last}.${number}@example.nl`.toLowerCase().replace(/[^\w.@]/g, ''),
          role_id: number % 10 === 3 ? 3 : null,
          blocked: number % 20 === 7 ? 1 : 0,
          last_signed_in_at: number % 3 === 0 ? null : at,
          created_at: at,
          updated_at: at,
        }
      })
      await tx.insertInto('user').values(rows).execute()
    }
  })
  await db.destroy()
}
