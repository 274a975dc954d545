import { describe, expect, test } from 'vitest'
import type { StoredFile } from '../../src/contract/files.ts'
import type { ListOf } from '../../src/contract/list.ts'
import { databases } from '../support/databases.ts'
import { as } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'

const nouns = ['Gevel', 'Team', 'عکس', 'Brug', 'Serre']
const folders = ['Mensen', 'Kantoor', 'پروژه‌ها']

/** The larger files are the newer ones. */
const age = (index: number) => (index * 31) % 4_000

/** Enough rows that no list scans the whole table; a few values are rare. */
const files = Array.from({ length: 4_000 }, (_, index) => ({
  name: `${nouns[index % nouns.length]} ${index % 97} ${index % 900 === 3 ? 'zeldzaam' : 'gewoon'}${age(index) < 1_200 ? ' bejaard' : ''}.jpg`,
  kind: index % 40 === 0 ? 2 : 1,
  folder: index % 4 === 3 ? '' : (folders[index % 3] as string),
  bytes: ((index * 977) % 4_000) + 100,
  created_at: new Date(1.7e12 + age(index) * 60_000).toISOString(),
}))

async function fill(site: TestApp): Promise<void> {
  await site.db
    .insertInto('file_folder')
    .values(folders.map((name) => ({ name })))
    .execute()
  const known = await site.db.selectFrom('file_folder').select(['id', 'name']).execute()
  for (let at = 0; at < files.length; at += 200) {
    const rows = files.slice(at, at + 200).map(({ folder, ...file }, index) => ({
      ...file,
      folder_id: known.find(({ name }) => name === folder)?.id ?? null,
      folder_name: folder,
      type: 'image/jpeg',
      content_hash: String(at + index),
      public_id: String(at + index).padStart(32, '0'),
      blob_id: 'geen',
      width: 10,
      height: 10,
      state: 'ready' as const,
      added_by: 'Rik',
      updated_at: file.created_at,
    }))
    await site.db.insertInto('file').values(rows).execute()
  }
}

describe.each(databases)('a long list on %s', (database) => {
  test('every order, filter and search gives the same result as reading every row', async () => {
    const site = await aTestApp({ database })
    const rik = await as(site, 'redacteur')
    await fill(site)
    const list = async (query: string) => (await (await rik.get(`/api/files?${query}`)).json()) as ListOf<StoredFile>
    const all: StoredFile[] = []
    for (let page = 1; page <= 40; page++) all.push(...(await list(`pageSize=100&page=${page}`)).data)
    expect(new Set(all.map(({ id }) => id)).size).toBe(files.length)
    const byTime = all.toSorted((a, b) =>
      a.createdAt === b.createdAt ? b.id - a.id : a.createdAt < b.createdAt ? 1 : -1,
    )
    expect(all.map(({ id }) => id)).toEqual(byTime.map(({ id }) => id))

    const cases: [query: string, keep: (file: StoredFile) => boolean][] = [
      ['folder=Mensen', ({ folder }) => folder === 'Mensen'],
      ['kind=document', ({ kind }) => kind === 'document'],
      ['kind=picture&folder=Kantoor', (file) => file.kind === 'picture' && file.folder === 'Kantoor'],
      ['search=zeldzaam', ({ name }) => name.includes('zeldzaam')],
      ['search=gewoon', ({ name }) => name.includes('gewoon')],
      ['search=gewoon&folder=Mensen', (file) => file.name.includes('gewoon') && file.folder === 'Mensen'],
      ['search=عكس', ({ name }) => name.includes('عکس')],
      ['search=bejaard', ({ name }) => name.includes('bejaard')],
      ['search=nergens', () => false],
    ]
    for (const [query, keep] of cases) {
      const expected = byTime.filter(keep)
      for (const page of [1, 2, 9]) {
        const found = await list(`${query}&page=${page}&pageSize=50`)
        const wanted = expected.slice((page - 1) * 50, page * 50).map(({ id }) => id)
        expect([query, page, found.data.map(({ id }) => id)]).toEqual([query, page, wanted])
        if (!found.meta.more) expect([query, found.meta.total]).toEqual([query, expected.length])
        else expect(found.meta.total).toBeLessThanOrEqual(expected.length)
      }
    }
    const bySize = all.toSorted((a, b) => a.bytes - b.bytes || a.id - b.id)
    expect((await list('sort=bytes&page=20&pageSize=100')).data.map(({ id }) => id)).toEqual(
      bySize.slice(1_900, 2_000).map(({ id }) => id),
    )
    const names = (await list('sort=name&pageSize=100')).data.map(({ name }) => name)
    expect(names).toEqual(names.toSorted())
  })
})
