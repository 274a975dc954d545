import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { addManyEntries } from '../test/support/many-entries.ts'
import { siteFileWithoutCollections } from '../test/support/site-file.ts'
import { inDatabase, onBothDatabases, untilIndexed, type Where, withSite } from './databases.ts'
import { aFolder } from './program.ts'
import type { Figure } from './report.ts'
import { admin, firstSignIn, timesOf } from './signed-in.ts'

const kinds = { id: 'soort', name: { nl: 'Soort' }, type: 'choice', options: [{ id: 'tip', name: { nl: 'Tips' } }] }
const news = { id: 'nieuws', name: { nl: 'Nieuws' }, slug: { nl: 'nieuws' }, fields: [kinds] }
const sizes = [10, 10_000] as const
type Times = Record<'an entry' | 'an overview', number>

/** A visit of an entry and of an overview, rendered for each request, in a small and in a large collection. */
export const measureEntries = (): Promise<Figure[]> => onBothDatabases(measureOn)

async function measureOn(name: string, server?: string): Promise<Figure[]> {
  const times: Times[] = []
  for (const count of sizes) {
    process.stderr.write(`A collection of ${count} entries on ${name}\n`)
    times.push(await timesWith(count, server))
  }
  const [small, large] = times as [Times, Times]
  return (['an entry', 'an overview'] as const).map((what) => ({
    what: `${what} rendered, ${name}: with 10 and with 10,000 entries`,
    ours: `${small[what].toFixed(2)} and ${large[what].toFixed(2)} ms`,
    bare: '',
    goal: '10,000 at most twice 10',
    met: large[what] <= 2 * small[what],
    note: `${(large[what] / small[what]).toFixed(2)} times`,
  }))
}

async function timesWith(count: number, server?: string): Promise<Times> {
  const siteConfig = join(aFolder(), 'site.config.json')
  writeFileSync(siteConfig, JSON.stringify({ ...siteFileWithoutCollections(), collections: [news] }))
  let slugs: string[] = []
  const fill = (where: Where) =>
    inDatabase(where, async (db) => {
      slugs = await addManyEntries(db, 'nieuws', count)
    })
  const settings = { ...admin, SITE_CONFIG: siteConfig }
  return withSite({ server, database: `entries_${count}`, fill, settings }, async (etalage, where) => {
    const cookie = await firstSignIn(etalage)
    await untilIndexed(where)
    const entry = await timesOf(etalage, `/${slugs[Math.floor(count / 2)]}`, cookie)
    const overview = await timesOf(etalage, '/nieuws', cookie)
    return { 'an entry': entry.median, 'an overview': overview.median }
  })
}
