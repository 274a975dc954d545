import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { folds, foldText } from '../../src/platform/db/migrations/folded-text.ts'
import { addressPattern, redactEmails, searchTerms } from '../../src/platform/db/text-search.ts'
import { aDatabase, databases } from '../support/databases.ts'

const at = '2026-01-01T00:00:00.000Z'

describe.each(databases)('on %s', (kind) => {
  test('the database folds a text (case, accents, digits) as the program folds a search', async () => {
    const { db } = await aDatabase(kind)
    const names = [
      'Sanne d’Hondt-Gübbels',
      'ŁUKASZ Œuvre Straße',
      'پریسا كاظمي ۰۱۲ ٣٤',
      'می‌نویسد ـــ',
      'ЖАННА Ωmega',
      folds.map(([from]) => from).join(''),
    ]

    for (const [index, name] of names.entries()) {
      await db
        .insertInto('user')
        .values({ email: `u${index}@example.nl`, name, created_at: at, updated_at: at })
        .execute()
    }

    const rows = await db.selectFrom('user').select(['name', 'email', 'search_text']).orderBy('id').execute()
    for (const { name, email, search_text } of rows) {
      expect(search_text).toBe(foldText(` ${name} ${email}`).replaceAll(' ', '  '))
    }
  })

  test('the search text follows every change of the row', async () => {
    const { db, dialect } = await aDatabase(kind)
    const found = async (text: string) => {
      const parts = searchTerms(text)
      const narrowed = dialect.searchIndexIds({ table: 'user', column: 'search_text' }, parts)
      if (!narrowed)
        return (await db.selectFrom('user').where('search_text', 'like', `%${parts[0]}%`).select('id').execute()).length
      return (await sql`select id from ${narrowed} as narrowed`.execute(db)).rows.length
    }
    const { id } = await db
      .insertInto('user')
      .values({ email: 'roya@example.nl', name: 'Roya', created_at: at, updated_at: at })
      .returning('id')
      .executeTakeFirstOrThrow()
    expect([await found('roya'), await found('moradi')]).toEqual([1, 0])

    await db.updateTable('user').set({ name: 'R. Moradi', email: 'r@example.nl' }).where('id', '=', id).execute()
    expect([await found('roya'), await found('moradi')]).toEqual([0, 1])
    await db.updateTable('user').set({ blocked: 1 }).where('id', '=', id).execute()
    expect(await found('moradi')).toBe(1)

    await db.deleteFrom('user').execute()
    expect(await found('moradi')).toBe(0)
  })

  test('a text contains a term or not, whatever characters are in them', async () => {
    const { db, dialect } = await aDatabase(kind)
    const texts = ['website zonder x', 'a*b?[c]d', 'axb!cd', 'پریسا کاظمی', 'zz  q', '😀zeppelin😀', "l'été 100%_\\"]
    const terms = [
      ...texts.flatMap((text) => [text, text.slice(0, 3), text.slice(-4), text.slice(2, 6)]),
      ...['zeppelin', '*', '?', '[c]', ']', 'q', ' q', 'x', 'X', 'کاظ', '%', '_', '^', '[^a]', '*b', 'été', '\\'],
    ].map((term) => term.toWellFormed())
    for (const term of terms) {
      const found: string[] = []
      for (const text of texts) {
        const row = sql<{ text: string }>`select ${text} as text`
        const { rows } = await sql`select 1 from (${row}) as t where ${dialect.contains('text', term)}`.execute(db)
        if (rows.length > 0) found.push(text)
      }
      expect(found, term).toEqual(texts.filter((text) => text.includes(term)))
    }
  })

  test('the counts of users per role and of blocked users follow every change', async () => {
    const { db } = await aDatabase(kind)
    const counts = async () =>
      (
        await db
          .selectFrom('user_count')
          .select(['role_id', 'blocked', 'counted'])
          .orderBy('role_id')
          .orderBy('blocked')
          .execute()
      )
        .filter((row) => row.counted !== 0)
        .map((row) => [row.role_id, row.blocked, row.counted])
    const add = (name: string, role_id: number | null) =>
      db
        .insertInto('user')
        .values({ email: `${name}@example.nl`, name, role_id, created_at: at, updated_at: at })
        .execute()
    for (const name of ['a', 'b', 'c']) await add(name, null)
    for (const name of ['d', 'e']) await add(name, 3)
    expect(await counts()).toEqual([
      [0, 0, 3],
      [3, 0, 2],
    ])

    await db.updateTable('user').set({ role_id: 2 }).where('name', 'in', ['a', 'd']).execute()
    await db.updateTable('user').set({ blocked: 1 }).where('name', '=', 'e').execute()
    expect(await counts()).toEqual([
      [0, 0, 2],
      [2, 0, 2],
      [3, 1, 1],
    ])

    await db.deleteFrom('user').where('name', '!=', 'b').execute()
    expect(await counts()).toEqual([[0, 0, 1]])
    await db
      .transaction()
      .execute(async (tx) => {
        await tx.deleteFrom('user').execute()
        throw new Error('undone')
      })
      .catch(() => {})
    expect(await counts()).toEqual([[0, 0, 1]])
  })
})

