import { describe, expect, test } from 'vitest'
import type { User } from '../../src/contract/users.ts'
import { foldText } from '../../src/platform/db/migrations/folded-text.ts'
import { databases } from '../support/databases.ts'
import { as, staff } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'

interface Person {
  email: string
  name: string
  role_id: number | null
  blocked: number
  created_at: string
  last_signed_in_at: string | null
}

const first = ['Sanne', 'Daan', 'Roya', 'پریسا', 'Zoë', 'Ömer', 'jan']
const last = ['de Vries', 'Jansen', 'van der Meer', 'Gübbels', '100% Bakker', "d'Hondt_x"]

/** Enough rows that no list scans the whole table. Names, ages and roles are correlated, as in real data. */
const people: Person[] = Array.from({ length: 3_200 }, (_, index) => {
  const [given, family] = [first[index % first.length] as string, last[(index * 7) % last.length] as string]
  return {
    name: `${given} ${family} ${index % 40}`,
    email: `p${String((index * 977) % 3_200).padStart(4, '0')}@${index % 3 === 0 ? 'example.nl' : 'voorbeeld.example'}`,
    role_id: index % 50 === 0 ? 2 : index > 1_500 ? 3 : null,
    blocked: index % 300 === 7 ? 1 : 0,
    created_at: new Date(1.7e12 + ((index * 31) % 3_200) * 60_000).toISOString(),
    last_signed_in_at: index % 4 === 0 ? null : new Date(1.75e12 + index * 1_000).toISOString(),
  }
})

async function fill(site: TestApp): Promise<void> {
  for (let at = 0; at < people.length; at += 400) {
    await site.db
      .insertInto('user')
      .values(people.slice(at, at + 400).map((one) => ({ ...one, updated_at: one.created_at })))
      .execute()
  }
}

/** A user with the columns that orders and searches use. */
interface Known {
  user: User
  keys: Record<string, Buffer>
  text: string
}

function known(user: User): Known {
  const text = foldText(` ${user.name} ${user.email}`).replaceAll(' ', '  ')
  const { email, createdAt, lastSignedInAt } = user
  const keys = { name: text, email, createdAt, lastSignedInAt: lastSignedInAt ?? '' }
  return {
    user,
    text,
    keys: Object.fromEntries(Object.entries(keys).map(([name, key]) => [name, Buffer.from(key)])),
  }
}

/** The expected list, by reading every row. */
function expected(all: Known[], query: URLSearchParams): number[] {
  const words = (query.get('search') ?? '').split(' ').filter(Boolean).map(foldText)
  const parts = words.map((word) => (word.length < 3 ? `  ${word}` : word))
  const roleIds = query.getAll('roleId').map(Number)
  const blocked = query.get('blocked')
  const sort = query.get('sort') ?? 'name'
  const key = sort.replace('-', '')
  // Without an order, a name that starts with the search text comes first.
  const rank = ({ text }: Known) =>
    parts.length > 0 && !query.has('sort') && !text.startsWith(`  ${parts[0]?.trimStart()}`) ? 1 : 0
  const sign = sort.startsWith('-') ? -1 : 1
  return all
    .filter(({ text }) => parts.every((part) => text.includes(part)))
    .filter(({ user }) => roleIds.length === 0 || roleIds.includes(user.user_role?.id ?? 0))
    .filter(({ user }) => blocked === null || String(user.blocked) === blocked)
    .sort(
      (a, b) =>
        rank(a) - rank(b) ||
        sign * (Buffer.compare(a.keys[key] as Buffer, b.keys[key] as Buffer) || a.user.id - b.user.id),
    )
    .map(({ user }) => user.id)
}

const searches = [
  '',
  'sanne',
  'SANNE vries',
  'example',
  'voorbeeld.example',
  'jan',
  'ja',
  'p',
  'پریسا',
  'gubbels',
  '100%',
  "d'hondt_",
  'p0012',
  'zzz',
  'van meer 12',
  'oe',
]
const filters = [
  '',
  'roleId=3',
  'roleId=2',
  'roleId=2&roleId=3',
  'blocked=true',
  'blocked=false',
  'roleId=3&blocked=true',
]
const sorts = [
  '',
  'sort=name',
  'sort=-name',
  'sort=email',
  'sort=-email',
  'sort=createdAt',
  'sort=-createdAt',
  'sort=lastSignedInAt',
  'sort=-lastSignedInAt',
]
const pages = [1, 2, 13, 30, 33, 65]
/** Of three quarters of the searches the first page, for they have few results; each order meets each page. */
function pageOf(search: string, turn: number): number {
  const number = search ? Math.floor(turn / 4) : turn
  const isFirst = search && turn % 4 > 0
  return isFirst ? 1 : (pages[(number + Math.floor(number / sorts.length)) % pages.length] as number)
}

describe.each(databases)('on %s', (database) => {
  test('every page of thousands of users is right, for any search, filter and order', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    await fill(site)
    const all: User[] = []
    for (let page = 1; all.length < people.length + 1; page++) {
      all.push(...(await (await bente.get(`/api/users?pageSize=100&page=${page}`)).json()).data)
    }
    expect(new Set(all.map((user) => user.id)).size).toBe(people.length + 1)
    expect(all.find((user) => user.id === bente.id)?.email).toBe(staff.beheerder.email)

    const everyone = all.map(known)
    let turn = 0
    for (const search of searches) {
      for (const filter of filters) {
        // Every pair of a search and a filter, with alternating orders and pages; without a search the list is long.
        for (let more = 0; more < (search ? 1 : 3); more++) {
          const sort = sorts[turn % sorts.length] as string
          const page = pageOf(search, turn)
          turn++
          const query = new URLSearchParams([filter, sort].filter(Boolean).join('&'))
          if (search) query.set('search', search)
          const wanted = expected(everyone, query)
          const answer = await bente.get(`/api/users?${query}&pageSize=50&page=${page}`)
          const { data, meta } = await answer.json()
          const what = `${query} page ${page}`
          expect([what, data.map((user: User) => user.id)]).toEqual([what, wanted.slice((page - 1) * 50, page * 50)])
          if (meta.more) expect(wanted.length).toBeGreaterThan(meta.total)
          else expect([what, meta.total]).toEqual([what, wanted.length])
        }
      }
    }
  })
})
