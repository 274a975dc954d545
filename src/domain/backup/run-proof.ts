import { isAbsolute } from 'node:path'
import { dayMs } from '../../contract/limits.ts'
import { ExplainedError, reasonOf, reasonText, storedReason } from '../../i18n/reason.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { record } from '../audit/record.ts'
import { interrupted, listDone, listRunsOfDay, type RunRow } from './backup-run.queries.ts'
import { type FoundSettings, findBackupSettings, type StoredSettings } from './backup-settings.ts'
import { hasLeaseEnded, leaseFrom, whileRenewed } from './lease.ts'
import {
  countRepeated,
  deleteOldProofs,
  endProof,
  findProof,
  insertProof,
  isProofOfDay,
  listOpenProofs,
  type ProofRow,
  updateProof,
} from './proof.queries.ts'
import type { Proof, ProofContext } from './prove-backup.ts'
import { isBackupRunning, labelOf, lastScheduledTime, listRetentionMs, openTargetOf } from './run-backup.ts'

export type ProofRunContext = ProofContext & Pick<Context, 'transaction' | 'secret' | 'site' | 'log'>

/** How long after the scheduled time the proof uses an older backup, if no new one was made. */
const withoutBackupAfterMs = 2 * 60 * 60_000

/** Interruptions of scheduled proofs per day before retries stop: the proof itself may crash the program. */
const interruptionsPerDay = 3

/** A proof that a process has claimed, with the settings of that moment. It may be sent to another process. */
export interface ClaimedProof {
  proof: ProofRow
  backup: RunRow
  settings: StoredSettings
}

/** The process of a backup or a proof was ended by a signal. */
export class ProcessKilled extends ExplainedError {}

/**
 * Runs a proof of the newest backup, if one is queued, or once a day after the scheduled backup. Only one runs at a
 * time across all instances, and never during a backup, except one of the command line.
 * @param perform proves the backup and records the outcome: `performProof`, in this process or in another one. It rejects when that
 * process died: with {ProcessKilled} when a signal ended it, and the proof is repeated.
 * @returns the finished proof; undefined when none was due
 */
export async function runDueProof(
  ctx: ProofRunContext,
  signal?: AbortSignal,
  perform: (claimed: ClaimedProof) => Promise<void> = (claimed) => performProof(ctx, claimed, signal),
): Promise<ProofRow | undefined> {
  const claimed = await claimProof(ctx)
  if (!claimed) return undefined
  const { proof, backup } = claimed
  await whileRenewed(
    ctx,
    (lease) => updateProof(ctx.db, proof.id, lease),
    () => perform(claimed),
  ).catch(async (error: Error) => {
    const reason = signal?.aborted ? interrupted : reasonOf(error)
    // Any other error would come again at once.
    const isCutOff = signal?.aborted === true || error instanceof ProcessKilled
    const isEnded = await ctx.transaction((tx) => finish(ctx, tx, proof, unknown(reason), { isCutOff }))
    if (isEnded) ctx.log.error({ err: error, backup: backup.name }, 'a backup was not proved')
  })
  await deleteOldProofs(ctx.db, new Date(ctx.now().getTime() - listRetentionMs))
  return findProof(ctx.db, proof.id)
}

/** Proves a backup for a claimed proof, and records the outcome. */
export async function performProof(
  ctx: ProofRunContext,
  { proof, backup, settings }: ClaimedProof,
  signal?: AbortSignal,
): Promise<void> {
  const { proveBackup } = await import('./prove-backup.ts')
  const target = await openTargetOf(ctx, settings, backup).catch((error: Error) => error)
  const result =
    target instanceof Error
      ? unknown(reasonOf(target))
      : await proveBackup(ctx, { ...backup, target }, signal).finally(() => target.close())
  if (result.outcome !== 'proved')
    ctx.log.error({ backup: backup.name, reason: reasonText(result.reason, 'en') }, 'a backup was not proved')
  await ctx.transaction((tx) => finish(ctx, tx, proof, result, { isCutOff: result.reason === interrupted }))
}

const unknown = (reason: Proof['reason']): Proof => ({
  ...{ outcome: 'unknown', rows: 0, files: 0, pages: 0, changedPages: 0, signedIn: false },
  reason,
})

/** The newest completed backup in a folder or at the configured target. */
export async function findNewestBackup(
  db: Context['db'] | Transaction,
  { settings }: Pick<FoundSettings, 'settings'>,
): Promise<RunRow | undefined> {
  const label = labelOf(settings)
  return (await listDone(db)).find(({ target }) => target === label || isAbsolute(target))
}

async function claimProof(ctx: ProofRunContext): Promise<ClaimedProof | undefined> {
  return ctx.transaction(async (tx) => {
    await ctx.dialect.lock(tx, 'backups')
    if (await isBackupRunning(ctx, tx)) return undefined
    let waiting: ProofRow | undefined
    for (const proof of await listOpenProofs(tx)) {
      if (proof.state === 'waiting') waiting ??= proof
      else if (!(await hasLeaseEnded(ctx, tx, proof))) return undefined
      else await finish(ctx, tx, proof, unknown(interrupted), { isCutOff: true })
    }
    const found = await findBackupSettings(ctx, tx)
    const day = waiting ? undefined : await dueDay(tx, found, ctx.now())
    if (!waiting && day === undefined) return undefined
    const backup = await findNewestBackup(tx, found)
    if (!backup) {
      if (waiting) await finish(ctx, tx, waiting, unknown({ key: 'noBackup' }), { isCutOff: false })
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
      return { proof, backup, settings: found.settings }
    }
    await updateProof(tx, waiting.id, started)
    return { proof: { ...waiting, ...started }, backup, settings: found.settings }
  })
}

/** The day whose proof is due: its backup is done, or two hours overdue. */
async function dueDay(tx: Transaction, { settings, since }: FoundSettings, now: Date): Promise<string | undefined> {
  const { day, at } = lastScheduledTime(settings.time, now)
  if (!since || at < since || (await isProofOfDay(tx, day))) return undefined
  const isMade = (await listRunsOfDay(tx, day)).some(({ state }) => state === 'done')
  return isMade || now.getTime() - at.getTime() > withoutBackupAfterMs ? day : undefined
}

/**
 * @param options.isCutOff whether it was stopped, or its process was killed
 * @returns false, and does nothing, when the proof has ended already
 */
async function finish(
  ctx: Pick<Context, 'now'>,
  tx: Transaction,
  proof: ProofRow,
  { outcome, reason, ...findings }: Proof,
  { isCutOff }: { isCutOff: boolean },
): Promise<boolean> {
  const isRepeated =
    isCutOff && (await countRepeated(tx, new Date(ctx.now().getTime() - dayMs))) < interruptionsPerDay - 1
  const ended = {
    // A proof that was cut off does not count for its day, so that it is repeated.
    ...(isRepeated && { day: null }),
    state: outcome,
    reason: storedReason(reason),
    findings: JSON.stringify(findings),
    finished_at: ctx.now().toISOString(),
    lease_until: null,
  }
  if (!(await endProof(tx, proof.id, ended))) return false
  if (outcome !== 'failed') return true
  await record(
    tx,
    { now: ctx.now, actor: undefined },
    {
      action: 'backup.disproved',
      subject: { type: 'backup', name: proof.name },
      after: { target: proof.target, reason: reasonText(reason, 'en').slice(0, 1_000) },
    },
  )
  return true
}
