import { addDays, dayAt } from '../src/contract/day.ts'
import { limits } from '../src/contract/limits.ts'
import type { Database } from '../src/platform/db/tables/index.ts'
import { addManyPages } from '../test/support/many-pages.ts'
import { inDatabase, onBothDatabases, untilIndexed, type Where, withSite } from './databases.ts'
import type { Figure } from './report.ts'
import { admin, firstSignIn, timesOf } from './signed-in.ts'

const sizes = [10, 10_000] as const
/** What the screen requests. */
const calls = {
  'where visits came from': '/api/dashboard/statistics',
  'the most viewed pages': '/api/dashboard/views',
} as const
type Times = Record<keyof typeof calls, { median: number; p99: number }>

/** The screen of statistics, of a site with ten pages and of one with ten thousand that are viewed each day. */
export const measureStatistics = (): Promise<Figure[]> => onBothDatabases(measureOn)

async function measureOn(name: string, server?: string): Promise<Figure[]> {
  const times: Times[] = []
  for (const count of sizes) {
    process.stderr.write(`Statistics with ${count} pages on ${name}\n`)
    times.push(await timesWith(count, server))
  }
  const [small, large] = times as [Times, Times]
  return (Object.keys(calls) as (keyof Times)[]).map((what) => ({
    what: `statistics, ${what}, ${name}: 10 and 10,000 pages viewed each day`,
    ours: `${small[what].median.toFixed(1)} and ${large[what].median.toFixed(1)} ms`,
    bare: '',
    goal: '≤ 100 ms',
    met: large[what].median <= 100,
    note: `the slowest of 50: ${small[what].p99.toFixed(0)} and ${large[what].p99.toFixed(0)} ms`,
  }))
}

async function timesWith(count: number, server?: string): Promise<Times> {
  const fill = (where: Where) =>
    inDatabase(where, async (db) => {
      await addManyPages(db, count)
      await addViews(db, count)
    })
  return withSite({ server, database: `statistics_${count}`, fill, settings: admin }, async (etalage, where) => {
    const cookie = await firstSignIn(etalage)
    await untilIndexed(where)
    const times: Partial<Times> = {}
    for (const [what, path] of Object.entries(calls)) {
      times[what as keyof Times] = await timesOf(etalage, path, cookie, 50)
    }
    return times as Times
  })
}

/** Sixty days of views of each page, and of visits by as many sources, campaigns and pages as are kept. */
async function addViews(db: Database, pages: number): Promise<void> {
  const today = dayAt(new Date())
  const values = Math.min(pages, limits.statisticsValues)
  for (let back = 0; back < 60; back++) {
    const day = addDays(today, -back)
    const total = (kind: 'view' | 'bot' | 'source' | 'campaign' | 'device' | 'message', value: string) => ({
      day,
      kind,
      value,
      count: 7,
    })
    const totals = [
      ...(['view', 'bot'] as const).map((kind) => total(kind, '')),
      ...['desktop', 'phone', 'tablet'].map((device) => total('device', device)),
      ...Array.from({ length: values }, (_, index) => [
        total('source', `bron-${index}.example`),
        total('campaign', JSON.stringify([`bron-${index}`, 'e-mail', 'voorjaar'])),
        total('message', `/pagina-${index}`),
      ]).flat(),
    ]
    const views = Array.from({ length: pages }, (_, index) => ({
      day,
      path: `/pagina-${index}`,
      locale: 'nl' as const,
      views: 1 + ((index * 7 + back) % 97),
    }))
    await db.transaction().execute(async (tx) => {
      for (let at = 0; at < totals.length; at += 500) {
        await tx
          .insertInto('visit_total')
          .values(totals.slice(at, at + 500))
          .execute()
      }
      for (let at = 0; at < views.length; at += 500) {
        await tx
          .insertInto('page_view')
          .values(views.slice(at, at + 500))
          .execute()
      }
    })
  }
}
