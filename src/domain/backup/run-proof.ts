import { isAbsolute } from 'node:path'
import { dayMs } from '../../contract/limits.ts'
import { ExplainedError, reasonOf, reasonText, storedReason } from '../../i18n/reason.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { record } from '../audit/record.ts'
import { interrupted, listDoneRuns, listRunsOfDay, type RunRow } from './backup-run.queries.ts'
import { type FoundSettings, findBackupSettings, type StoredSettings } from './backup-settings.ts'
import { createLease, hasLeaseExpired, withRenewedLease } from './lease.ts'
import {
  countRepeatedProofs,
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
import { failExpiredRuns, lastScheduledTime, listRetentionMs, openTargetOf, targetLabel } from './run-backup.ts'

type ProofRunContext = ProofContext & Pick<Context, 'transaction' | 'secret' | 'site' | 'log'>

/** How long after the scheduled time a proof waits for the new backup; then it tests an older one. */
const maxBackupWaitMs = 2 * 60 * 60_000

/** After this many interruptions in a day a scheduled proof is not repeated: the proof itself may crash its process. */
const maxInterruptions = 3

/** A proof that a process has claimed, with the settings at that time. It is JSON, to be passed to a child process. */
export interface ClaimedProof {
  proof: ProofRow
  backup: RunRow
  settings: StoredSettings
}

/** The process of a backup or a proof was ended by a signal. */
export class ProcessKilled extends ExplainedError {}

/**
 * Proves the newest backup, which means a test restore, if a proof is queued, or once a day after the scheduled backup.
 * Only one proof runs at a time across all instances, and never during a backup, except one of the command line.
 * @param perform proves the backup and stores the outcome: `performProof`, in this process or in a child process. It
 * rejects when that process died: with {ProcessKilled} when a signal ended it, and the proof is repeated.
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
  await withRenewedLease(
    ctx,
    (lease) => updateProof(ctx.db, proof.id, lease),
    () => perform(claimed),
  ).catch(async (error: Error) => {
    const reason = signal?.aborted ? interrupted : reasonOf(error)
    // Any other error would occur again immediately.
    const isInterrupted = signal?.aborted === true || error instanceof ProcessKilled
    const isEnded = await ctx.transaction((tx) => finish(ctx, tx, proof, unknownOutcome(reason), { isInterrupted }))
    if (isEnded) ctx.log.error({ err: error, backup: backup.name }, 'a backup was not proved')
  })
  await deleteOldProofs(ctx.db, new Date(ctx.now().getTime() - listRetentionMs))
  return findProof(ctx.db, proof.id)
}

/** Proves the backup of a claimed proof, and stores the outcome. */
export async function performProof(
  ctx: ProofRunContext,
  { proof, backup, settings }: ClaimedProof,
  signal?: AbortSignal,
): Promise<void> {
  const { proveBackup } = await import('./prove-backup.ts')
  const target = await openTargetOf(ctx, settings, backup).catch((error: Error) => error)
  const result =
    target instanceof Error
      ? unknownOutcome(reasonOf(target))
      : await proveBackup(ctx, { ...backup, target }, signal).finally(() => target.close())
  if (result.outcome !== 'proved')
    ctx.log.error({ backup: backup.name, reason: reasonText(result.reason, 'en') }, 'a backup was not proved')
  await ctx.transaction((tx) => finish(ctx, tx, proof, result, { isInterrupted: result.reason === interrupted }))
}

const unknownOutcome = (reason: Proof['reason']): Proof => ({
  ...{ outcome: 'unknown', rows: 0, files: 0, pages: 0, changedPages: 0, signedIn: false },
  reason,
})

/** The newest completed backup that can be opened: in any folder, or in the configured bucket. */
export async function findNewestBackup(
  db: Context['db'] | Transaction,
  { settings }: Pick<FoundSettings, 'settings'>,
): Promise<RunRow | undefined> {
  const label = targetLabel(settings)
  return (await listDoneRuns(db)).find(({ target }) => target === label || isAbsolute(target))
}

/** Claims the queued or due proof for this process. Proofs whose lease expired end as unknown. */
async function claimProof(ctx: ProofRunContext): Promise<ClaimedProof | undefined> {
  return ctx.transaction(async (tx) => {
    await ctx.dialect.lock(tx, 'backups')
    if (await failExpiredRuns(ctx, tx)) return undefined
    let waiting: ProofRow | undefined
    for (const proof of await listOpenProofs(tx)) {
      if (proof.state === 'waiting') waiting ??= proof
      else if (!(await hasLeaseExpired(ctx, tx, proof))) return undefined
      else await finish(ctx, tx, proof, unknownOutcome(interrupted), { isInterrupted: true })
    }
    const stored = await findBackupSettings(ctx, tx)
    const day = waiting ? undefined : await findDueDay(tx, stored, ctx.now())
    if (!waiting && day === undefined) return undefined
    const backup = await findNewestBackup(tx, stored)
    if (!backup) {
      if (waiting) await finish(ctx, tx, waiting, unknownOutcome({ key: 'noBackup' }), { isInterrupted: false })
      return undefined
    }
    const at = ctx.now().toISOString()
    const started = {
      state: 'running',
      started_at: at,
      target: backup.target,
      name: backup.name,
      backup_at: backup.started_at ?? backup.asked_at,
      ...(await createLease(ctx, tx)),
    } as const
    if (!waiting) {
      const proof = await insertProof(tx, { ...started, made_by: 'clock', asked_at: at, day: day ?? null })
      return { proof, backup, settings: stored.settings }
    }
    await updateProof(tx, waiting.id, started)
    return { proof: { ...waiting, ...started }, backup, settings: stored.settings }
  })
}

/** The day whose proof is due, because its backup is done or two hours overdue; undefined when none is. */
async function findDueDay(tx: Transaction, { settings, since }: FoundSettings, now: Date): Promise<string | undefined> {
  const { day, at } = lastScheduledTime(settings.time, now)
  if (!since || at < since || (await isProofOfDay(tx, day))) return undefined
  const isBackupDone = (await listRunsOfDay(tx, day)).some(({ state }) => state === 'done')
  return isBackupDone || now.getTime() - at.getTime() > maxBackupWaitMs ? day : undefined
}

/**
 * Stores the outcome of a proof; a failed one gets an audit entry.
 * @returns false, and does nothing, when it has ended already
 */
async function finish(
  ctx: Pick<Context, 'now'>,
  tx: Transaction,
  proof: ProofRow,
  { outcome, reason, ...findings }: Proof,
  { isInterrupted }: { isInterrupted: boolean },
): Promise<boolean> {
  const isRepeated =
    isInterrupted && (await countRepeatedProofs(tx, new Date(ctx.now().getTime() - dayMs))) < maxInterruptions - 1
  const ended = {
    // An interrupted proof is not stored for its day, so that it is repeated.
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
