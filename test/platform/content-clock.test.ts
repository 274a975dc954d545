import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { contentVersion, touchContent, watchContent } from '../../src/platform/content-clock.ts'
import { type Database, openDatabase } from '../../src/platform/db/database.ts'
import { closeAtEnd } from '../support/closing.ts'
import { aDatabase, anEmptyDatabase, type DatabaseKind, databases } from '../support/databases.ts'
import { aLog, allowErrors } from '../support/logged.ts'
import { until } from '../support/until.ts'

const never = 3_600_000

/** Two copies of the program on one database, each with a watch that looks only when told, unless `everyMs` says so. */
async function twoCopies(kind: DatabaseKind, everyMs = never) {
  const settings = await anEmptyDatabase(kind)
  return [await aCopy(settings, everyMs), await aCopy(settings, everyMs)] as const
}

async function aCopy(settings: Parameters<typeof openDatabase>[0], everyMs: number) {
  const { db } = await openDatabase(settings)
  closeAtEnd(() => db.destroy())
  const told: (string[] | 'all')[] = []
  const since = await contentVersion(db)
  const { log, lines } = aLog()
  const watch = watchContent({ db, log, since, changed: (tags) => void told.push(tags), everyMs })
  closeAtEnd(watch.stop)
  return { db, watch, told, lines }
}

const touch = (db: Database, ...tags: string[]) => db.transaction().execute((tx) => touchContent(tx, tags))

describe.each(databases)('on %s', (kind) => {
  test('a change by one copy is told to both, once', async () => {
    const [one, other] = await twoCopies(kind)
    await touch(one.db, 'page:/disclaimer', 'page:/disclaimer', 'page:/')
    for (const copy of [one, other]) {
      await copy.watch.look()
      await copy.watch.look()
      expect(copy.told.map((tags) => [...tags].sort())).toEqual([['page:/', 'page:/disclaimer']])
    }
  })

  test('what was there before the start is not news', async () => {
    const settings = await anEmptyDatabase(kind)
    const first = await aCopy(settings, never)
    await touch(first.db, 'site')
    const late = await aCopy(settings, never)
    await late.watch.look()
    expect(late.told).toEqual([])
  })

  test('a change that is rolled back is not told', async () => {
    const [one, other] = await twoCopies(kind)
    const failing = one.db.transaction().execute(async (tx) => {
      await touchContent(tx, ['site'])
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    await other.watch.look()
    expect(other.told).toEqual([])
  })

  test('without being told to, it looks by itself', async () => {
    const [one, other] = await twoCopies(kind, 25)
    await touch(one.db, 'site')
    await until(() => other.told.length > 0, 'news')
    expect(other.told).toEqual([['site']])
  })

  test('looks that fail are logged once, and so is it when they work again', async () => {
    allowErrors(/looking for changed content failed/)
    const { db, lines } = await aCopy(await anEmptyDatabase(kind), 10)
    const count = (msg: string) => lines.filter((line) => line.msg === msg).length
    const looks = vi.spyOn(db.getExecutor(), 'executeQuery')
    await db.schema.alterTable('content_clock').renameTo('content_clock_away').execute()
    await until(() => looks.mock.calls.length >= 20, 'looks that failed')
    expect(count('looking for changed content failed')).toBe(1)
    await db.schema.alterTable('content_clock_away').renameTo('content_clock').execute()
    await until(() => count('looking for changed content works again') > 0, 'good news')
    expect(count('looking for changed content failed')).toBe(1)
  })

  test('a copy that missed more than is remembered drops everything', async () => {
    const { db } = await aDatabase(kind)
    const told: (string[] | 'all')[] = []
    const watch = watchContent({
      db,
      log: aLog().log,
      since: 0,
      changed: (tags) => void told.push(tags),
      everyMs: never,
    })
    closeAtEnd(watch.stop)
    await db.transaction().execute(async (tx) => {
      for (let count = 0; count < 1_001; count++) await touchContent(tx, [`page:/${count}`])
    })
    await watch.look()
    expect(told).toEqual(['all'])
    expect(await db.selectFrom('content_change').select('version').execute()).toHaveLength(1_000)
  })

  test('news that could not be handled comes again', async () => {
    const { db } = await aDatabase(kind)
    const told: (string[] | 'all')[] = []
    let broken = true
    allowErrors(/not now/)
    const watch = watchContent({
      db,
      log: aLog().log,
      since: 0,
      changed: (tags) => {
        if (broken) throw new Error('not now')
        told.push(tags)
      },
      everyMs: never,
    })
    closeAtEnd(watch.stop)
    await touch(db, 'site')
    await expect(watch.look()).rejects.toThrow('not now')
    broken = false
    await watch.look()
    expect(told).toEqual([['site']])
  })

  test('whatever the order of changes and looks, every copy is told of every change', async () => {
    const copies = await twoCopies(kind)
    const step = fc.record({ copy: fc.nat(1), act: fc.constantFrom('touch', 'look', 'touch and look') })
    let made = 0
    // In one thread a writer that waits for SQLite's lock would keep the other from ending; two processes queue like this.
    let writing: Promise<unknown> = Promise.resolve()
    const write = (db: Database, tag: string) => {
      if (kind === 'postgres') return touch(db, tag)
      const turn = writing.then(() => touch(db, tag))
      writing = turn
      return turn
    }
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        for (const { told } of copies) told.length = 0
        const touched: string[] = []
        // Nothing waits for anything: the steps run through each other as two processes would.
        await Promise.all(
          steps.map(async ({ copy, act }) => {
            const { db, watch } = copies[copy === 0 ? 0 : 1]
            if (act.startsWith('touch')) {
              const tag = `page:/${made++}`
              touched.push(tag)
              await write(db, tag)
            }
            if (act.endsWith('look')) await watch.look()
          }),
        )
        for (const { watch, told } of copies) {
          await watch.look()
          expect(told.flat().sort()).toEqual([...touched].sort())
        }
      }),
      { numRuns: 30 },
    )
  })
})
