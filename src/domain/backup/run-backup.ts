import { isAbsolute } from 'node:path'
import type { ProofFindings } from '../../contract/backups.ts'
import { addDays, dayAt, instantAt } from '../../contract/day.ts'
import { dayMs } from '../../contract/limits.ts'
import { defaultRetention } from '../../contract/retention.ts'
import { type Reason, reasonOf, reasonText, storedReason } from '../../i18n/reason.ts'
import type { BackupParts } from '../../platform/archive/backup-parts.ts'
import { type BackupTarget, folderTarget, ownPrefix, s3Label } from '../../platform/archive/backup-target.ts'
import { UnusableArchive } from '../../platform/archive/unusable-archive.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { record } from '../audit/record.ts'
import {
  deleteOldRuns,
  deleteRun,
  endRun,
  findWaitingRun,
  insertRun,
  interrupted,
  listDoneRuns,
  listDoneRunsAt,
  listFailedArchiveNames,
  listRunIdsBeingRead,
  listRunningRuns,
  listRunsOfDay,
  listUpdateRuns,
  type RunRow,
  updatePrefix,
  updateRun,
} from './backup-run.queries.ts'
import {
  type FoundSettings,
  findBackupSettings,
  findOrCreateSiteKey,
  openTarget,
  type StoredSettings,
} from './backup-settings.ts'
import { siteIdOf } from './contents.ts'
import { LostArchive } from './fetch-archive.ts'
import { createLease, hasLeaseExpired, withRenewedLease } from './lease.ts'
import type { MadeBackup } from './make-backup.ts'
import { listFindingsSince } from './proof.queries.ts'
import { selectRetainedBackups } from './retention.ts'

/** Dependencies for making a backup, in the server or on the command line. */
type BackupContext = Pick<Context, 'db' | 'dialect' | 'now' | 'transaction' | 'site' | 'secret'> & {
  backups: BackupParts
  uploads: Pick<Context['uploads'], 'storage'>
}

const attemptsPerDay = 3
const retryAfterMs = 30 * 60_000
/** How long failed backups and proofs stay in the list. A proof is a test restore of a backup. */
export const listRetentionMs = 90 * 24 * 60 * 60_000

/** A backup run that a process has claimed, with the settings at that time. It is JSON, to be passed to a child process. */
export interface ClaimedBackup {
  run: RunRow
  settings: StoredSettings
}

/**
 * Makes the queued or scheduled backup, if one is due; only one runs at a time across all instances. A scheduled backup is
 * made once a day, late if no server ran at its time, and retried twice when it fails.
 * @param perform makes the backup and stores its outcome: `performBackup`, in this process or in a child process. It
 * rejects when that process died.
 * @returns the run as it was claimed, without its outcome; undefined when nothing was due
 */
export async function runDueBackup(
  ctx: BackupContext & Pick<Context, 'log'>,
  signal?: AbortSignal,
  perform: (claimed: ClaimedBackup) => Promise<void> = (claimed) => performBackup(ctx, claimed, signal),
): Promise<RunRow | undefined> {
  const claimed = await claimRun(ctx)
  if (!claimed) return undefined
  const { run } = claimed
  await renewLeaseDuring(ctx, run, () => perform(claimed)).catch((error) => recordFailure(ctx, run, error, signal))
  return run
}

/** Makes a claimed backup, stores its outcome, and removes older backups. Never rejects. */
export async function performBackup(
  ctx: BackupContext & Pick<Context, 'log'>,
  { run, settings }: ClaimedBackup,
  signal?: AbortSignal,
): Promise<void> {
  let target: BackupTarget | undefined
  try {
    target = await openTarget(ctx, settings)
    await performRun(ctx, run, target, { separateFiles: true, signal })
    await applyRetention(ctx, settings, target, run).catch((error) =>
      ctx.log.warn({ err: error }, 'older backups were not removed'),
    )
  } catch (error) {
    await recordFailure(ctx, run, error, signal)
  } finally {
    target?.close()
  }
}

/**
 * Makes a backup for the command line, into any folder, even while another backup runs. Its archive contains all files,
 * so that it can be moved alone.
 * @param prefix the beginning of its file name
 * @throws whatever made it fail, after storing that
 */
