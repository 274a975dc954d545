import { type BackupRun, type BackupState, type Backups, canManageBackups } from '../../contract/backups.ts'
import type { Locale } from '../../contract/locales.ts'
import type { Context } from '../../platform/context.ts'
import { allow, requireConfirmed } from '../allow.ts'
import { record, shownAuthor } from '../audit/record.ts'
import { findNewestDone, findWaiting, insertRun, listRuns, type RunRow } from './backup-run.queries.ts'
import { findPlan, shownSettings } from './backup-settings.ts'
import { recoverySheet } from './recovery-sheet.ts'
import { labelOf, nextBackupAt } from './run-backup.ts'

const listed = 100
/** After its time, before a backup counts as late: it may take some hours, or be made up after a restart. */
const lateAfterMs = 6 * 60 * 60_000

/** The settings of backups, and the newest ones. */
export async function showBackups(ctx: Context, locale: Locale): Promise<Backups> {
  allow(ctx, canManageBackups)
  const found = await findPlan(ctx, ctx.db)
  const runs = await listRuns(ctx.db, listed)
  return {
    settings: shownSettings(found),
    nextAt: nextBackupAt(found, ctx.now())?.toISOString() ?? null,
    runs: runs.map((run) => shownRun(run, locale)),
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
  error: run.error,
  by: shownAuthor({ id: run.actor_id, name: run.actor_name }, locale),
})

/** Asks for a backup now, wherever the settings want it. One that waits already is that one. */
export async function askForBackup(ctx: Context, locale: Locale): Promise<BackupRun> {
  const actor = allow(ctx, canManageBackups)
  const run = await ctx.transaction(async (tx) => {
    await ctx.dialect.lock(tx, 'backups')
    const { plan } = await findPlan(ctx, tx)
    return (
      (await findWaiting(tx)) ??
      insertRun(tx, {
        made_by: 'hand',
        state: 'waiting',
        target: labelOf(plan),
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
 * The sheet with the key, which is made when there is none.
 * @throws {Refusal} `password_needed`
 */
export async function showRecoverySheet(ctx: Context): Promise<string> {
  allow(ctx, canManageBackups)
  requireConfirmed(ctx)
  const { identity } = await ctx.backups.key()
  const { plan } = await findPlan(ctx, ctx.db)
  await ctx.transaction((tx) =>
    record(tx, ctx, { action: 'backup.sheet_shown', subject: { type: 'backup', name: '' } }),
  )
  return recoverySheet({ site: ctx.site.brand, identity, now: ctx.now(), folder: labelOf(plan) })
}

/**
 * How the backups are, for the overview and for health checks: `failed` when the newest one of the clock or of a person failed,
 * `late` when the one of the clock should have been made hours ago.
 */
export async function findBackupState(
  ctx: Pick<Context, 'db' | 'now' | 'backups'>,
): Promise<{ state: BackupState; at: Date | undefined; error: string }> {
  const found = await findPlan(ctx, ctx.db)
  const newest = await findNewestDone(ctx.db)
  const at = newest ? new Date(newest.started_at ?? newest.asked_at) : undefined
  const ended = (await listRuns(ctx.db, 20)).find(({ state }) => state === 'done' || state === 'failed')
  if (ended?.state === 'failed') return { state: 'failed', at, error: ended.error }
  if (!found.since) return { state: 'off', at, error: '' }
  const next = nextBackupAt(found, ctx.now())
  const due = next && new Date(next.getTime() - 24 * 60 * 60_000)
  const isLate = due && due >= found.since && (!at || at < due) && ctx.now().getTime() - due.getTime() > lateAfterMs
  return { state: isLate ? 'late' : at ? 'good' : 'waiting', at, error: '' }
}
