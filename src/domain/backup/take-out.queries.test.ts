import { expect, test } from 'vitest'
import { aDatabase } from '../../../test/support/databases.ts'
import { readMessages } from './take-out.queries.ts'

test('while many messages of a backup are read, others are served', async () => {
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
  const sizes: number[] = []
  let isServed = true
  for await (const rows of readMessages(db)) {
    expect(isServed).toBe(true)
    sizes.push(rows.length)
    isServed = false
    // One turn of the event loop, as a request would need.
    setImmediate(() => {
      isServed = true
    })
  }
  expect(sizes).toEqual([500, 1])
})
