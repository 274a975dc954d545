import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { invalidate, invalidationVersion, watchInvalidations } from '../../src/platform/cache-invalidation.ts'
import { type Database, openDatabase } from '../../src/platform/db/database.ts'
import { closeAfterTest } from '../support/close-after-test.ts'
import { aCopyOfTemplate, aDatabase, type DatabaseKind, databases } from '../support/databases.ts'
import { aLog, allowErrors } from '../support/test-log.ts'
import { waitUntil } from '../support/wait-until.ts'

const never = 3_600_000

/** Two instances on one database, each with a watch that polls only when called, unless `everyMs` is set. */
async function twoCopies(kind: DatabaseKind, everyMs = never) {
  const settings = await aCopyOfTemplate('migrated', kind)
  return [await aCopy(settings, everyMs), await aCopy(settings, everyMs)] as const
}

async function aCopy(settings: Parameters<typeof openDatabase>[0], everyMs: number) {
  const { db } = await openDatabase(settings)
  closeAfterTest(() => db.destroy())
  const notified: (string[] | 'all')[] = []
  const since = await invalidationVersion(db)
  const { log, lines } = aLog()
  const watch = watchInvalidations({
    db,
    log,
    since,
    reload: () => {},
    evict: (tags) => void notified.push(tags),
    everyMs,
  })
  closeAfterTest(watch.stop)
  return { db, watch, notified, lines }
}

const touch = (db: Database, ...tags: string[]) => db.transaction().execute((tx) => invalidate(tx, tags))

describe.each(databases)('on %s', (kind) => {
  test('a change by one instance notifies both, once', async () => {
    const [one, other] = await twoCopies(kind)
    await touch(one.db, 'page:/disclaimer', 'page:/disclaimer', 'page:/')
    for (const copy of [one, other]) {
      await copy.watch.runNow()
      await copy.watch.runNow()
      expect(copy.notified.map((tags) => [...tags].sort())).toEqual([['page:/', 'page:/disclaimer']])
    }
  })

  test('a change from before the start notifies nobody', async () => {
    const settings = await aCopyOfTemplate('migrated', kind)
    const first = await aCopy(settings, never)
    await touch(first.db, 'site')
    const late = await aCopy(settings, never)
    await late.watch.runNow()
    expect(late.notified).toEqual([])
  })

  test('a change that is rolled back notifies nobody', async () => {
    const [one, other] = await twoCopies(kind)
    const failing = one.db.transaction().execute(async (tx) => {
      await invalidate(tx, ['site'])
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    await other.watch.runNow()
    expect(other.notified).toEqual([])
  })

  test('a watch polls by itself', async () => {
    const [one, other] = await twoCopies(kind, 25)
    await touch(one.db, 'site')
    await waitUntil(() => other.notified.length > 0, 'news')
    expect(other.notified).toEqual([['site']])
  })

  test('failed polls are logged once, and so is the recovery', async () => {
    allowErrors(/checking for changed content failed/)
    const { db, lines } = await aCopy(await aCopyOfTemplate('migrated', kind), 10)
    const count = (msg: string) => lines.filter((line) => line.msg === msg).length
    const queries = vi.spyOn(db.getExecutor(), 'executeQuery')
    await db.schema.alterTable('cache_invalidation_version').renameTo('clock_away').execute()
    await waitUntil(() => queries.mock.calls.length >= 20, 'queries that failed')
    expect(count('checking for changed content failed')).toBe(1)
    await db.schema.alterTable('clock_away').renameTo('cache_invalidation_version').execute()
    await waitUntil(() => count('checking for changed content works again') > 0, 'good news')
    expect(count('checking for changed content failed')).toBe(1)
  })

  test('an instance that missed more changes than are stored invalidates everything', async () => {
    const { db } = await aDatabase(kind)
    const notified: (string[] | 'all')[] = []
    const watch = watchInvalidations({
      db,
      log: aLog().log,
      since: 0,
      reload: () => {},
      evict: (tags) => void notified.push(tags),
      everyMs: never,
    })
    closeAfterTest(watch.stop)
    await db.transaction().execute(async (tx) => {
      for (let count = 0; count < 1_001; count++) await invalidate(tx, [`page:/${count}`])
    })
    await watch.runNow()
    expect(notified).toEqual(['all'])
    expect(await db.selectFrom('cache_invalidation').select('version').execute()).toHaveLength(1_000)
  })

  test('while the configuration cannot be loaded, each change evicts once, and all of them again after that', async () => {
    const { db } = await aDatabase(kind)
    const notified: (string[] | 'all')[] = []
    let broken = true
    allowErrors(/not now/)
    const watch = watchInvalidations({
      db,
      log: aLog().log,
      since: 0,
      reload: () => {
        if (broken) throw new Error('not now')
      },
      evict: (tags) => void notified.push(tags),
      everyMs: never,
    })
    closeAfterTest(watch.stop)
    await touch(db, 'site')
    await expect(watch.runNow()).rejects.toThrow('not now')
    await expect(watch.runNow()).rejects.toThrow('not now')
    await touch(db, 'page:/')
    await expect(watch.runNow()).rejects.toThrow('not now')
    expect(notified).toEqual([['site'], ['page:/']])
    broken = false
    await watch.runNow()
    expect(notified.map((tags) => [...tags].sort())).toEqual([['site'], ['page:/'], ['page:/', 'site']])
  })

  test('for any order of changes and polls, every instance is notified of every change', async () => {
    const copies = await twoCopies(kind)
    const step = fc.record({ copy: fc.nat(1), act: fc.constantFrom('touch', 'look', 'touch and look') })
    let made = 0
    // In one thread a writer that waits for the lock of SQLite would block the other; two processes queue like this.
    let writing: Promise<unknown> = Promise.resolve()
    const write = (db: Database, tag: string) => {
      if (kind === 'postgres') return touch(db, tag)
      const turn = writing.then(() => touch(db, tag))
      writing = turn
      return turn
    }
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        for (const { notified } of copies) notified.length = 0
        const touched: string[] = []
        // The steps are not awaited: they interleave as in two processes.
        await Promise.all(
          steps.map(async ({ copy, act }) => {
            const { db, watch } = copies[copy === 0 ? 0 : 1]
            if (act.startsWith('touch')) {
              const tag = `page:/${made++}`
              touched.push(tag)
              await write(db, tag)
            }
            if (act.endsWith('look')) await watch.runNow()
          }),
        )
        for (const { watch, notified } of copies) {
          await watch.runNow()
          expect(notified.flat().sort()).toEqual([...touched].sort())
        }
      }),
      { numRuns: 30 },
    )
  })
})
