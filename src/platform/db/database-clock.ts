import type { Database } from './database.ts'
import type { Dialect } from './dialect/dialect.ts'

export interface DatabaseClock {
  now(): Date
  /** Compares with the clock of the database. */
  measure(): Promise<void>
  /** Stops measuring. */
  stop(): void
}

const measuredEveryMs = 5_000
/** A wall clock that moved by this much more or less than the steady clock was set. */
const jumpMs = 1_000

/**
 * The time by the clock of PostgreSQL, which all copies of the program share, so that leases and schedules hold whatever the
 * clock of a machine says. It equals the machine's own as long as no difference is seen, and does not jump with it. SQLite has no clock
 * of its own.
 */
export function databaseClock({ db, dialect }: { db: Database; dialect: Dialect }): DatabaseClock {
  if (dialect.name === 'sqlite') return { now: () => new Date(), measure: async () => {}, stop() {} }

  const aheadOfSteady = () => Date.now() - performance.now()
  let offsetMs = 0
  let known = aheadOfSteady()
  const nowMs = () => {
    const jump = aheadOfSteady() - known
    if (Math.abs(jump) > jumpMs) {
      offsetMs -= jump
      known += jump
    }
    return Date.now() + offsetMs
  }
  const measure = async () => {
    nowMs()
    const before = Date.now()
    const there = (await dialect.clock(db)).getTime()
    const after = Date.now()
    // The database answered somewhere between the question and its arrival: a slow answer says little about the difference.
    offsetMs = Math.min(Math.max(offsetMs, there - after), there - before)
    known = aheadOfSteady()
  }
  let isMeasuring = false
  const timer = setInterval(async () => {
    if (isMeasuring) return
    isMeasuring = true
    // While the database is away, the last difference holds.
    await measure().catch(() => {})
    isMeasuring = false
  }, measuredEveryMs)
  timer.unref()
  return { now: () => new Date(Math.round(nowMs())), measure, stop: () => clearInterval(timer) }
}
