import { expect, test, vi } from 'vitest'
import type { Database } from './database.ts'
import { databaseClock } from './database-clock.ts'
import type { Dialect } from './dialect/dialect.ts'

test('a slow answer of the database does not change a clock offset that was already measured', async () => {
  vi.useFakeTimers()
  try {
    const aheadMs = 14_000
    let takesMs = 20
    const dialect = {
      name: 'postgres',
      clock: async () => {
        vi.setSystemTime(Date.now() + takesMs)
        return new Date(Date.now() - aheadMs)
      },
    }
    const clock = databaseClock({ db: {} as Database, dialect: dialect as unknown as Dialect })
    const wrongBy = () => Math.abs(clock.now().getTime() - (Date.now() - aheadMs))
    await clock.measure()
    expect(wrongBy()).toBeLessThanOrEqual(20)
    takesMs = 14_500
    await clock.measure()
    clock.stop()
    expect(wrongBy()).toBeLessThanOrEqual(20)
  } finally {
    vi.useRealTimers()
  }
})
