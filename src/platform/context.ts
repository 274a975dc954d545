import type { Locale } from '../contract/locales.ts'
import type { Right } from '../contract/rights.ts'
import type { SiteConfig } from '../contract/site-config.ts'
import type { Auth } from './auth/auth.ts'
import type { Database, OpenDatabase, Transaction } from './db/database.ts'
import type { Log } from './log/log.ts'
import type { Workshop } from './pictures/workshop.ts'
import type { Arrivals } from './storage/arriving.ts'
import type { Storage } from './storage/storage.ts'

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
  /** Where uploads lie, where they arrive, who draws them, and what one may hold. */
  uploads: Uploads
  /** The configuration in force. */
  site: SiteConfig
  /** The folder of files that are served as they are; the configuration may name one. */
  publicDir: string
  /** What the site is known by, without a slash at the end: for what is kept and what is mailed. */
  origin: string
  /**
   * By what the one who asks reached it: `origin`, or where BASE_URL is not set what stands in the browser, like
   * `http://localhost:3000`. Cookies and links on a screen go by it; it comes from the request, so nothing kept or mailed does.
   */
  reached: string
  /** Signs links and keys fingerprints. */
  secret: string
  /** False only for benches: no limits on contact messages. */
  contactLimited: boolean
  log: Log
  /** Better Auth, loaded when it is asked for first. */
  auth(): Promise<Auth>
  /** The external identity provider, when one is set: what its button says, and Better Auth with it, which rejects while it does not answer. */
  provider: { label: string | undefined; auth(): Promise<Auth> } | undefined
  /** Called after a change is committed, so that what waits for it starts at once and not at the next look. */
  signal: Signals
}

export interface Uploads {
  storage: Storage
  arrivals: Arrivals
  workshop: Workshop
  maxBytes: number
  maxPixels: number
}

/** Somebody who is signed in. */
export interface Actor {
  id: number
  name: string
  email: string
  locale: Locale
  /** Those of the base role and of the role for work. */
  rights: readonly Right[]
  sessionId: number
  /** When the password was last given in this session. */
  confirmedAt: Date
}

export interface Signals {
  /** A letter was posted. */
  letter(): void
  /** A picture was uploaded, or is to be drawn anew. */
  picture(): void
  /** Content changed: see `content-clock.ts`. */
  content(): void
}
