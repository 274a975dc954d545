import type { Database } from './database.ts'
import type { Dialect } from './dialect/dialect.ts'

interface DatabaseClock {
  now(): Date
  /** Measures the difference from the clock of the database, which `now` adds from then on. */
  measure(): Promise<void>
  /** Stops the regular measuring. */
  stop(): void
}

const measureEveryMs = 5_000
/** The system clock was set if it diverges from the monotonic clock (`performance.now`) by more than this. */
const jumpMs = 1_000

/**
 * The time by the clock of PostgreSQL, which all instances share, so that leases and schedules do not depend on the
 * clock of a machine. It follows the system clock, plus the measured difference, and does not jump when the system
 * clock is set. With SQLite it is the system clock.
 */
export function databaseClock({ db, dialect }: { db: Database; dialect: Dialect }): DatabaseClock {
  if (dialect.name === 'sqlite') return { now: () => new Date(), measure: async () => {}, stop() {} }

  const aheadOfMonotonic = () => Date.now() - performance.now()
  /** The clock of the database minus the system clock. */
  let offsetMs = 0
  let lastAhead = aheadOfMonotonic()
  const nowMs = () => {
    const jump = aheadOfMonotonic() - lastAhead
    if (Math.abs(jump) > jumpMs) {
      offsetMs -= jump
      lastAhead += jump
    }
    return Date.now() + offsetMs
  }
  const measure = async () => {
    // Corrects the offset if the system clock jumped.
    nowMs()
    const sentAt = Date.now()
    const databaseTime = (await dialect.clock(db)).getTime()
    const receivedAt = Date.now()
    // The database read its clock at some moment in between: the offset only changes if it is outside that range.
    offsetMs = Math.min(Math.max(offsetMs, databaseTime - receivedAt), databaseTime - sentAt)
    lastAhead = aheadOfMonotonic()
  }
  let isMeasuring = false
  const timer = setInterval(async () => {
    if (isMeasuring) return
    isMeasuring = true
    // While the database is unavailable, the last offset stays.
    await measure().catch(() => {})
    isMeasuring = false
  }, measureEveryMs)
  timer.unref()
  return { now: () => new Date(Math.round(nowMs())), measure, stop: () => clearInterval(timer) }
}
