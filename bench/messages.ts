import { dayMs } from '../src/contract/limits.ts'
import { openDatabase } from '../src/platform/db/database.ts'
import { family as dutchFamily, given as dutchGiven } from './names.ts'

// Some are right to left.
const given = dutchGiven.with(-1, 'پریسا')
const family = dutchFamily.with(-1, 'احمدی')
const wishes = [
  'Ik zoek een nieuwe website voor mijn bakkerij in Maastricht.',
  'Kunt u mij bellen over hosting? Onze huidige is traag.',
  'Wij willen een klantportaal. Wat kost dat ongeveer?',
  'سلام، برای مطبم یک وب‌سایت دو زبانه می‌خواهم.',
  'Graag een offerte voor een webapplicatie met planning.',
]

/** Inserts this number of messages from the last 300 days; one in five is spam, one in four unread, one in nine answered. */
export async function addMessages(database: { dataDir: string; databaseUrl?: string }, count: number): Promise<void> {
  const { db } = await openDatabase(database)
  const now = Date.now()
  /** All are younger than the retention period. */
  const apartMs = (300 * dayMs) / count
  for (let from = 0; from < count; from += 20_000) {
    await db.transaction().execute(async (tx) => {
      for (let start = from; start < Math.min(from + 20_000, count); start += 1_000) {
        const rows = Array.from({ length: Math.min(1_000, count - start) }, (_, index) => {
          const number = start + index
          const at = new Date(now - (count - number) * apartMs).toISOString()
          const spam = number % 5 === 4
          // Steps that are coprime with the lengths, so that every pair occurs.
          return {
            naam: `${given[(number * 5) % given.length]} ${family[(number * 3 + Math.floor(number / 7)) % family.length]}`,
            email: `bezoeker.${number}@${number % 3 === 0 ? 'example.nl' : 'voorbeeld.example'}`,
            tel: `06${String(number).padStart(8, '0')}`,
            bericht: `${wishes[(number * 7) % wishes.length]} Kenmerk ${number}.`,
            locale: 'nl',
            folder: spam ? ('spam' as const) : ('inbox' as const),
            spam_reason: spam ? 'honeypot' : null,
            privacy_version: '2026-11-21-00000000',
            fingerprint: `f${number}`,
            address_key: `a${number % 5_000}`,
            created_at: at,
            read_at: number % 4 === 0 ? null : at,
            answered_at: number % 9 === 0 ? at : null,
          }
        })
        await tx.insertInto('message').values(rows).execute()
      }
    })
  }
  await db.destroy()
}
