import { onBothDatabases, type Where, withSite } from './databases.ts'
import { addMessages } from './messages.ts'
import type { Figure } from './report.ts'
import { admin, firstSignIn, timesOf } from './signed-in.ts'

const sizes = [1_000, 1_000_000] as const

/** A page of 50 for every order, filter and search of the inbox, and the messages per day of the dashboard. */
const lists = {
  'the newest': '/api/messages?pageSize=50',
  'the oldest': '/api/messages?pageSize=50&sort=createdAt',
  'the fifteenth page': '/api/messages?pageSize=50&page=15',
  unread: '/api/messages?pageSize=50&state=unread',
  'search by a number': '/api/messages?pageSize=50&search=kenmerk+777.',
  'search that finds none': '/api/messages?pageSize=50&search=zeppelin',
  'search that finds all': '/api/messages?pageSize=50&search=bezoeker',
  'search by a first name': '/api/messages?pageSize=50&search=sanne',
  'search of two words': '/api/messages?pageSize=50&search=bakker+offerte',
  'search in what is unread': '/api/messages?pageSize=50&search=hosting&state=unread',
  'per day, for the overview': '/api/dashboard/messages',
} as const

const log = (text: string) => process.stderr.write(`${text}\n`)
const whole = (value: number) => Math.round(value).toLocaleString('en')

/** `GET /api/messages` with few and with very many messages, on both databases. */
export const measureInbox = (): Promise<Figure[]> => onBothDatabases(measureOn)

async function measureOn(name: string, server?: string): Promise<Figure[]> {
  const times = new Map<string, { median: number; p99: number }[]>()
  for (const size of sizes) {
    log(`GET /api/messages with ${whole(size)} messages on ${name}`)
    const fill = (where: Where) => addMessages(where, size)
    await withSite({ server, database: `messages_${size}`, fill, settings: admin }, async (etalage) => {
      const cookie = await firstSignIn(etalage)
      for (const [what, path] of Object.entries(lists)) {
        times.set(what, [...(times.get(what) ?? []), await timesOf(etalage, path, cookie)])
      }
    })
  }
  const none = { median: 0, p99: 0 }
  return [...times].map(([what, [few = none, many = none]]) => ({
    what: `messages, ${what}, ${name}: p99 with 1,000 and with 1,000,000`,
    ours: `${few.p99.toFixed(1)} and ${many.p99.toFixed(1)} ms`,
    bare: '',
    goal: '1,000,000 at most twice 1,000, or 20 ms',
    met: many.p99 <= Math.max(2 * few.p99, 20),
    note: `the middle one ${few.median.toFixed(1)} and ${many.median.toFixed(1)} ms`,
    summary: name === 'SQLite' && (what === 'search by a number' || what === 'per day, for the overview'),
  }))
}
