import { type Compilable, CompiledQuery, sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ListedPage } from '../../src/contract/pages.ts'
import type { Database } from '../../src/platform/db/database.ts'
import { type DatabaseKind, databases } from '../support/databases.ts'
import { addManyPages, type ManyPage } from '../support/many-pages.ts'
import { publishedPage } from '../support/pages.ts'
import { defaultSiteFile, siteLocales } from '../support/site-file.ts'
import { as } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'

const searches = ['', 'website', 'WINKEL 12', 'صفحه', 'فارسی', 'gewoon', 'zeldzaam', 'pagina-99', 'zz']
const statuses = ['', 'status=published', 'status=unpublished', 'status=changed', 'status=planned', 'locale=fa']
const filters = [
  ...statuses,
  'status=unpublished&locale=fa',
  'status=published&locale=fa',
  'status=published&locale=nl',
]
const sorts = ['', 'sort=updatedAt', 'sort=title', 'sort=-title']
const pages = [1, 2, 7, 101, 200]

/** The expected list, by reading every row. */
function expected(all: ManyPage[], search: string, filter: string, sort: string): number[] {
  const words = search.toLowerCase().split(' ').filter(Boolean)
  const textOf = (page: ManyPage) =>
    ` ${page.title} ${page.hasPersian ? `فارسی ${page.title}` : ''} ${page.slug}`.toLowerCase()
  const query = new URLSearchParams(filter)
  const [status, locale] = [query.get('status'), query.get('locale')]
  const matches = (page: ManyPage) => {
    const persian = locale === 'fa'
    if (persian && !page.hasPersian) return false
    if (status === 'published') return persian ? false : page.isLive
    if (status === 'changed') return !persian && page.hasChanges
    if (status === 'unpublished')
      return persian ? page.hasPersian : !page.isLive || (locale === null && page.hasPersian)
    if (status === 'planned') return !persian && page.isScheduled
    return true
  }
  const found = all
    .filter(matches)
    .filter((page) => words.every((word) => textOf(page).includes(word.length < 3 ? ` ${word}` : word)))
  const key = sort.includes('title') ? textOf : (page: ManyPage) => page.updatedAt
  const sign = sort === '' || sort.includes('-') ? -1 : 1
  const order = (a: ManyPage, b: ManyPage) => Buffer.compare(Buffer.from(key(a)), Buffer.from(key(b))) || a.id - b.id
  return found.sort((a, b) => sign * order(a, b)).map(({ id }) => id)
}

/** The query plan of the database. */
async function planOf(db: Database, kind: DatabaseKind, query: Compilable): Promise<string> {
  const { sql: text, parameters } = query.compile()
  const ask = kind === 'sqlite' ? 'explain query plan' : 'explain'
  return JSON.stringify((await db.executeQuery(CompiledQuery.raw(`${ask} ${text}`, [...parameters]))).rows)
}

describe.each(databases)('10,000 pages on %s', (database) => {
  let site: TestApp
  let all: ManyPage[]

  beforeAll(async () => {
    site = await aTestApp({ database })
    all = await addManyPages(site.db, 10_000)
  })

  test('each page is found at its address and in the sitemap, one more can be added, and every order, filter and search of the list gives the same result as reading every row', async () => {
    const bente = await as(site, 'beheerder')
    expect(await (await site.request('/pagina-9998')).text()).toContain(all[9_998]?.title)
    expect((await site.request('/pagina-9999')).status).toBe(404)
    const { pages: own, collections } = defaultSiteFile()
    const delivered = (own.length + collections.length) * siteLocales.length
    const map = await (await site.request('/sitemap.xml')).text()
    expect(map.match(/<loc>/g)).toHaveLength(all.filter(({ isLive }) => isLive).length + delivered)
    await publishedPage(bente, { title: 'Pagina' })
    await expect.poll(async () => (await site.request('/pagina')).status).toBe(200)
    expect((await bente.post('/api/pages', { title: 'x', locale: 'nl', slug: 'pagina-5' })).status).toBe(422)
    const { slug } = await (await bente.get('/api/pages/slug?title=Pagina&locale=nl')).json()
    expect(slug).toBe('pagina-10000')

    const ids = all.map(({ id }) => id)
    await site.db
      .deleteFrom('page')
      .where('id', '<', Math.min(...ids))
      .execute()
    await site.db
      .deleteFrom('page')
      .where('id', '>', Math.max(...ids))
      .execute()
    let turn = 0
    for (const search of searches) {
      for (const filter of filters) {
        const sort = sorts[turn % sorts.length] as string
        const page = turn % 3 === 0 ? (pages[turn % pages.length] as number) : 1
        turn++
        const wanted = expected(all, search, filter, sort)
        const query = new URLSearchParams([filter, sort].filter(Boolean).join('&'))
        if (search) query.set('search', search)
        const { data, meta } = await (await bente.get(`/api/pages?${query}&pageSize=50&page=${page}`)).json()
        const what = `${query} page ${page}`
        expect([what, data.map(({ id }: ListedPage) => id)]).toEqual([what, wanted.slice((page - 1) * 50, page * 50)])
        if (meta.more) expect(wanted.length).toBeGreaterThan(meta.total)
        else expect([what, meta.total]).toEqual([what, wanted.length])
      }
    }
  })

  test('no read of a page, of its address or of a list scans the whole table', async () => {
    const live = site.db
      .selectFrom('page_text')
      .innerJoin('page_revision', 'page_revision.id', 'page_text.live_id')
      .select('page_revision.text')
      .where('page_text.locale', '=', 'nl')
      .where('page_text.live_slug', '=', 'pagina-100')
    const redirect = site.db.selectFrom('redirect').select('to_path').where('from_path', '=', '/oud')
    const due = site.db.selectFrom('page_text').select('page_id').where('publish_at', '<=', '2026-01-01')
    const held = site.db.selectFrom('page_file_usage').select('page_id').where('address', 'in', ['0', '1'])
    // A renamed or erased user wrote few of them.
    const wrote = [
      site.db.updateTable('page').set({ updated_by_name: '#7' }).where('updated_by_id', '=', 7),
      site.db.updateTable('page_text').set({ saved_by_name: '#7' }).where('saved_by_id', '=', 7),
      site.db.updateTable('page_revision').set({ by_name: '#7' }).where('by_id', '=', 7),
    ]
    const redirectedBy = site.db.updateTable('redirect').set({ by_name: '#7' }).where('by_id', '=', 7)
    const settled = site.db.updateTable('config_revision').set({ author_name: '#7' }).where('author_id', '=', 7)
    if (database === 'postgres') {
      // An empty table is scanned by every query plan.
      await sql`analyze`.execute(site.db)
    }
    for (const query of database === 'sqlite'
      ? [live, redirect, due, held, ...wrote, redirectedBy, settled]
      : [live, due, ...wrote]) {
      const plan = await planOf(site.db, database, query)
      expect(plan).toMatch(/INDEX|Index/)
      expect(plan).not.toMatch(/SCAN|Seq Scan/)
    }
  })
})
