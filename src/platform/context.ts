import type { SiteConfig } from '../contract/site-config.ts'
import type { Database, OpenDatabase, Transaction } from './db/database.ts'
import type { Log } from './log/log.ts'

/** What every verb receives. */
export interface Context {
  /** Who asks; undefined is nobody. */
  actor: Actor | undefined
  now(): Date
  db: Database
  dialect: OpenDatabase['dialect']
  /**
   * Runs `work` whole or not at all. Inside it only `tx` is used: SQLite has one connection, and waiting for another
   * there waits for ever.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** The configuration in force. */
  site: SiteConfig
  /** What the site is reached by, without a slash at the end. */
  origin: string
  /** Signs links and keys fingerprints. */
  secret: string
  /** False only for benches: no limits on contact messages. */
  contactLimited: boolean
  log: Log
  /** Called after a change is committed, so that what waits for it starts at once and not at the next look. */
  signal: Signals
}

export interface Actor {
  id: number
  name: string
}

export interface Signals {
  /** A letter was posted. */
  letter(): void
  /** Content changed: see `content-clock.ts`. */
  content(): void
}
