import { CompiledQuery } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { ListedMessage } from '../../src/contract/messages.ts'
import { countMessages } from '../../src/domain/messages/message-list.queries.ts'
import { foldText } from '../../src/platform/db/migrations/folded-text.ts'
import { databases } from '../support/databases.ts'
import { as } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'

const names = ['Sanne de Vries', 'Daan Jansen', 'پریسا احمدی', 'Zoë Gübbels', "Jan d'Hondt_x"]
const texts = ['Wat kost een website?', 'Kunt u mij bellen over hosting?', 'لطفاً تماس بگیرید', '100% korting op casino']

/** Enough rows that no search with many results reads them all: only the old ones contain one of the words. */
const rows = Array.from({ length: 6_000 }, (_, index) => {
  const rare = index < 400 ? ' oudewens' : index % 1_000 === 7 ? ' zeldzaam' : ''
  return {
    naam: `${names[index % names.length]} ${index % 60}`,
    email: `bezoeker${index}@${index % 3 === 0 ? 'example.nl' : 'voorbeeld.example'}`,
    tel: '0612345678',
    bericht: `${texts[(index * 7) % texts.length]}${rare}`,
    locale: 'nl',
    folder: index % 5 === 4 ? ('spam' as const) : ('inbox' as const),
    spam_reason: index % 5 === 4 ? 'honeypot' : null,
    privacy_version: 'x',
    fingerprint: `f${index}`,
    address_key: 'a',
    created_at: new Date(1.75e12 + index * 60_000).toISOString(),
    read_at: index % 4 === 0 || index > 5_900 ? null : new Date(1.76e12).toISOString(),
    answered_at: index % 9 === 0 ? new Date(1.76e12).toISOString() : null,
  }
})

async function fill(site: TestApp): Promise<void> {
  for (let at = 0; at < rows.length; at += 400) {
    await site.db
      .insertInto('message')
      .values(rows.slice(at, at + 400))
      .execute()
  }
}

/** The expected list, by reading every row. */
function expected(all: { id: number; text: string; row: (typeof rows)[number] }[], query: URLSearchParams): number[] {
  const words = (query.get('search') ?? '').split(' ').filter(Boolean).map(foldText)
  const parts = words.map((word) => (word.length < 3 ? `  ${word}` : word))
  const state = query.get('state')
  const ids = all
    .filter(({ row }) => row.folder === (query.get('folder') ?? 'inbox'))
    .filter(({ row }) => state !== 'unread' || row.read_at === null)
    .filter(({ row }) => state !== 'open' || row.answered_at === null)
    .filter(({ row }) => state !== 'answered' || row.answered_at !== null)
    .filter(({ text }) => parts.every((part) => text.includes(part)))
    .map(({ id }) => id)
  return query.get('sort') === 'createdAt' ? ids : ids.reverse()
}

const searches = [
  '',
  'sanne',
  'website',
  'oudewens',
  'zeldzaam',
  'پریسا',
  'gubbels',
  '100%',
  "d'hondt_",
  'bezoeker12',
  'ja',
  'k',
  'zzz',
  'vries bellen',
  'bezoeker oudewens',
  'bezoeker4711@',
]
const filters = [
  '',
  'folder=spam',
  'state=unread',
  'state=open',
  'state=answered',
  'folder=spam&state=unread',
  'folder=spam&state=answered',
]
const sorts = ['', 'sort=createdAt', 'sort=-createdAt']
const pages = [1, 2, 5, 11, 100]

describe.each(databases)('on %s', (database) => {
  test('every page of thousands of messages is right, for any search and filter, and SQLite counts a state by its index', async () => {
    // No jobs, one of which removes messages that are this old.
    const site = await aTestApp({ database, startJobs: false })
    const bente = await as(site, 'beheerder')
    await fill(site)
    const stored = await site.db.selectFrom('message').select('id').orderBy('id').execute()
    const all = stored.map(({ id }, index) => {
      const row = rows[index] as (typeof rows)[number]
      const text = foldText(` ${row.naam} ${row.email} ${row.tel} ${row.bericht}`).replaceAll(' ', '  ')
      return { id, row, text }
    })

    let turn = 0
    for (const search of searches) {
      for (const filter of filters) {
        // Every pair of a search and a filter, with alternating orders and pages; without a search the list is long.
        for (let more = 0; more < (search ? 1 : 3); more++) {
          // Of three quarters of the searches the first page, for they have few results; each order meets each page.
          const page = search && turn % 4 > 0 ? 1 : (pages[turn % pages.length] as number)
          const query = new URLSearchParams([filter, sorts[turn++ % sorts.length]].filter(Boolean).join('&'))
          if (search) query.set('search', search)
          const wanted = expected(all, query)
          const { data, meta } = await (await bente.get(`/api/messages?${query}&pageSize=50&page=${page}`)).json()
          const what = `${query} page ${page}`
          expect([what, data.map(({ id }: ListedMessage) => id)]).toEqual([
            what,
            wanted.slice((page - 1) * 50, page * 50),
          ])
          if (meta.more) expect(wanted.length).toBeGreaterThan(meta.total)
          else expect([what, meta.total]).toEqual([what, wanted.length])
        }
      }
    }
    // PostgreSQL goes by its statistics.
    if (database === 'sqlite')
      for (const state of ['unread', 'open', 'answered'] as const)
        expect(await planOfCount(site, state)).toContain(`message_${state}`)
  })
})

/** How SQLite counts the messages in a state. */
async function planOfCount(site: TestApp, state: 'unread' | 'open' | 'answered'): Promise<string> {
  const compiled: CompiledQuery[] = []
  const db = site.db.withPlugin({
    transformQuery: ({ node, queryId }) => {
      compiled.push(site.db.getExecutor().compileQuery(node, queryId))
      return node
    },
    transformResult: async ({ result }) => result,
  })
  await countMessages(db, { folder: 'inbox', state })
  const [query] = compiled as [CompiledQuery]
  const { rows: plan } = await site.db.executeQuery(
    CompiledQuery.raw(`explain query plan ${query.sql}`, [...query.parameters]),
  )
  return JSON.stringify(plan)
}
