import { expect, test } from 'vitest'
import { aDatabase } from '../../../test/support/databases.ts'
import { addManyPages } from '../../../test/support/many-pages.ts'
import { readMessages, readPageTexts } from './backup-rows.queries.ts'

/** Reads all batches. @returns the size of each @throws when nothing else was served between two of them */
async function readServing(batches: AsyncIterable<unknown[]>): Promise<number[]> {
  const sizes: number[] = []
  let isServed = true
  for await (const rows of batches) {
    expect(isServed).toBe(true)
    sizes.push(rows.length)
    isServed = false
    // One turn of the event loop, as a request would need.
    setImmediate(() => {
      isServed = true
    })
  }
  return sizes
}

test('while many messages are read for a backup, other requests are served', async () => {
  const { db } = await aDatabase('sqlite')
  const message = {
    ...{ naam: 'Roya Karimi', email: 'roya@karimi.example', tel: '', bericht: 'Hallo', locale: 'nl' },
    ...{ folder: 'inbox' as const, privacy_version: 'x', fingerprint: 'x', address_key: 'x' },
    created_at: '2026-01-01T00:00:00.000Z',
  }
  await db
    .insertInto('message')
    .values(Array.from({ length: 501 }, () => message))
    .execute()
  expect(await readServing(readMessages(db))).toEqual([500, 1])
})

test('while many pages are read for a backup, other requests are served', async () => {
  const { db } = await aDatabase('sqlite')
  const pages = await addManyPages(db, 501)
  const texts = (some: typeof pages) => some.length + some.filter(({ hasPersian }) => hasPersian).length
  expect(await readServing(readPageTexts(db))).toEqual([texts(pages.slice(0, 500)), texts(pages.slice(500))])
})
