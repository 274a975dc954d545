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
  findWaiting,
  insertRun,
  interrupted,
  listDone,
  listDoneAt,
  listFailedNames,
  listReadRuns,
  listRunning,
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
import { hasLeaseEnded, leaseFrom, whileRenewed } from './lease.ts'
import type { MadeBackup } from './make-backup.ts'
import { listFindingsSince } from './proof.queries.ts'
import { selectRetainedBackups } from './retention.ts'

/** The dependencies of a backup, in the server and on the command line. */
export type BackupContext = Pick<Context, 'db' | 'dialect' | 'now' | 'transaction' | 'site' | 'secret'> & {
  backups: BackupParts
  uploads: Pick<Context['uploads'], 'storage'>
}

const attemptsPerDay = 3
const retryAfterMs = 30 * 60_000
/** How long failed backups and proofs stay in the list. */
export const listRetentionMs = 90 * 24 * 60 * 60_000

/** A backup that a process has claimed, with the settings of that moment. It may be sent to another process. */
export interface ClaimedBackup {
  run: RunRow
  settings: StoredSettings
}

/**
 * Makes the queued or scheduled backup, if one is due; only one runs at a time across all instances. A scheduled backup is
 * made once a day, late if the program was not running at its time, and retried twice when it fails.
 * @param perform makes the backup and records its outcome: `performBackup`, in this process or in another one. It rejects when that
 * process died.
 * @returns the run as it was claimed; undefined when nothing was due
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

/** Makes a claimed backup, records its outcome, and removes older backups. Never rejects. */
export async function performBackup(
  ctx: BackupContext & Pick<Context, 'log'>,
  { run, settings }: ClaimedBackup,
  signal?: AbortSignal,
): Promise<void> {
  let target: BackupTarget | undefined
  try {
    target = await openTarget(ctx, settings)
    await performRun(ctx, run, target, { beside: true, signal })
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
 * Makes a backup for the command line, into any folder, even while another backup runs. Its archive has all files itself: it is
 * moved alone.
 * @param prefix of its name
 */
export async function backUpTo(
  ctx: BackupContext,
  folder: string,
  prefix = ownPrefix,
): Promise<MadeBackup & { name: string }> {
  const now = ctx.now()
  const target = folderTarget(folder)
  const names = { ...begun('command', now), name: archiveName(now, prefix), target: target.label }
  const run = await ctx.transaction(async (tx) => insertRun(tx, { ...names, ...(await leaseFrom(ctx, tx)) }))
  try {
    return { ...(await renewLeaseDuring(ctx, run, () => performRun(ctx, run, target, {}))), name: run.name }
  } catch (error) {
    await fail(ctx, run, error)
    throw error
  }
}

const maxUpdateBackups = 3

/**
 * As `backUpTo`, before an update; the backups of earlier updates are removed from that folder, but for the newest ones.
 * @returns with `notRemoved` why one of them could not be removed; the new backup is good
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
  // Others were moved away, or are those of a copy of the program that has a folder of its own at this path.
  const runs = (await listUpdateRuns(ctx.db, target.label)).filter(({ name }) => stored.has(name))
  const read = await listReadRuns(ctx.db, await ctx.dialect.clock(ctx.db))
  const oldest = oldestRetained(ctx)
  for (const [index, run] of runs.entries()) {
    const isRetained = index < maxUpdateBackups && Date.parse(run.asked_at) >= oldest
    if (isRetained || read.has(run.id)) continue
    await target.remove(run.name)
    await deleteRun(ctx.db, run.id)
  }
}

/** The time of the oldest backup that the privacy statement allows. */
const oldestRetained = ({ site, now }: Pick<Context, 'site' | 'now'>): number =>
  now().getTime() - (site.retention ?? defaultRetention).backupDays * dayMs

/** The files beside the archives of a target that proofs found damaged since its newest backup. */
async function listDamagedFiles(db: Context['db'], target: string): Promise<Set<string>> {
  const newest = (await listDoneAt(db, target))[0]?.finished_at
  const found = newest ? await listFindingsSince(db, target, newest) : []
  return new Set(found.flatMap((findings) => (JSON.parse(findings) as ProofFindings).damagedFiles ?? []))
}

const archiveName = (at: Date, prefix = ownPrefix): string =>
  `${prefix}${at.toISOString().replaceAll(':', '-')}.tar.age`

const begun = (madeBy: RunRow['made_by'], now: Date) =>
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
    if (await isBackupRunning(ctx, tx)) return undefined
    const now = ctx.now()
    const found = await findBackupSettings(ctx, tx)
    const { settings } = found
    const start = async () => ({ target: labelOf(settings), ...(await leaseFrom(ctx, tx)) })

    const waiting = await findWaiting(tx)
    if (waiting) {
      const change = { ...begun('hand', now), asked_at: waiting.asked_at, ...(await start()) }
      await updateRun(tx, waiting.id, change)
      return { run: { ...waiting, ...change }, settings }
    }
    const due = await findDueSchedule(tx, found, now)
    return due && { run: await insertRun(tx, { ...begun('clock', now), ...due, ...(await start()) }), settings }
  })
}