export async function backUpTo(
  ctx: BackupContext,
  folder: string,
  prefix = ownPrefix,
): Promise<MadeBackup & { name: string }> {
  const now = ctx.now()
  const target = folderTarget(folder)
  const row = { ...startedRun('command', now), name: archiveName(now, prefix), target: target.label }
  const run = await ctx.transaction(async (tx) => insertRun(tx, { ...row, ...(await createLease(ctx, tx)) }))
  try {
    return { ...(await renewLeaseDuring(ctx, run, () => performRun(ctx, run, target, {}))), name: run.name }
  } catch (error) {
    await markFailed(ctx, run, error)
    throw error
  }
}

const maxUpdateBackups = 3

/**
 * As `backUpTo`, before an update; all but the newest `maxUpdateBackups` of earlier updates are removed.
 * @returns `notRemoved`: why one could not be removed; the new backup is good all the same
 */
export async function backUpForUpdate(
  ctx: BackupContext,
  folder: string,
): Promise<MadeBackup & { name: string; notRemoved: string | undefined }> {
  const made = await backUpTo(ctx, folder, updatePrefix)
  const notRemoved = await removeOldUpdateBackups(ctx, folder).then(
    () => undefined,
    (error: Error) => error.message,
  )
  return { ...made, notRemoved }
}

async function removeOldUpdateBackups(ctx: BackupContext, folder: string): Promise<void> {
  const target = folderTarget(folder)
  const stored = new Set((await target.list('')).map(({ name }) => name))
  // Other archives were moved away, or belong to another machine with the same database and another folder at this path.
  const runs = (await listUpdateRuns(ctx.db, target.label)).filter(({ name }) => stored.has(name))
  const beingRead = await listRunIdsBeingRead(ctx.db, await ctx.dialect.clock(ctx.db))
  const retainedSince = oldestRetainedAt(ctx)
  for (const [index, run] of runs.entries()) {
    const isRetained = index < maxUpdateBackups && Date.parse(run.asked_at) >= retainedSince
    if (isRetained || beingRead.has(run.id)) continue
    await target.remove(run.name)
    await deleteRun(ctx.db, run.id)
  }
}

/** The time before which backups must be removed, by the period in the privacy statement; in milliseconds. */
const oldestRetainedAt = ({ site, now }: Pick<Context, 'site' | 'now'>): number =>
  now().getTime() - (site.retention ?? defaultRetention).backupDays * dayMs

/** The names of the blob files at a target that proofs found damaged since its newest backup. */
async function listDamagedFiles(db: Context['db'], target: string): Promise<Set<string>> {
  const newest = (await listDoneRunsAt(db, target))[0]?.finished_at
  const findingsList = newest ? await listFindingsSince(db, target, newest) : []
  return new Set(findingsList.flatMap((findings) => (JSON.parse(findings) as ProofFindings).damagedFiles ?? []))
}

const archiveName = (at: Date, prefix = ownPrefix): string =>
  `${prefix}${at.toISOString().replaceAll(':', '-')}.tar.age`

/** The columns of a run that starts now. */
const startedRun = (madeBy: RunRow['made_by'], now: Date) =>
  ({
    made_by: madeBy,
    state: 'running',
    asked_at: now.toISOString(),
    started_at: now.toISOString(),
    name: archiveName(now),
  }) as const

/** Claims the queued or due backup for this process. */
async function claimRun(ctx: BackupContext): Promise<ClaimedBackup | undefined> {
  return ctx.transaction(async (tx) => {
    await ctx.dialect.lock(tx, 'backups')
    if (await failExpiredRuns(ctx, tx)) return undefined
    const now = ctx.now()
    const stored = await findBackupSettings(ctx, tx)
    const { settings } = stored
    const targetAndLease = async () => ({ target: targetLabel(settings), ...(await createLease(ctx, tx)) })

    const waiting = await findWaitingRun(tx)
    if (waiting) {
      const change = { ...startedRun('hand', now), asked_at: waiting.asked_at, ...(await targetAndLease()) }
      await updateRun(tx, waiting.id, change)
      return { run: { ...waiting, ...change }, settings }
    }
    const due = await findDueAttempt(tx, stored, now)
    if (!due) return undefined
    const run = await insertRun(tx, { ...startedRun('clock', now), ...due, ...(await targetAndLease()) })
    return { run, settings }
  })
}

