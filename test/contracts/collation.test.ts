import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { aDatabaseInLanguage } from '../support/databases.ts'
import { aPage } from '../support/pages.ts'
import { as, aUser } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'

const names = [
  'Zoë',
  'zelda',
  'Émile',
  'eva',
  'de Boer',
  'De Boer',
  'D’Arcy',
  'پریسا',
  'آرش',
  'Ålund',
  'van-Dam',
  'van Dam',
  '_x',
  '10',
  '9',
]

/** Every list of the admin that is sorted by a text, in both directions and in pages of four. */
async function listsOf(site: TestApp) {
  for (const [index, name] of names.entries()) {
    await aUser(site, {
      name,
      email: `${index % 2 ? 'A' : 'b'}${name.length}-${index}@example.nl`.toLowerCase(),
      password: null,
    })
    await aPage(site, name)
  }
  const bente = await as(site, 'beheerder')
  const lists: Record<string, unknown[]> = {}
  for (const query of [
    'users?sort=name',
    'users?sort=-name',
    'users?sort=email',
    'users?search=boer&sort=name',
    'pages?sort=title',
    'pages?sort=-title',
  ]) {
    const found: unknown[] = []
    for (let page = 1; page <= 6; page++) {
      const answer = await bente.get(`/api/${query}&pageSize=4&page=${page}`)
      expect([query, answer.status]).toEqual([query, 200])
      const body = Object.values(await answer.json()) as { name?: string; title?: string; email?: string }[][]
      found.push(...(body.find(Array.isArray) ?? []).map((item) => item.title ?? `${item.name} ${item.email}`))
    }
    lists[query] = found
  }
  return lists
}

test('lists have the same order on a PostgreSQL with the collation of Dutch or Persian', async () => {
  const expected = await listsOf(await aTestApp())
  for (const language of ['nl', 'fa']) {
    const other = await aTestApp({ settings: await aDatabaseInLanguage(language) })
    const sorted = await sql<{ before: boolean }>`select 'a' < 'B' as before`.execute(other.db)
    // Capitals come first in byte order.
    expect(sorted.rows).toEqual([{ before: true }])
    expect(await listsOf(other), language).toEqual(expected)
  }
})
