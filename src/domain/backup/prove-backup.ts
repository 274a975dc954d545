import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ProofFindings } from '../../contract/backups.ts'
import { ExplainedError, type Reason, reasonOf } from '../../i18n/reason.ts'
import type { BackupParts } from '../../platform/archive/backup-parts.ts'
import { type BackupTarget, TargetFailure } from '../../platform/archive/backup-target.ts'
import { hashPassword } from '../../platform/auth/password.ts'
import { invalidationVersion } from '../../platform/cache-invalidation.ts'
import type { Context, RunningSite } from '../../platform/context.ts'
import { isDatabaseUnavailable, isDiskFull } from '../../platform/db/database.ts'
import { listSitemapEntries } from '../pages/find-live-page.ts'
import { turnOffTwoFactorByEmail } from '../profile/turn-off-user-two-factor.ts'
import { upsertPassword } from '../sign-in/account.queries.ts'
import { interrupted } from './backup-run.queries.ts'
import { BackupKeyMismatch, findOrCreateSiteKey } from './backup-settings.ts'
import { describeUnusable, listUnusableBlobFiles } from './blob-files.ts'
import { type CheckedBackup, checkBackup } from './check-backup.ts'
import { items } from './contents.ts'
import { fetchArchive, type StoredArchive, sizeOfArchive } from './fetch-archive.ts'
import { readJournalAt } from './journal.ts'
import { findFirstActiveUser, listBlobBytes } from './proof.queries.ts'
import { findMissingSpace, openCopy, restoreToTemporaryCopy, spaceToRestore } from './restore-to-temporary-copy.ts'

export type ProofContext = Pick<Context, 'db' | 'dialect' | 'now' | 'transaction' | 'backups' | 'uploads' | 'wake'>

export type Proof = ProofFindings & { outcome: 'proved' | 'failed' | 'unknown'; reason: Reason | string }

const maxPagesCompared = 10

/** The proof found a fault of the backup. */
class ProofFailed extends ExplainedError {}
/** The proof could not be completed, for a reason that says nothing about the backup. */
class ProofInconclusive extends ExplainedError {}

/**
 * Proves a backup by a test restore: restores it into a temporary folder as the command `restore` does, starts a copy
 * of the site there, and checks its database, files, pages (against the live site) and signing in. The copy sends no
 * email and runs no jobs.
 * @returns also when it fails, with the findings up to that point
 */
export async function proveBackup(ctx: ProofContext, from: StoredArchive, signal?: AbortSignal): Promise<Proof> {
  const findings: ProofFindings = { rows: 0, files: 0, pages: 0, changedPages: 0, signedIn: false }
  try {
    await ctx.uploads.temporaryFiles.withFolder(async (folder) => {
      const bytes = await sizeOfArchive(from)
      await requireFreeSpace(folder, bytes)
      const dataDir = join(folder, 'site')
      const path = await fetchArchive(from, { bytes, folder, signal })
      const backup = await restoreCopy(ctx, from.target, path, dataDir, findings, signal)
      signal?.throwIfAborted()
      await checkBlobFiles(ctx, from.target, backup, findings, signal)
      const version = await checkDatabase(dataDir, backup)
      const siteConfig = join(dataDir, 'site.config.json')
      await writeFile(siteConfig, backup.configuration)
      const copy = await ctx.backups.startSiteCopy({ dataDir, siteConfig })
      try {
        await comparePages(ctx, copy, version, findings, signal)
        await signIn(copy, findings)
      } finally {
        await copy.stop()
      }
    })
    return { ...findings, outcome: 'proved', reason: '' }
  } catch (error) {
    const isUnknown = signal?.aborted || isInconclusive(error)
    const reason = signal?.aborted ? interrupted : reasonOf(error)
    return { ...findings, outcome: isUnknown ? 'unknown' : 'failed', reason }
  }
}

/**
 * Whether an error is of this machine or the target, such as a full disk or a timeout, and so says nothing about the
 * backup.
 */
const isInconclusive = (error: unknown): boolean =>
  error instanceof ProofInconclusive ||
  error instanceof BackupKeyMismatch ||
  error instanceof TargetFailure ||
  isDiskFull(error) ||
  /^(EROFS|EMFILE)$/.test((error as NodeJS.ErrnoException).code ?? '') ||
  isDatabaseUnavailable(error)

async function requireFreeSpace(folder: string, bytes: number): Promise<void> {
  const missingSpace = await findMissingSpace(folder, spaceToRestore(bytes))
  if (missingSpace !== undefined) throw new ProofInconclusive(missingSpace)
}

/** Restores an archive into a new data folder with SQLite, without the stored files. @param findings receives rows and files */
export async function restoreCopy(
  ctx: Pick<ProofContext, 'dialect' | 'transaction' | 'now'> & { backups: BackupParts },
  target: BackupTarget,
  path: string,
  dataDir: string,
  findings: Partial<ProofFindings> = {},
  signal?: AbortSignal,
): Promise<CheckedBackup> {
  const key = await findOrCreateSiteKey(ctx)
  const backup = await checkBackup(path, key.identity, signal)
  const journal = await readJournalAt(target, key.identity, backup.header.siteId)
  const from = { path, identity: key.identity, backup, journal, ...(signal && { signal }) }
  const restored = await restoreToTemporaryCopy(ctx, from, dataDir)
  findings.rows = restored.rows
  findings.files = restored.files
  return backup
}