/** The label of the target, as runs store it: an absolute path, or the address of a bucket without credentials. */
export const targetLabel = (settings: StoredSettings): string =>
  settings.kind === 'folder' ? settings.folder : s3Label(settings)

/**
 * Opens the target of a backup: its folder, or the configured bucket.
 * @throws {LostArchive} when the backup is in another bucket
 */
export async function openTargetOf(
  ctx: Pick<Context, 'secret'>,
  settings: StoredSettings,
  { target }: Pick<RunRow, 'target'>,
): Promise<BackupTarget> {
  if (isAbsolute(target)) return folderTarget(target)
  if (target !== targetLabel(settings)) throw new LostArchive({ key: 'targetChanged', target })
  return openTarget(ctx, settings)
}

/** Marks the running backups whose lease expired as failed. @returns whether another one runs, except of the command line */
export async function failExpiredRuns(ctx: Pick<Context, 'dialect' | 'now'>, tx: Transaction): Promise<boolean> {
  let isRunning = false
  for (const run of await listRunningRuns(tx)) {
    if (await hasLeaseExpired(ctx, tx, run)) await markFailedIn(tx, ctx, run, interrupted)
    else isRunning ||= run.made_by !== 'command'
  }
  return isRunning
}

/** The day and the number of the scheduled attempt that is due; undefined when none is. */
async function findDueAttempt(tx: Transaction, { settings, since }: FoundSettings, now: Date) {
  const scheduled = since && lastScheduledTime(settings.time, now)
  if (!since || !scheduled || scheduled.at < since) return undefined
  const runsOfDay = await listRunsOfDay(tx, scheduled.day)
  const attempt = (runsOfDay.at(-1)?.attempt ?? 0) + 1
  // Earlier runs of this day belong to a previous scheduled time, before the settings were changed.
  const runs = runsOfDay.filter(({ asked_at: at }) => Date.parse(at) >= scheduled.at.getTime())
  const newest = runs.at(-1)
  if (!newest) return { day: scheduled.day, attempt }
  const mayRetry = newest.state === 'failed' && runs.length < attemptsPerDay
  const retryAt = Date.parse(newest.finished_at ?? newest.asked_at) + retryAfterMs
  return mayRetry && now.getTime() >= retryAt ? { day: scheduled.day, attempt } : undefined
}

/** The most recent scheduled time, today or yesterday. @param time of day, such as `03:00` */
export function lastScheduledTime(time: string, now: Date): { day: string; at: Date } {
  const today = dayAt(now)
  const at = instantAt(today, time)
  if (at <= now) return { day: today, at }
  const yesterday = addDays(today, -1)
  return { day: yesterday, at: instantAt(yesterday, time) }
}

/** The next scheduled time, even if the last one is still due; undefined without a schedule. */
export function nextBackupAt({ settings, since }: FoundSettings, now: Date): Date | undefined {
  if (!since) return undefined
  return instantAt(addDays(lastScheduledTime(settings.time, now).day, 1), settings.time)
}

interface ArchiveOptions {
  /** Stores the files in blob files next to the archive; see `makeBackup`. */
  separateFiles?: boolean
  signal?: AbortSignal | undefined
}

const renewLeaseDuring = <T>(ctx: BackupContext, run: RunRow, work: () => Promise<T>): Promise<T> =>
  withRenewedLease(ctx, (lease) => updateRun(ctx.db, run.id, lease), work)

/** Writes the archive of a run, and marks the run as done. @throws when the run was given up meanwhile */
async function performRun(
  ctx: BackupContext,
  run: RunRow,
  target: BackupTarget,
  options: ArchiveOptions,
): Promise<MadeBackup> {
  const made = await makeArchive(ctx, run, target, options)
  const isDone = await endRun(ctx.db, run.id, {
    state: 'done',
    finished_at: ctx.now().toISOString(),
    lease_until: null,
    bytes: made.bytes,
    row_count: made.rows,
    file_count: made.files,
    hash: made.hash,
    error: '',
  })
  // Its lease expired, so another process marked it as failed and may have removed blob files that it lists.
  if (!isDone) {
    await target.remove(run.name)
    throw new Error(interrupted)
  }
  return made
}

