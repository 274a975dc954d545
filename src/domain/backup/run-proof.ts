import { isAbsolute } from 'node:path'
import { type BackupTarget, folderTarget } from '../../platform/archive/backup-target.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { record } from '../audit/record.ts'
import { listDone, listRunsOfDay, type RunRow } from './backup-run.queries.ts'
import { type FoundPlan, findPlan, openTarget, type StoredPlan } from './backup-settings.ts'
import { hasLeaseEnded, leaseFrom, whileLeased } from './lease.ts'
import {
  countInterrupted,
  deleteOldProofs,
  insertProof,
  isProofOfDay,
  listOpenProofs,
  type ProofRow,
  updateProof,
} from './proof.queries.ts'
import type { Proof, ProofContext } from './prove-backup.ts'
import { interrupted, isBackupRunning, labelOf, lastScheduledTime, listRetentionMs } from './run-backup.ts'

export type ProofRunContext = ProofContext & Pick<Context, 'transaction' | 'secret' | 'site' | 'log'>

/** How long after the scheduled time the proof uses an older backup, if no new one was made. */
const withoutBackupAfterMs = 2 * 60 * 60_000

const dayMs = 24 * 60 * 60_000
/** Interruptions of scheduled tests per day before retries stop: the test itself may be what crashes the program. */
const interruptionsPerDay = 3

/**
 * Runs a proof of the newest backup, if one is queued, or once a day after the scheduled backup. Only one runs at a
 * time across all instances, and never during a backup, except one of the command line.
 * @returns the finished proof; undefined when none was due
 */
export async function runDueProof(ctx: ProofRunContext, signal?: AbortSignal): Promise<ProofRow | undefined> {
  const claimed = await claimProof(ctx)
  if (!claimed) return undefined
  const { proof, backup, plan } = claimed
  const { proveBackup } = await import('./prove-backup.ts')
  const target = await targetOf(ctx, plan, backup).catch((error: Error) => error)
  const made =
    target instanceof Error
      ? unknown(target.message)
      : await whileLeased(
          ctx,
          (lease) => updateProof(ctx.db, proof.id, lease),
          () => proveBackup(ctx, { ...backup, target }, signal),
        ).finally(() => target.close())
  if (made.outcome !== 'proved') ctx.log.error({ backup: backup.name, reason: made.reason }, 'a backup was not proved')
  const ended = await ctx.transaction((tx) => finish(ctx, tx, proof, made))
  await deleteOldProofs(ctx.db, new Date(ctx.now().getTime() - listRetentionMs))
  return ended
}

const unknown = (reason: string): Proof => ({
  ...{ outcome: 'unknown', rows: 0, files: 0, pages: 0, changedPages: 0, signedIn: false },
  reason,
})

/** Opens the target of a backup: the folder in its label, or the configured bucket. */
const targetOf = async (
  ctx: Pick<Context, 'secret'>,
  plan: StoredPlan,
  { target }: Pick<RunRow, 'target'>,
): Promise<BackupTarget> => (isAbsolute(target) ? folderTarget(target) : openTarget(ctx, plan))

/** The newest completed backup in a folder or at the configured target. */
export async function findNewestBackup(
  db: Context['db'] | Transaction,
  { plan }: Pick<FoundPlan, 'plan'>,
): Promise<RunRow | undefined> {
  const label = labelOf(plan)
  return (await listDone(db)).find(({ target }) => target === label || isAbsolute(target))
}

async function claimProof(ctx: ProofRunContext) {
  return ctx.transaction(async (tx) => {
    await ctx.dialect.lock(tx, 'backups')
    if (await isBackupRunning(ctx, tx)) return undefined
    let waiting: ProofRow | undefined
    for (const proof of await listOpenProofs(tx)) {
      if (proof.state === 'waiting') waiting ??= proof
      else if (!(await hasLeaseEnded(ctx, tx, proof))) return undefined
      else await finish(ctx, tx, proof, unknown(interrupted))
    }
    const found = await findPlan(ctx, tx)
    const day = waiting ? undefined : await dueDay(tx, found, ctx.now())
    if (!waiting && day === undefined) return undefined
    const backup = await findNewestBackup(tx, found)
    if (!backup) {
      if (waiting) await finish(ctx, tx, waiting, unknown('there is no backup'))
      return undefined
    }
    const at = ctx.now().toISOString()
    const started = {
      state: 'running',
      started_at: at,
      target: backup.target,
      name: backup.name,
      backup_at: backup.started_at ?? backup.asked_at,
      ...(await leaseFrom(ctx, tx)),
    } as const
    if (!waiting) {
      const proof = await insertProof(tx, { ...started, made_by: 'clock', asked_at: at, day: day ?? null })
      return { proof, backup, plan: found.plan }
    }
    await updateProof(tx, waiting.id, started)
    return { proof: { ...waiting, ...started }, backup, plan: found.plan }
  })
}

/** The day whose proof is due: its backup is done, or two hours overdue. */
async function dueDay(tx: Transaction, { plan, since }: FoundPlan, now: Date): Promise<string | undefined> {
  const { day, at } = lastScheduledTime(plan.time, now)
  if (!since || at < since || (await isProofOfDay(tx, day))) return undefined
  const isMade = (await listRunsOfDay(tx, day)).some(({ state }) => state === 'done')
  return isMade || now.getTime() - at.getTime() > withoutBackupAfterMs ? day : undefined
}

async function finish(
  ctx: Pick<Context, 'now'>,
  tx: Transaction,
  proof: ProofRow,
  { outcome, reason, ...findings }: Proof,
): Promise<ProofRow> {
  const isRepeated =
    reason === interrupted &&
    (await countInterrupted(tx, new Date(ctx.now().getTime() - dayMs))) < interruptionsPerDay - 1
  const ended = {
    // An interrupted test does not count for its day, so that it is repeated.
    day: isRepeated ? null : proof.day,
    state: outcome,
    reason: reason.slice(0, 1_000),
    findings: JSON.stringify(findings),
    finished_at: ctx.now().toISOString(),
    lease_until: null,
  }
  await updateProof(tx, proof.id, ended)
  if (outcome === 'failed') {
    await record(
      tx,
      { now: ctx.now, actor: undefined },
      {
        action: 'backup.disproved',
        subject: { type: 'backup', name: proof.name },
        after: { target: proof.target, reason: ended.reason },
      },
    )
  }
  return { ...proof, ...ended }
}
