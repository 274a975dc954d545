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
  findNewestEnded,
  findWaiting,
  insertRun,
  listDone,
  listRunning,
  listRuns,
  type RunRow,
} from './backup-run.queries.ts'
import { findBackupSettings, findOrCreateSiteKey, shownSettings } from './backup-settings.ts'
import { hasLeaseEnded } from './lease.ts'
import {
  countSince,
  deleteWaitingProof,
  findNewestProof,
  findProof,
  insertProof,
  listOpenProofs,
  listProofs,
  type ProofRow,
} from './proof.queries.ts'
import { recoverySheet } from './recovery-sheet.ts'
import { labelOf, lastScheduledTime, nextBackupAt } from './run-backup.ts'
import { findNewestBackup } from './run-proof.ts'

const listed = 100
const proofsListed = 7
/** How long after its scheduled time a missing backup counts as late: it may take hours, or follow a restart. */
const lateAfterMs = 6 * 60 * 60_000

/** The backup settings, and the newest backups and proofs. */
export async function showBackups(ctx: Context, locale: Locale): Promise<Backups> {
  allow(ctx, canManageBackups)
  const found = await findBackupSettings(ctx, ctx.db)
  const runs = await listRuns(ctx.db, listed)
  const newest = await findNewestBackup(ctx.db, found)
  return {
    settings: shownSettings(found),
    nextAt: nextBackupAt(found, ctx.now())?.toISOString() ?? null,
    runs: runs.map((run) => shownRun(run, locale)),
    proofs: (await listProofs(ctx.db, proofsListed)).map((proof) => shownProof(proof, locale)),
    lost: newest ? { since: momentOf(newest).toISOString(), ...(await countSince(ctx.db, momentOf(newest))) } : null,
  }
}

const shownRun = (run: RunRow, locale: Locale): BackupRun => ({
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
export async function askForBackup(ctx: Context, locale: Locale): Promise<BackupRun> {
  const actor = allow(ctx, canManageBackups)
  const run = await ctx.transaction(async (tx) => {
    await ctx.dialect.lock(tx, 'backups')
    const { settings } = await findBackupSettings(ctx, tx)
    return (
      (await findWaiting(tx)) ??
      insertRun(tx, {
        made_by: 'hand',
        state: 'waiting',
        target: labelOf(settings),
        name: '',
        asked_at: ctx.now().toISOString(),
        actor_id: actor.id,
        actor_name: actor.name,
      })
    )
  })
  ctx.wake.backup()
  return shownRun(run, locale)
}

/**
 * The recovery sheet with the backup key; a key is created when there is none.
 * @throws {Refusal} `password_needed`
 */
export async function showRecoverySheet(ctx: Context, locale: Locale): Promise<string> {
  allow(ctx, canManageBackups)
  requireConfirmed(ctx)
  return showRecoverySheetUnchecked(ctx, locale)
}

/**
 * The recovery sheet, also for the command line.
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
  const of = { site: ctx.site.brand, url: ctx.origin, version, identity, now: ctx.now(), folder: labelOf(settings) }
  return recoverySheet(of, locale)
}

/** Queues a proof of the newest backup, or returns the queued one. @throws {Refusal} `not_found` without a backup */
export async function askForProof(ctx: Context, locale: Locale): Promise<BackupProof> {
  allow(ctx, canManageBackups)
  const { proof } = await queueProof(ctx, 'hand')
  ctx.wake.backup()
  return shownProof(proof, locale)
}

/** @returns `isNew`: no proof was queued yet @throws {Refusal} `not_found` without a backup */
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
  return row && shownProof(row, locale)
}

/** Whether a running program makes a backup or a proof, and so claims no queued proof yet. */
export async function isProgramBusy(ctx: Pick<Context, 'db' | 'dialect'>): Promise<boolean> {
  const backups = (await listRunning(ctx.db)).filter(({ made_by }) => made_by !== 'command')
  const proofs = (await listOpenProofs(ctx.db)).filter(({ state }) => state === 'running')
  for (const one of [...backups, ...proofs]) if (!(await hasLeaseEnded(ctx, ctx.db, one))) return true
  return false
}

/** Cancels a queued proof. @returns false when a process has already started it */
export const withdrawProof = ({ db }: Pick<Context, 'db'>, id: number): Promise<boolean> => deleteWaitingProof(db, id)

const shownProof = (proof: ProofRow, locale: Locale): BackupProof => ({
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

const momentOf = (run: RunRow) => new Date(run.started_at ?? run.asked_at)

/** The status of the backups, for the dashboard and the health check. */
export interface BackupCondition {
  state: BackupState
  /** When the newest completed backup was started. */
  at: Date | undefined
  /** The error of the newest backup; empty unless the state is `failed`. */
  error: string
  /** The newest proof that could tell, else the newest that could not: its time, and the time of its backup. */
  proof: { outcome: 'proved' | 'failed' | 'unknown'; at: Date; backupAt: Date | undefined } | undefined
  /** Since when no backup was proved: the last time that one was or that the schedule began, else the first backup. */
  unprovedSince: Date | undefined
}

/** The status of the backups and of their proofs. */
export async function findBackupState(
  ctx: Pick<Context, 'db' | 'now'> & { backups: Pick<BackupParts, 'defaultFolder'> },
): Promise<BackupCondition> {
  const found = await findBackupSettings(ctx, ctx.db)
  const done = await listDone(ctx.db)
  const [newest, oldest] = [done[0], done.at(-1)]
  const at = newest && momentOf(newest)
  // A proof that could not tell says nothing about what an earlier one found.
  const row = (await findNewestProof(ctx.db, ['proved', 'failed'])) ?? (await findNewestProof(ctx.db, ['unknown']))
  const proof = row && {
    outcome: row.state as 'proved' | 'failed' | 'unknown',
    at: new Date(row.finished_at ?? row.asked_at),
    backupAt: row.backup_at === null ? undefined : new Date(row.backup_at),
  }
  const proved = proof?.outcome === 'proved' ? proof.at : undefined
  const isNewer = proved && found.since && found.since > proved
  const unprovedSince = (isNewer ? found.since : proved) ?? found.since ?? (oldest && momentOf(oldest))
  const common = { at, proof, unprovedSince }
  const ended = await findNewestEnded(ctx.db)
  if (ended?.state === 'failed') return { ...common, state: 'failed', error: ended.error }
  const now = ctx.now()
  const due = found.since && lastScheduledTime(found.settings.time, now).at
  const isDue = found.since && due && due >= found.since && (!at || at < due)
  const isLate = isDue && now.getTime() - due.getTime() > lateAfterMs
  const made =
    proof?.outcome === 'failed' ? 'unproved' : isLate ? 'late' : found.since ? (at ? 'good' : 'waiting') : 'off'
  return { ...common, state: made, error: '' }
}