async function makeArchive(
  ctx: BackupContext,
  run: RunRow,
  target: BackupTarget,
  { separateFiles, signal }: ArchiveOptions,
): Promise<MadeBackup> {
  const damaged = separateFiles && (await listDamagedFiles(ctx.db, run.target))
  const { db, dialect } = await ctx.backups.openDatabase()
  try {
    // Imported here, because few processes need the encryption library.
    const { makeBackup } = await import('./make-backup.ts')
    return await makeBackup(
      {
        db,
        dialect,
        now: ctx.now,
        storage: ctx.uploads.storage,
        secret: ctx.secret,
        siteName: ctx.site.brand,
        configuration: ctx.backups.configuration(),
      },
      {
        ...{ target, name: run.name, key: await findOrCreateSiteKey(ctx) },
        ...(damaged && { separateFiles: { damaged } }),
        ...(signal && { signal }),
      },
    )
  } finally {
    await db.destroy()
  }
}

/** Marks a run as failed and logs it, unless it had ended already. */
async function recordFailure(
  ctx: BackupContext & Pick<Context, 'log'>,
  run: RunRow,
  error: unknown,
  signal: AbortSignal | undefined,
): Promise<void> {
  const isFailed = await markFailed(ctx, run, signal?.aborted ? new Error(interrupted) : error)
  if (isFailed) ctx.log.error({ err: error, backup: run.name }, 'the backup failed')
}

/** Marks a run as failed; without database, `failExpiredRuns` does so later. @returns false when the run had ended already */
const markFailed = (ctx: BackupContext, run: RunRow, error: unknown): Promise<boolean> =>
  ctx.transaction((tx) => markFailedIn(tx, ctx, run, reasonOf(error))).catch(() => true)

/** `markFailed` in a transaction. @returns false, and does nothing, when the run has ended already */
async function markFailedIn(
  tx: Transaction,
  ctx: Pick<Context, 'now'>,
  run: RunRow,
  reason: Reason | string,
): Promise<boolean> {
  const isFailed = await endRun(tx, run.id, {
    state: 'failed',
    finished_at: ctx.now().toISOString(),
    lease_until: null,
    error: storedReason(reason),
  })
  if (!isFailed) return false
  await record(
    tx,
    { now: ctx.now, actor: undefined },
    {
      action: 'backup.failed',
      subject: { type: 'backup', id: run.id, name: run.name },
      after: { target: run.target, reason: reasonText(reason, 'en').slice(0, 1_000) },
    },
  )
  return true
}

/**
 * Removes older backups: at the target by the retention rule, elsewhere the expired ones. Only recorded archives are
 * removed.
 */
