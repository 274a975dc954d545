import type { ResponsiveImage } from '../contract/images.ts'
import type { AdminLocale } from '../contract/locales.ts'
import type { MenuPages } from '../contract/menus.ts'
import type { Right } from '../contract/rights.ts'
import type { SiteConfig } from '../contract/site-config.ts'
import type { BackupParts } from './archive/backup-parts.ts'
import type { Auth } from './auth/auth.ts'
import type { Database, OpenDatabase, Transaction } from './db/database.ts'
import type { ImageWorker } from './images/image-worker.ts'
import type { Log } from './log/log.ts'
import type { SmtpServer } from './mail/transport.ts'
import type { Cdn } from './net/cdn.ts'
import type { Resolve } from './net/resolver.ts'
import type { Storage } from './storage/storage.ts'
import type { TemporaryFiles } from './storage/temporary-files.ts'

/** The argument of every use case. */
export interface Context {
  /** The signed-in user; undefined for an anonymous visitor. */
  actor: Actor | undefined
  now(): Date
  db: Database
  dialect: OpenDatabase['dialect']
  /** Runs `work` in a transaction. Use only `tx` inside it: SQLite has one connection, so awaiting `db` there deadlocks. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** Storage, processing and limits of uploads. */
  uploads: Uploads
  backups: BackupParts & SiteCopies
  /** The current configuration. */
  site: SiteConfig
  menuPages: MenuPages
  /** The folder of static files; the configuration may refer to its files. */
  publicDir: string
  /** The images in `publicDir`, by URL. */
  publicImages: ReadonlyMap<string, ResponsiveImage>
  /** The canonical origin, without a trailing slash: for everything that is stored or emailed. */
  origin: string
  /**
   * The origin by which this request reached the site: `origin`, or without BASE_URL what the browser shows, like
   * `http://localhost:3000`. For cookies and links on screens. The client can forge it, so it must not be stored or
   * emailed.
   */
  requestOrigin: string
  /** The key that signs links and fingerprints, and encrypts stored passwords, such as that of the mail server. */
  secret: string
  /** Whether posted messages are rate-limited; false for benchmarks, copies of the site and the canary. */
  rateLimited: boolean
  /**
   * Runs a search by a visitor; only a few run at once, and others wait.
   * @throws {Refusal} `too_many` when too many wait
   */
  runSearch<T>(task: () => Promise<T>): Promise<T>
  mail: {
    /** Whether there is a mail server; without one, emails are only written to files. */
    sends: boolean
    /** The mail server in use: that of the setting SMTP_URL, else the one that staff set. */
    server: SmtpServer | undefined
    /** Whether the mail server comes from SMTP_URL, which takes precedence. */
    fromEnvironment: boolean
    /** The DNS resolver for the sender's domain. */
    resolve: Resolve
    /** Deletes the files of emails that are no longer in the outbox. @returns how many */
    deleteOrphanedFiles(): Promise<number>
  }
  /** The CDN in front of the site, if there is one. */
  cdn: Cdn | undefined
  log: Log
  /** Better Auth, loaded at its first use. */
  auth(): Promise<Auth>
  /**
   * The external identity provider, when one is configured: the label of its sign-in button, and Better Auth with the
   * provider; `auth` rejects while the provider does not answer.
   */
  provider: { label: string | undefined; auth(): Promise<Auth> } | undefined
  /** Call these after the commit, so that background work starts at once and not at the next poll. */
  wake: WakeUps
}

/** A site that runs in this process and answers requests without a network. */
export interface RunningSite {
  context(): Omit<Context, 'actor'>
  fetch(request: Request): Promise<Response>
  stop(): Promise<void>
}

/** The site of this process, and copies of it, which a test restore compares with it. */
interface SiteCopies {
  /** The site of this process. */
  liveSite(): Omit<RunningSite, 'stop'>
  /** Starts a copy of the site on a SQLite database in another data folder, without a mail server and jobs. */
  startSiteCopy(paths: { dataDir: string; siteConfig: string }): Promise<RunningSite>
}

interface Uploads {
  storage: Storage
  temporaryFiles: TemporaryFiles
  imageWorker: ImageWorker
  maxBytes: number
  maxPixels: number
  /** For all stored files together; undefined: no limit. */
  quotaBytes: number | undefined
}

/** A signed-in user. */
export interface Actor {
  id: number
  name: string
  email: string
  locale: AdminLocale
  /** The rights of the base role and of the user's role for work. */
  rights: readonly Right[]
  sessionId: number
  /** When the user last signed in, or entered the password again, in this session. */
  confirmedAt: Date
}

interface WakeUps {
  /** An email was queued. */
  email(): void
  /** An image waits in the resize queue. */
  image(): void
  /** A backup or a proof (a test restore of a backup) was queued. */
  backup(): void
  /** Deleted rows are still in the files of the database: see `Dialect.purgeDeleted`. */
  deletedRows(): void
  /** Content changed: see `cache-invalidation.ts`. Resolves when this process serves the new content; never rejects. */
  invalidation(): Promise<void>
}

/** The jobs that may run in another process. */
export type WakeableJob = Exclude<keyof WakeUps, 'invalidation'>