test('PostgreSQL has no generated columns, because each write would parse their expressions anew', async () => {
  const { db } = await aDatabase('postgres')
  const generated = sql`select attrelid::regclass from pg_attribute where attgenerated <> '' and attnum > 0`
  expect((await generated.execute(db)).rows).toEqual([])
})

test('PostgreSQL indexes all words of a very long text without spaces, and as many of their endings as fit', async () => {
  const { db } = await aDatabase('postgres')
  const character = (at: number) => String.fromCodePoint(0x4e00 + (at % 20_000))
  const words = Array.from({ length: 490 }, (_, n) =>
    Array.from({ length: 100 }, (_, k) => character(n * 7_919 + k * 104_729 + n * k * 31)).join(''),
  )
  const text = words.join(' ')
  const found = async (...queries: string[]) => {
    const { rows } = await sql<{ found: boolean }>`
      with indexed as materialized (select word_tokens('zh', ${text}) as tokens)
      select tokens @@ cast(query as tsquery) as found
      from indexed, unnest(cast(${queries} as text[])) with ordinality as asked (query, number)
      order by number`.execute(db)
    return rows.map((row) => row.found)
  }
  expect(await found(...words.map((word) => `'_${word}'`))).toEqual(words.map(() => true))
  const endOf = (word = '') => `'${word.slice(5, 15)}':*`
  expect(await found(endOf(words[0]), endOf(words[50]), endOf(words.at(-1)), "'__zh'")).toEqual([
    true,
    true,
    false,
    true,
  ])
})

test('a search is split into parts: a long one matches anywhere, one of one or two characters at the start of a word', () => {
  expect(searchTerms(undefined)).toEqual([])
  expect(searchTerms('  ')).toEqual([])
  expect(searchTerms('Jan de  Bákker jan')).toEqual(['jan', '  de', 'bakker'])
  expect(searchTerms('۰۶')).toEqual(['  06'])
  expect(searchTerms('a\u0000b')).toEqual(['  a', '  b'])
  expect(searchTerms('e\u0301tienne')).toEqual(['etienne'])
  expect(searchTerms('"; drop table user; --')).toEqual(['  ;', 'drop', 'table', 'user;', '  --'])
})

test('quotation marks around words are no part of a search', () => {
  expect(searchTerms('"ab"')).toEqual(['  ab'])
  expect(searchTerms('„de website” «تعرفه ما» “Jan”')).toEqual(['  de', 'website', 'تعرفه', '  ما', 'jan'])
  expect(searchTerms('" ab "')).toEqual(['  ab'])
  expect(searchTerms('\'t o"c')).toEqual(["  't", 'o"c'])
  expect(searchTerms('"')).toEqual(['  "'])
})

test('a Persian ending after another word and a space does not restrict a search, and is searched on its own', () => {
  expect(searchTerms('تعرفه ها')).toEqual(['تعرفه'])
  expect(searchTerms('پروژه هاي بزرگ تر')).toEqual(['پروژه', 'بزرگ'])
  expect(searchTerms('تعرفه\u200cها')).toEqual(['تعرفهها'])
  expect(searchTerms('ها')).toEqual(['  ها'])
  expect(searchTerms('های ها')).toEqual(['های'])
  expect(searchTerms('تعرفه ها، بزرگ')).toEqual(['تعرفه', 'بزرگ'])
})

test('of a Persian search a number with an ending, and a word at the beginning that looks like an ending, are searched', () => {
  expect(searchTerms('دهه ۸۰\u200cها')).toEqual(['دهه', '80ها'])
  expect(searchTerms('خانه 120ای')).toEqual(['خانه', '120ای'])
  expect(searchTerms('ای ایران')).toEqual(['  ای', 'ایران'])
})

test('addresses are redacted with what surrounds them up to a space or quote, and a long text is searched in one pass', () => {
  expect(redactEmails('{"a":"jan@x.nl, @ of (piet@y.nl)","b":"@klaas"}')).toBe('{"a":"… @ of …","b":"@klaas"}')
  const long = 'a'.repeat(300_000)
  expect(redactEmails(long)).toBe(long)
})

test('an address is found between quotes and other signs, and not within another address', () => {
  const found = (text: string) =>
    [text, JSON.stringify({ text })].map((one) => one.search(addressPattern('jan@example.nl')) >= 0)
  for (const text of [
    ...[
      "'jan@example.nl'",
      '*jan@example.nl*',
      '_jan@example.nl_',
      '{jan@example.nl}',
      '/jan@example.nl',
      '--jan@example.nl',
    ],
    ...["Geweigerd:\n'jan@example.nl'.", '<jan@example.nl>', 'mailto:jan@example.nl'],
  ]) {
    expect(found(text), text).toEqual([true, true])
  }
  for (const text of [
    "o'jan@example.nl",
    'xjan@example.nl',
    'x.jan@example.nl',
    'e+jan@example.nl',
    'jan@example.nl.org',
  ]) {
    expect(found(text), text).toEqual([false, false])
  }
  const signs = '='.repeat(1_000_000)
  expect(found(`${signs}jan@example.nl`)).toEqual([true, true])
})