async function applyRetention(
  ctx: BackupContext & Pick<Context, 'log'>,
  settings: StoredSettings,
  target: BackupTarget,
  newest: RunRow,
): Promise<void> {
  const done = (await listDoneRunsAt(ctx.db, target.label)).map((run) => ({
    ...run,
    madeAt: new Date(run.started_at ?? run.asked_at),
  }))
  const retainedSince = oldestRetainedAt(ctx)
  const retained = selectRetainedBackups(
    done.filter(({ madeAt }) => madeAt.getTime() >= retainedSince),
    settings,
  )
  // Without today's run, today's scheduled backup would be made again.
  const { day: today } = lastScheduledTime(settings.time, ctx.now())
  try {
    // A backup that a process reads is removed after the next run.
    const beingRead = await listRunIdsBeingRead(ctx.db, await ctx.dialect.clock(ctx.db))
    for (const run of done) {
      if (retained.has(run) || run.day === today || beingRead.has(run.id)) continue
      await target.remove(run.name)
      await deleteRun(ctx.db, run.id)
    }
    const remaining = await listDoneRunsAt(ctx.db, target.label)
    const unrecorded = new Set((await target.list('')).map(({ name }) => name))
    for (const { name } of remaining) unrecorded.delete(name)
    for (const name of await listFailedArchiveNames(ctx.db, target.label)) {
      if (unrecorded.has(name)) await target.remove(name)
    }
    const keyedTarget = { target, key: await findOrCreateSiteKey(ctx) }
    // An archive of an earlier key cannot be read, and its blob files are in another folder.
    const { recipientSince } = (await findBackupSettings(ctx, ctx.db)).settings
    const archives = new Set(
      remaining.filter((run) => (run.started_at ?? '') >= recipientSince).map(({ name }) => name),
    )
    const { removeUnusedBlobFiles } = await import('./blob-files.ts')
    await removeUnusedBlobFiles(keyedTarget, siteIdOf(ctx.secret), newest.name, archives)
  } catch (error) {
    // The new backup is good, and the next run tries again. Only staff can mend an unreadable archive, so they are told of it.
    if (error instanceof UnusableArchive) {
      await updateRun(ctx.db, newest.id, { retention_error: storedReason(error.reason) })
    }
    ctx.log.warn({ err: error }, 'older backups, or files of theirs, were not removed')
  }
  await removeExpiredElsewhere(ctx, target)
  const areUpdateBackupsRemoved = await removeOldUpdateBackups(ctx, ctx.backups.defaultFolder).then(
    () => true,
    (error: unknown) => {
      ctx.log.warn({ err: error }, 'older backups of updates were not removed')
      return false
    },
  )
  await deleteOldRuns(ctx.db, {
    before: new Date(ctx.now().getTime() - listRetentionMs),
    // An archive is found by its row, so no row of such a backup is deleted (before 1970) until the archives are removed.
    updatesBefore: new Date(areUpdateBackupsRemoved ? retainedSince - listRetentionMs : 0),
  })
}

/**
 * Removes expired backups from folders that are no longer the target. A bucket that is no longer configured cannot be
 * opened.
 */
async function removeExpiredElsewhere(
  ctx: BackupContext & Pick<Context, 'log'>,
  current: Pick<BackupTarget, 'label'>,
): Promise<void> {
  const retainedSince = oldestRetainedAt(ctx)
  const madeAt = (run: RunRow) => Date.parse(run.started_at ?? run.asked_at)
  const elsewhere = (await listDoneRuns(ctx.db)).filter(
    ({ target, made_by }) => target !== current.label && isAbsolute(target) && made_by !== 'command',
  )
  const beingRead = await listRunIdsBeingRead(ctx.db, await ctx.dialect.clock(ctx.db))
  for (const [label, runs] of Map.groupBy(elsewhere, ({ target }) => target)) {
    const expired = runs.filter((run) => madeAt(run) < retainedSince && !beingRead.has(run.id))
    if (expired.length === 0) continue
    try {
      const target = folderTarget(label)
      const stored = new Set((await target.list('')).map(({ name }) => name))
      // An archive that is not found may be on a disk that is not connected now, so its row stays for a while.
      const removed = expired.filter((run) => stored.has(run.name) || madeAt(run) < retainedSince - listRetentionMs)
      for (const run of removed) await target.remove(run.name)
      const notFound = removed.filter(({ name }) => !stored.has(name)).map(({ name }) => name)
      if (notFound.length > 0)
        ctx.log.warn({ target: label, names: notFound }, 'expired backups were not found, and are forgotten')
      const keyedTarget = { target, key: await findOrCreateSiteKey(ctx) }
      const { recipientSince } = (await findBackupSettings(ctx, ctx.db)).settings
      const remaining = runs.filter((run) => !removed.includes(run) && (run.started_at ?? '') >= recipientSince)
      const { removeUnusedBlobFiles } = await import('./blob-files.ts')
      await removeUnusedBlobFiles(
        keyedTarget,
        siteIdOf(ctx.secret),
        ctx.now(),
        new Set(remaining.map(({ name }) => name)),
      )
      for (const run of removed) await deleteRun(ctx.db, run.id)
    } catch (error) {
      ctx.log.warn({ err: error, target: label }, 'backups at an earlier target, or files of theirs, were not removed')
    }
  }
}
