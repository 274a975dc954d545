import { describe, expect, test } from 'vitest'
import { aDatabase, databases } from './databases.ts'
import { aLog, allowErrors } from './test-log.ts'

describe.each(databases)('on %s', (kind) => {
  test('every test has a database of its own', async () => {
    const [database, otherDatabase] = [await aDatabase(kind), await aDatabase(kind)]
    await database.db.updateTable('cache_invalidation_version').set({ version: 7 }).execute()
    expect(await otherDatabase.db.selectFrom('cache_invalidation_version').select('version').execute()).toEqual([
      { version: 0 },
    ])
  })
})

test.fails('a test that logs an error fails', () => {
  aLog().log.error('the cat is on the mat')
})

test.fails('a test that writes to console.error fails', () => {
  // biome-ignore lint/suspicious/noConsole: the test is about this call
  console.error('the cat is on the mat')
})

test('an expected error may be logged', () => {
  allowErrors(/the cat/)
  const { log, lines } = aLog()
  log.error('the cat is on the mat')
  expect(lines.map((line) => line.msg)).toEqual(['the cat is on the mat'])
})
