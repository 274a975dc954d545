import { addManyPages } from '../test/support/many-pages.ts'
import { inDatabase, onBothDatabases, type Where, withSite } from './databases.ts'
import { median } from './load.ts'
import type { Running } from './program.ts'
import type { Figure } from './report.ts'
import { admin, firstSignIn, timesOf } from './signed-in.ts'

/** Ten is the size of a new site, less than a page of the list; a hundred fills one. */
const sizes = [10, 100, 10_000] as const

/** A page of 50 for every order, filter and search of the list. */
const lists = {
  'the latest': 'pageSize=50',
  'by title': 'pageSize=50&sort=title',
  published: 'pageSize=50&status=published',
  'search that finds few': 'pageSize=50&search=zeldzaam',
  'search that finds all': 'pageSize=50&search=pagina',
} as const

const log = (text: string) => process.stderr.write(`${text}\n`)

/** Viewing, listing, saving and publishing pages, with few and with very many of them, on both databases. */
export const measureContent = (): Promise<Figure[]> => onBothDatabases(measureOn)

async function measureOn(name: string, server?: string): Promise<Figure[]> {
  const times = new Map<string, number[]>()
  const note = (what: string, taken: number) => times.set(what, [...(times.get(what) ?? []), taken])
  for (const size of sizes) {
    log(`Pages: ${size} of them on ${name}`)
    const fill = (where: Where) => inDatabase(where, (db) => addManyPages(db, size))
    await withSite({ server, database: `pages_${size}`, fill, settings: admin }, async (etalage) => {
      const cookie = await firstSignIn(etalage)
      note('a page, rendered for each visit', (await timesOf(etalage, '/pagina-7', cookie)).median)
      for (const [what, query] of Object.entries(lists)) {
        note(
          `\`GET /api/pages\`, a page of 50: ${what}`,
          (await timesOf(etalage, `/api/pages?${query}`, cookie)).median,
        )
      }
      const { save, publish } = await timesOfWriting(etalage, cookie)
      note('saving a page with 200 blocks', save)
      note('from publishing to the text on the site', publish)
    })
  }
  return [...times].map(([what, [ten = 0, hundred = 0, many = 0]]) => {
    const few = what.includes('GET') ? hundred : ten
    const quick = what.startsWith('from')
    return {
      what: `${what}, ${name}: 10, 100 and 10,000 pages`,
      ours: `${ten.toFixed(2)}, ${hundred.toFixed(2)} and ${many.toFixed(2)} ms`,
      bare: '',
      goal: quick ? '≤ 1,000 ms' : `10,000 at most twice ${few === ten ? '10' : '100'}`,
      met: quick ? many <= 1_000 : many <= 2 * few,
      note: `${(many / few).toFixed(2)} times`,
    }
  })
}

/** Milliseconds, the median of some tens. */
async function timesOfWriting(running: Running, cookie: string): Promise<{ save: number; publish: number }> {
  const call = async (path: string, method: string, body: unknown) => {
    const headers = { cookie, 'Content-Type': 'application/json' }
    const answer = await fetch(`${running.url}/api/pages${path}`, { method, headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer.json()
  }
  const { id } = await call('', 'POST', { title: 'Meting', locale: 'nl', slug: 'meting' })
  const text = { title: 'Meting', slug: 'meting', seoTitle: '', description: '', picture: '', noindex: false }
  const bodyOf = (round: number) =>
    Array.from({ length: 200 }, (_, at) => ({
      type: 'rich-text',
      id: `b${at}`,
      content: `<h2>Kop ${at}</h2><p>Een alinea met <strong>nadruk</strong>, ronde ${at % 7 === 0 ? round : 0}.</p>`,
    }))
  const saves: number[] = []
  const shown: number[] = []
  for (let round = 0; round < 30; round++) {
    const begun = performance.now()
    const { version } = await call(`/${id}/nl`, 'PUT', { text: { ...text, body: bodyOf(round) }, version: round + 1 })
    saves.push(performance.now() - begun)
    const from = performance.now()
    await call(`/${id}/nl/publish`, 'POST', { version })
    while (!(await (await fetch(`${running.url}/meting`)).text()).includes(`ronde ${round}.`));
    shown.push(performance.now() - from)
  }
  return { save: median(saves), publish: median(shown) }
}
