import {
  type BackupProof,
  type BackupRun,
  type BackupState,
  type Backups,
  canManageBackups,
} from '../../contract/backups.ts'
import { Refusal } from '../../contract/errors.ts'
import type { Locale } from '../../contract/locales.ts'
import { readReason, reasonText } from '../../i18n/reason.ts'
import type { BackupParts } from '../../platform/archive/backup-parts.ts'
import { readRelease } from '../../platform/config/release.ts'
import type { Context } from '../../platform/context.ts'
import { allow, requireConfirmed } from '../allow.ts'
import { record, shownAuthor } from '../audit/record.ts'
import {
  findNewestEndedRun,
  findWaitingRun,
  insertRun,
  listDoneRuns,
  listRunningRuns,
  listRuns,
  type RunRow,
} from './backup-run.queries.ts'
import { findBackupSettings, findOrCreateSiteKey, toBackupSettings } from './backup-settings.ts'
import { hasLeaseExpired } from './lease.ts'
import {
  countChangesSince,
  deleteWaitingProof,
  findNewestProof,
  findProof,
  insertProof,
  listOpenProofs,
  listProofs,
  type ProofRow,
} from './proof.queries.ts'
import { recoverySheet } from './recovery-sheet.ts'
import { lastScheduledTime, nextBackupAt, targetLabel } from './run-backup.ts'
import { findNewestBackup } from './run-proof.ts'

const maxRuns = 100
const maxProofs = 7
/** How long after its scheduled time a missing backup counts as late: it may take hours, or be made after a restart. */
const lateAfterMs = 6 * 60 * 60_000

/** Returns the backup settings, the newest backups and proofs (test restores), and how much changed since the newest backup. */
export async function showBackups(ctx: Context, locale: Locale): Promise<Backups> {
  allow(ctx, canManageBackups)
  const stored = await findBackupSettings(ctx, ctx.db)
  const runs = await listRuns(ctx.db, maxRuns)
  const newest = await findNewestBackup(ctx.db, stored)
  return {
    settings: toBackupSettings(stored),
    nextAt: nextBackupAt(stored, ctx.now())?.toISOString() ?? null,
    runs: runs.map((run) => toBackupRun(run, locale)),
    proofs: (await listProofs(ctx.db, maxProofs)).map((proof) => toBackupProof(proof, locale)),
    lost: newest
      ? { since: startOf(newest).toISOString(), ...(await countChangesSince(ctx.db, startOf(newest))) }
      : null,
  }
}

const toBackupRun = (run: RunRow, locale: Locale): BackupRun => ({
  id: run.id,
  madeBy: run.made_by,
  state: run.state,
  askedAt: run.asked_at,
  startedAt: run.started_at,
  finishedAt: run.finished_at,
  target: run.target,
  name: run.name,
  bytes: run.bytes,
  rows: run.row_count,
  files: run.file_count,
  error: reasonText(readReason(run.error), locale),
  by: shownAuthor({ id: run.actor_id, name: run.actor_name }, locale),
})

/** Queues a backup to the configured target, or returns the one that is already queued. */
export async function requestBackup(ctx: Context, locale: Locale): Promise<BackupRun> {
  const actor = allow(ctx, canManageBackups)
  const run = await ctx.transaction(async (tx) => {
    await ctx.dialect.lock(tx, 'backups')
    const { settings } = await findBackupSettings(ctx, tx)
    return (
      (await findWaitingRun(tx)) ??
      insertRun(tx, {
        made_by: 'hand',
        state: 'waiting',
        target: targetLabel(settings),
        name: '',
        asked_at: ctx.now().toISOString(),
        actor_id: actor.id,
        actor_name: actor.name,
      })
    )
  })
  ctx.wake.backup()
  return toBackupRun(run, locale)
}

/** Returns the recovery sheet with the backup key, which is created when there is none. @throws {Refusal} `password_needed` */
export async function showRecoverySheet(ctx: Context, locale: Locale): Promise<string> {
  allow(ctx, canManageBackups)
  requireConfirmed(ctx)
  return showRecoverySheetUnchecked(ctx, locale)
}

/**
 * `showRecoverySheet` without a check of rights.
 * @param options.replaceKey makes the key of this instance the key of the site
 */
export async function showRecoverySheetUnchecked(
  ctx: Pick<Context, 'actor' | 'db' | 'dialect' | 'now' | 'origin' | 'site' | 'transaction'> & { backups: BackupParts },
  locale: Locale,
  { replaceKey = false } = {},
): Promise<string> {
  const { identity } = await findOrCreateSiteKey(ctx, { replace: replaceKey })
  const { settings } = await findBackupSettings(ctx, ctx.db)
  await ctx.transaction((tx) =>
    record(tx, ctx, { action: 'backup.sheet_shown', subject: { type: 'backup', name: '' } }),
  )
  const { version } = readRelease(process.cwd())
  const values = {
    site: ctx.site.brand,
    url: ctx.origin,
    version,
    identity,
    now: ctx.now(),
    folder: targetLabel(settings),
  }
  return recoverySheet(values, locale)
}

/**
 * Queues a proof of the newest backup, or returns the one that is already queued.
 * @throws {Refusal} `not_found` without a backup
 */