/** The label of the target in the list of backups, without credentials. */
export const labelOf = (settings: StoredSettings): string =>
  settings.kind === 'folder' ? settings.folder : s3Label(settings)

/** Opens the target of a backup: its folder, or the configured bucket. @throws {LostArchive} when it is in another bucket */
export async function openTargetOf(
  ctx: Pick<Context, 'secret'>,
  settings: StoredSettings,
  { target }: Pick<RunRow, 'target'>,
): Promise<BackupTarget> {
  if (isAbsolute(target)) return folderTarget(target)
  if (target !== labelOf(settings)) throw new LostArchive({ key: 'targetChanged', target })
  return openTarget(ctx, settings)
}

/** Whether a backup runs, other than one of the command line. Runs whose lease expired are marked as failed. */
export async function isBackupRunning(ctx: Pick<Context, 'dialect' | 'now'>, tx: Transaction): Promise<boolean> {
  let isRunning = false
  for (const run of await listRunning(tx)) {
    if (await hasLeaseEnded(ctx, tx, run)) await failIn(tx, ctx, run, interrupted)
    else isRunning ||= run.made_by !== 'command'
  }
  return isRunning
}

async function findDueSchedule(tx: Transaction, found: FoundSettings, now: Date) {
  const moment = found.since && lastScheduledTime(found.settings.time, now)
  if (!found.since || !moment || moment.at < found.since) return undefined
  const ofDay = await listRunsOfDay(tx, moment.day)
  const attempt = (ofDay.at(-1)?.attempt ?? 0) + 1
  // Earlier runs of this day belong to a previous scheduled time, before the settings were changed.
  const runs = ofDay.filter(({ asked_at: at }) => Date.parse(at) >= moment.at.getTime())
  const newest = runs.at(-1)
  if (!newest) return { day: moment.day, attempt }
  const isTriedAgain = newest.state === 'failed' && runs.length < attemptsPerDay
  const pausedUntil = Date.parse(newest.finished_at ?? newest.asked_at) + retryAfterMs
  return isTriedAgain && now.getTime() >= pausedUntil ? { day: moment.day, attempt } : undefined
}

/** The most recent scheduled time. */
export function lastScheduledTime(time: string, now: Date): { day: string; at: Date } {
  const today = dayAt(now)
  const at = instantAt(today, time)
  if (at <= now) return { day: today, at }
  const yesterday = addDays(today, -1)
  return { day: yesterday, at: instantAt(yesterday, time) }
}

/** The next scheduled time; undefined without a schedule. */
export function nextBackupAt({ settings, since }: FoundSettings, now: Date): Date | undefined {
  if (!since) return undefined
  return instantAt(addDays(lastScheduledTime(settings.time, now).day, 1), settings.time)
}

interface ArchiveOptions {
  /** Stores the files beside the archive; see `makeBackup`. */
  beside?: boolean
  signal?: AbortSignal | undefined
}

const renewLeaseDuring = <T>(ctx: BackupContext, run: RunRow, work: () => Promise<T>): Promise<T> =>
  whileRenewed(ctx, (lease) => updateRun(ctx.db, run.id, lease), work)

/** Writes the archive of a run, and records that it is done. */
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
  // Its lease ended, and another process may have removed files that it uses.
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
  { beside, signal }: ArchiveOptions,
): Promise<MadeBackup> {
  const damaged = beside && (await listDamagedFiles(ctx.db, run.target))
  const { db, dialect } = await ctx.backups.openDatabase()
  try {
    // Encryption is loaded when it is needed.
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
        ...(damaged && { beside: { damaged } }),
        ...(signal && { signal }),
      },
    )
  } finally {
    await db.destroy()
  }
}

async function recordFailure(
  ctx: BackupContext & Pick<Context, 'log'>,
  run: RunRow,
  error: unknown,
  signal: AbortSignal | undefined,
): Promise<void> {
  const isFailed = await fail(ctx, run, signal?.aborted ? new Error(interrupted) : error)
  if (isFailed) ctx.log.error({ err: error, backup: run.name }, 'the backup failed')
}

/**
 * If the database is unavailable, the run is marked as failed later, when its lease has expired.
 * @returns false when the run had ended already
 */
const fail = (ctx: BackupContext, run: RunRow, error: unknown): Promise<boolean> =>
  ctx.transaction((tx) => failIn(tx, ctx, run, reasonOf(error))).catch(() => true)