const maxDamagedFiles = 1_000

/** Checks the hash of every blob file. @param findings receives damaged ones, for the next backup @throws {ProofFailed} */
async function checkBlobFiles(
  ctx: ProofContext,
  target: BackupTarget,
  { blobFiles }: CheckedBackup,
  findings: ProofFindings,
  signal?: AbortSignal,
): Promise<void> {
  if (!blobFiles) return
  const { identity } = await findOrCreateSiteKey(ctx)
  const damaged = await listUnusableBlobFiles({ target, identity, ...(signal && { signal }) }, blobFiles)
  if (damaged.length === 0) return
  findings.damagedFiles = damaged.slice(0, maxDamagedFiles).map(({ name }) => name)
  throw new ProofFailed(describeUnusable(damaged, Object.keys(blobFiles.blobs).length))
}

const maxDamageChars = 1_000

/** Checks the restored database. @returns its invalidation version, which changes with everything that a page may show */
async function checkDatabase(dataDir: string, backup: CheckedBackup): Promise<number> {
  const { db, dialect } = await openCopy(dataDir)
  try {
    const damage = await dialect.findDamage(db)
    if (damage === undefined) throw new ProofInconclusive({ key: 'copyNotChecked' })
    if (damage.length > 0)
      throw new ProofFailed({ key: 'copyDamaged', damage: damage.join('; ').slice(0, maxDamageChars) })
    requireMatchingBlobs(await listBlobBytes(db), backup)
    return await invalidationVersion(db)
  } finally {
    await db.destroy()
  }
}

/** @throws {ProofFailed} unless the backup contains each committed blob with the size that the database expects */
function requireMatchingBlobs(
  expected: Map<string, number>,
  { files, manifest: { deletedBlobs } }: CheckedBackup,
): void {
  const actual = new Map<string, number>()
  for (const { name, bytes } of files) {
    const blobId = name.slice(items.file('').length).split('/')[0] ?? ''
    actual.set(blobId, (actual.get(blobId) ?? 0) + bytes)
  }
  const mismatches = [...expected].filter(([id, bytes]) => !deletedBlobs.includes(id) && actual.get(id) !== bytes)
  if (mismatches.length === 0) return
  const names = mismatches
    .slice(0, 5)
    .map(([id]) => id)
    .join(', ')
  throw new ProofFailed({ key: 'filesOther', count: mismatches.length, names })
}

/**
 * Compares pages of the copy with the live site. Differences are allowed if its content changed since the backup.
 * @param version the invalidation version of the copy
 */
async function comparePages(
  ctx: ProofContext,
  copy: RunningSite,
  version: number,
  findings: ProofFindings,
  signal?: AbortSignal,
): Promise<void> {
  await ctx.wake.invalidation()
  for (const { path } of await listSitemapEntries(copy.context(), { offset: 0, limit: maxPagesCompared })) {
    signal?.throwIfAborted()
    const copied = await fetchPage(copy, path)
    if (copied.status !== 200) throw new ProofFailed({ key: 'copyPageBroken', path, status: copied.status })
    const live = await fetchPage(ctx.backups.liveSite(), path)
    // Read after the live page, so that a change during the request counts too.
    const isSameContent = (await invalidationVersion(ctx.db)) === version
    if (live.status === 200 && live.text === copied.text) findings.pages++
    else if (isSameContent) throw new ProofFailed({ key: 'copyPageDiffers', path })
    else findings.changedPages++
  }
}

/** Fetches a page, marked as a prefetch so that the statistics do not count it. */
async function fetchPage(site: Pick<RunningSite, 'fetch' | 'context'>, path: string) {
  const url = new URL(encodeURI(path), site.context().origin)
  const response = await site.fetch(new Request(url, { headers: { 'Sec-Purpose': 'prefetch' } }))
  return { status: response.status, text: await response.text() }
}

/** Signs in to the copy as its first active user, with a new password that only the copy has. @throws {ProofFailed} */
async function signIn(copy: RunningSite, findings: ProofFindings): Promise<void> {
  const ctx = copy.context()
  const user = await findFirstActiveUser(ctx.db)
  if (!user) return
  const password = randomBytes(24).toString('base64url')
  const hash = await hashPassword(password)
  await ctx.transaction((tx) => upsertPassword(tx, user.id, { hash, chosenByOther: false }, ctx.now()))
  await turnOffTwoFactorByEmail(ctx, user.email)
  const loginResponse = await copy.fetch(
    new Request(new URL('/api/login', ctx.origin), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ identifier: user.email, password }),
    }),
  )
  const cookie = loginResponse.headers
    .getSetCookie()
    .map((header) => header.split(';')[0])
    .join('; ')
  const profileResponse = await copy.fetch(new Request(new URL('/api/me', ctx.origin), { headers: { cookie } }))
  const profile = profileResponse.status === 200 ? ((await profileResponse.json()) as { id?: number }) : {}
  if (profile.id !== user.id) {
    throw new ProofFailed({ key: 'copyWithoutSignIn', signIn: loginResponse.status, profile: profileResponse.status })
  }
  findings.signedIn = true
}
