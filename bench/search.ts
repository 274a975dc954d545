import type { Database } from '../src/platform/db/tables/index.ts'
import { addManyPages } from '../test/support/many-pages.ts'
import { inDatabase, onBothDatabases, untilIndexed, type Where, withSite } from './databases.ts'
import type { Figure } from './report.ts'
import { timesOf } from './signed-in.ts'

/** Two of three are published, which makes ten thousand. */
const pages = 15_000

const searches = {
  'a word of few pages': '/zoeken?q=woord777',
  'a word of all pages': '/zoeken?q=onderhoud',
  'three words': '/zoeken?q=woord12+onderhoud+hosting',
  'a part of a word': '/zoeken?q=derhou',
  'a word of few titles': '/zoeken?q=zeldzaam',
  'a word of no page': '/zoeken?q=zeppelin',
  'a word of no page, made of frequent parts': '/zoeken?q=woord23456',
  'many common words': '/zoeken?q=de+hosting+van+website+onderhoud+met+een+winkel',
  suggestions: '/zoeken.json?q=we',
} as const

const log = (text: string) => process.stderr.write(`${text}\n`)

/** The search on the site with 10,000 published pages of 400 words, on both databases. */
export const measureSearch = (): Promise<Figure[]> => onBothDatabases(measureOn)

async function measureOn(name: string, server?: string): Promise<Figure[]> {
  log(`Search in 10,000 published pages on ${name}`)
  const fill = (where: Where) =>
    inDatabase(where, async (db) => {
      await addManyPages(db, pages)
      await writeTexts(db)
    })
  return withSite({ server, database: 'search', fill }, async (etalage, where) => {
    const seconds = await untilIndexed(where)
    const figures: Figure[] = []
    for (const [what, path] of Object.entries(searches)) {
      const { median, p99 } = await timesOf(etalage, path, '')
      figures.push({
        what: `search on the site, ${what}, ${name}: p99 with 10,000 pages`,
        ours: `${p99.toFixed(1)} ms`,
        bare: '',
        goal: '≤ 20 ms',
        met: p99 <= 20,
        note: `the middle one ${median.toFixed(1)} ms; indexing all of them took ${seconds.toFixed(0)} s`,
      })
    }
    return figures
  })
}

const common = ['de', 'van', 'een', 'met', 'onderhoud', 'hosting', 'website', 'winkel']

/** Gives each page 400 words, which the program indexes when it starts. */
async function writeTexts(db: Database): Promise<void> {
  const revisions = await db.selectFrom('page_revision').select(['id', 'text']).orderBy('id').execute()
  let seed = 1
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  for (let at = 0; at < revisions.length; at += 500) {
    await db.transaction().execute(async (tx) => {
      for (const { id, text } of revisions.slice(at, at + 500)) {
        const words = Array.from({ length: 400 }, (_, index) =>
          index % 4 === 0 ? common[random(common.length)] : `woord${random(4_000)}`,
        )
        const page = JSON.parse(text)
        page.body[0].content = `<p>${common.join(' ')} ${words.join(' ')}.</p>`
        await tx
          .updateTable('page_revision')
          .set({ text: JSON.stringify(page) })
          .where('id', '=', id)
          .execute()
      }
    })
  }
}