/** @returns false, and does nothing, when the run has ended already */
async function failIn(
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
 * Removes older backups after a verified one: by the rule at its target, and elsewhere those that are too old. Only files that this
 * program made are removed.
 */
async function applyRetention(
  ctx: BackupContext & Pick<Context, 'log'>,
  settings: StoredSettings,
  target: BackupTarget,
  newest: RunRow,
): Promise<void> {
  const done = (await listDoneAt(ctx.db, target.label)).map((run) => ({
    ...run,
    madeAt: new Date(run.started_at ?? run.asked_at),
  }))
  const oldest = oldestRetained(ctx)
  const retained = selectRetainedBackups(
    done.filter(({ madeAt }) => madeAt.getTime() >= oldest),
    settings,
  )
  // Today's run stays, because today's scheduled backup would be made again without it.
  const { day: today } = lastScheduledTime(settings.time, ctx.now())
  try {
    // Their rows say that they are read, and the next run removes them.
    const read = await listReadRuns(ctx.db, await ctx.dialect.clock(ctx.db))
    for (const run of done) {
      if (retained.has(run) || run.day === today || read.has(run.id)) continue
      await target.remove(run.name)
      await deleteRun(ctx.db, run.id)
    }
    const left = await listDoneAt(ctx.db, target.label)
    const stored = new Set((await target.list('')).map(({ name }) => name))
    for (const { name } of left) stored.delete(name)
    for (const name of await listFailedNames(ctx.db, target.label)) if (stored.has(name)) await target.remove(name)
    const at = { target, key: await findOrCreateSiteKey(ctx) }
    // An archive of an earlier key cannot be read, and lists no file of the folder of this one.
    const { recipientSince } = (await findBackupSettings(ctx, ctx.db)).settings
    const own = new Set(left.filter((run) => (run.started_at ?? '') >= recipientSince).map(({ name }) => name))
    const { removeUnusedBlobFiles } = await import('./blob-files.ts')
    await removeUnusedBlobFiles(at, siteIdOf(ctx.secret), newest.name, own)
  } catch (error) {
    // The backup itself is good; the next run tries again. An archive that cannot be read stays so until somebody acts.
    if (error instanceof UnusableArchive) {
      await updateRun(ctx.db, newest.id, { retention_error: storedReason(error.reason) })
    }
    ctx.log.warn({ err: error }, 'older backups, or files of theirs, were not removed')
  }
  await removeExpiredElsewhere(ctx, target)
  const areUpdatesTidied = await removeOldUpdateBackups(ctx, ctx.backups.defaultFolder).then(
    () => true,
    (error: unknown) => {
      ctx.log.warn({ err: error }, 'older backups of updates were not removed')
      return false
    },
  )
  await deleteOldRuns(ctx.db, {
    before: new Date(ctx.now().getTime() - listRetentionMs),
    // An archive is found by its row, so the rows stay until their archives are removed.
    updatesBefore: new Date(areUpdatesTidied ? oldest - listRetentionMs : 0),
  })
}

/** Removes backups from the folders of earlier targets. A bucket that is no longer configured cannot be opened. */
async function removeExpiredElsewhere(
  ctx: BackupContext & Pick<Context, 'log'>,
  present: Pick<BackupTarget, 'label'>,
): Promise<void> {
  const oldest = oldestRetained(ctx)
  const madeAt = (run: RunRow) => Date.parse(run.started_at ?? run.asked_at)
  const elsewhere = (await listDone(ctx.db)).filter(
    ({ target, made_by }) => target !== present.label && isAbsolute(target) && made_by !== 'command',
  )
  const read = await listReadRuns(ctx.db, await ctx.dialect.clock(ctx.db))
  for (const [label, runs] of Map.groupBy(elsewhere, ({ target }) => target)) {
    const expired = runs.filter((run) => madeAt(run) < oldest && !read.has(run.id))
    if (expired.length === 0) continue
    try {
      const target = folderTarget(label)
      const stored = new Set((await target.list('')).map(({ name }) => name))
      // One that is not there may be on a disk that is not connected now.
      const removed = expired.filter((run) => stored.has(run.name) || madeAt(run) < oldest - listRetentionMs)
      for (const run of removed) await target.remove(run.name)
      const unseen = removed.filter(({ name }) => !stored.has(name)).map(({ name }) => name)
      if (unseen.length > 0)
        ctx.log.warn({ target: label, names: unseen }, 'expired backups were not found, and are forgotten')
      const at = { target, key: await findOrCreateSiteKey(ctx) }
      const { recipientSince } = (await findBackupSettings(ctx, ctx.db)).settings
      const left = runs.filter((run) => !removed.includes(run) && (run.started_at ?? '') >= recipientSince)
      const { removeUnusedBlobFiles } = await import('./blob-files.ts')
      await removeUnusedBlobFiles(at, siteIdOf(ctx.secret), ctx.now(), new Set(left.map(({ name }) => name)))
      for (const run of removed) await deleteRun(ctx.db, run.id)
    } catch (error) {
      ctx.log.warn({ err: error, target: label }, 'backups at an earlier target, or files of theirs, were not removed')
    }
  }
}