export async function requestProof(ctx: Context, locale: Locale): Promise<BackupProof> {
  allow(ctx, canManageBackups)
  const { proof } = await queueProof(ctx, 'hand')
  ctx.wake.backup()
  return toBackupProof(proof, locale)
}

/**
 * `requestProof` without a check of rights.
 * @returns `isNew`: no proof was queued yet
 * @throws {Refusal} `not_found` without a backup
 */
export async function queueProof(
  ctx: Pick<Context, 'dialect' | 'now' | 'transaction'> & { backups: Pick<BackupParts, 'defaultFolder'> },
  madeBy: 'hand' | 'command',
): Promise<{ proof: ProofRow; isNew: boolean }> {
  return ctx.transaction(async (tx) => {
    await ctx.dialect.lock(tx, 'backups')
    const waiting = (await listOpenProofs(tx)).find(({ state }) => state === 'waiting')
    if (waiting) return { proof: waiting, isNew: false }
    if (!(await findNewestBackup(tx, await findBackupSettings(ctx, tx)))) throw new Refusal('not_found')
    const proof = await insertProof(tx, { made_by: madeBy, state: 'waiting', asked_at: ctx.now().toISOString() })
    return { proof, isNew: true }
  })
}

export async function findProofById(
  { db }: Pick<Context, 'db'>,
  id: number,
  locale: Locale,
): Promise<BackupProof | undefined> {
  const row = await findProof(db, id)
  return row && toBackupProof(row, locale)
}

/** Whether a server makes a backup or a proof, and so claims no queued proof yet. */
export async function isBackupOrProofRunning(ctx: Pick<Context, 'db' | 'dialect'>): Promise<boolean> {
  const backups = (await listRunningRuns(ctx.db)).filter(({ made_by }) => made_by !== 'command')
  const proofs = (await listOpenProofs(ctx.db)).filter(({ state }) => state === 'running')
  for (const run of [...backups, ...proofs]) if (!(await hasLeaseExpired(ctx, ctx.db, run))) return true
  return false
}

/** Cancels a queued proof. @returns false when a process has already started it */
export const cancelProof = ({ db }: Pick<Context, 'db'>, id: number): Promise<boolean> => deleteWaitingProof(db, id)

const toBackupProof = (proof: ProofRow, locale: Locale): BackupProof => ({
  id: proof.id,
  madeBy: proof.made_by,
  state: proof.state,
  askedAt: proof.asked_at,
  startedAt: proof.started_at,
  finishedAt: proof.finished_at,
  name: proof.name,
  backupAt: proof.backup_at,
  findings: proof.findings === '' ? null : JSON.parse(proof.findings),
  reason: reasonText(readReason(proof.reason), locale),
})

const startOf = (run: RunRow) => new Date(run.started_at ?? run.asked_at)

/** The status of the backups, for the dashboard and the health check. */
interface BackupStatus {
  state: BackupState
  /** When the newest completed backup was started. */
  at: Date | undefined
  /** The error of the newest backup; empty unless the state is `failed`. */
  error: string
  /** The newest conclusive proof, or else the newest inconclusive one: its time, and the time of its backup. */
  proof: { outcome: 'proved' | 'failed' | 'unknown'; at: Date; backupAt: Date | undefined } | undefined
  /**
   * Since when no backup was proved: the later of the last proved one, if none failed after it, and the start of the
   * schedule; else the first backup.
   */
  unprovedSince: Date | undefined
}

export async function findBackupStatus(
  ctx: Pick<Context, 'db' | 'now'> & { backups: Pick<BackupParts, 'defaultFolder'> },
): Promise<BackupStatus> {
  const { settings, since } = await findBackupSettings(ctx, ctx.db)
  const done = await listDoneRuns(ctx.db)
  const [newest, oldest] = [done[0], done.at(-1)]
  const at = newest && startOf(newest)
  // An inconclusive proof does not refute what an earlier one found.
  const row = (await findNewestProof(ctx.db, ['proved', 'failed'])) ?? (await findNewestProof(ctx.db, ['unknown']))
  const proof = row && {
    outcome: row.state as 'proved' | 'failed' | 'unknown',
    at: new Date(row.finished_at ?? row.asked_at),
    backupAt: row.backup_at === null ? undefined : new Date(row.backup_at),
  }
  const provedAt = proof?.outcome === 'proved' ? proof.at : undefined
  const isScheduleNewer = provedAt && since && since > provedAt
  const unprovedSince = (isScheduleNewer ? since : provedAt) ?? since ?? (oldest && startOf(oldest))
  const common = { at, proof, unprovedSince }
  const ended = await findNewestEndedRun(ctx.db)
  if (ended?.state === 'failed') return { ...common, state: 'failed', error: ended.error }
  const now = ctx.now()
  const due = since && lastScheduledTime(settings.time, now).at
  const isDue = since && due && due >= since && (!at || at < due)
  const isLate = isDue && now.getTime() - due.getTime() > lateAfterMs
  if (proof?.outcome === 'failed') return { ...common, state: 'unproved', error: '' }
  if (isLate) return { ...common, state: 'late', error: '' }
  if (!since) return { ...common, state: 'off', error: '' }
  return { ...common, state: at ? 'good' : 'waiting', error: '' }
}
