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

/** The backup is at fault. */
class ProofFailed extends ExplainedError {}
/** The proof could not be completed, which says nothing about the backup. */
class TestInconclusive extends ExplainedError {}

/**
 * Proves a backup by a restore test: restores it into a temporary folder as `restore` does, starts a copy of the site
 * there, and checks its database, file sizes, pages (against the live site) and signing in. The copy sends no email and
 * runs no jobs.
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
      const copy = await ctx.backups.openCopy({ dataDir, siteConfig })
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

/** Errors of this machine or of the target, such as a full disk or a timeout, which say nothing about the backup. */
const isInconclusive = (error: unknown): boolean =>
  error instanceof TestInconclusive ||
  error instanceof BackupKeyMismatch ||
  error instanceof TargetFailure ||
  isDiskFull(error) ||
  /^(EROFS|EMFILE)$/.test((error as NodeJS.ErrnoException).code ?? '') ||
  isDatabaseUnavailable(error)

async function requireFreeSpace(folder: string, bytes: number): Promise<void> {
  const lack = await findMissingSpace(folder, spaceToRestore(bytes))
  if (lack !== undefined) throw new TestInconclusive(lack)
}

/**
 * Restores an archive of this site into a new data folder, with a SQLite, and without the stored files.
 * @param findings gets the counts
 */
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

const maxDamagedListed = 1_000

/** Compares the files beside the archive, each with its hash. @param findings gets those that the next backup must write again */
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
  findings.damagedFiles = damaged.slice(0, maxDamagedListed).map(({ name }) => name)
  throw new ProofFailed(describeUnusable(damaged, Object.keys(blobFiles.blobs).length))
}

const maxDamageChars = 1_000

/** Checks the restored database. @returns its content version, which changes with everything that a page may show */
async function checkDatabase(dataDir: string, backup: CheckedBackup): Promise<number> {
  const { db, dialect } = await openCopy(dataDir)
  try {
    const damage = await dialect.findDamage(db)
    if (damage === undefined) throw new TestInconclusive({ key: 'copyNotChecked' })
    if (damage.length > 0)
      throw new ProofFailed({ key: 'copyDamaged', damage: damage.join('; ').slice(0, maxDamageChars) })
    requireMatchingBlobs(await listBlobBytes(db), backup)
    return await invalidationVersion(db)
  } finally {
    await db.destroy()
  }
}

/** Fails unless the backup contains each committed blob with the size that the database expects. */
function requireMatchingBlobs(
  expected: Map<string, number>,
  { files, manifest: { deletedBlobs } }: CheckedBackup,
): void {
  const found = new Map<string, number>()
  for (const { name, bytes } of files) {
    const blobId = name.slice(items.file('').length).split('/')[0] ?? ''
    found.set(blobId, (found.get(blobId) ?? 0) + bytes)
  }
  const other = [...expected].filter(([id, bytes]) => !deletedBlobs.includes(id) && found.get(id) !== bytes)
  if (other.length === 0) return
  const names = other
    .slice(0, 5)
    .map(([id]) => id)
    .join(', ')
  throw new ProofFailed({ key: 'filesOther', count: other.length, names })
}

/** Compares pages of the copy with the live site; differences are allowed if its content changed since the backup. */
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
    const there = await shown(copy, path)
    if (there.status !== 200) throw new ProofFailed({ key: 'copyPageBroken', path, status: there.status })
    const here = await shown(ctx.backups.live(), path)
    // Read after the live page, so that a change during the request counts too.
    const isSameContent = (await invalidationVersion(ctx.db)) === version
    if (here.status === 200 && here.text === there.text) findings.pages++
    else if (isSameContent) throw new ProofFailed({ key: 'copyPageDiffers', path })
    else findings.changedPages++
  }
}

/** Fetches a page, marked as a prefetch so that the statistics do not count it. */
async function shown(site: Pick<RunningSite, 'fetch' | 'context'>, path: string) {
  const url = new URL(encodeURI(path), site.context().origin)
  const answer = await site.fetch(new Request(url, { headers: { 'Sec-Purpose': 'prefetch' } }))
  return { status: answer.status, text: await answer.text() }
}

/** Signs in to the copy as its first user, with a password that only the copy has. */
async function signIn(copy: RunningSite, findings: ProofFindings): Promise<void> {
  const ctx = copy.context()
  const user = await findFirstActiveUser(ctx.db)
  if (!user) return
  const password = randomBytes(24).toString('base64url')
  const hash = await hashPassword(password)
  await ctx.transaction((tx) => upsertPassword(tx, user.id, { hash, chosenByOther: false }, ctx.now()))
  await turnOffTwoFactorByEmail(ctx, user.email)
  const signedIn = await copy.fetch(
    new Request(new URL('/api/login', ctx.origin), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ identifier: user.email, password }),
    }),
  )
  const cookie = signedIn.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  const me = await copy.fetch(new Request(new URL('/api/me', ctx.origin), { headers: { cookie } }))
  const found = me.status === 200 ? ((await me.json()) as { id?: number }) : {}
  if (found.id !== user.id) {
    throw new ProofFailed({ key: 'copyWithoutSignIn', signIn: signedIn.status, profile: me.status })
  }
  findings.signedIn = true
}
