import type { AuditAction } from '../../contract/audit-actions.ts'
import { Refusal } from '../../contract/errors.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { findNthNewestAt } from './audit.queries.ts'

interface Limit {
  by: { actorId: number } | { subjectId: string }
  maxCount: number
  windowMs: number
}

/**
 * Limits how often an action is done, counted in the audit log so that the limit holds across all instances.
 * @throws {Refusal} `too_many`
 */
export async function refuseTooMany(
  tx: Transaction,
  ctx: Pick<Context, 'now'>,
  action: AuditAction,
  limits: readonly Limit[],
): Promise<void> {
  const now = ctx.now().getTime()
  for (const { by, maxCount, windowMs } of limits) {
    const window = { since: new Date(now - windowMs), until: new Date(now + windowMs) }
    const oldest = await findNthNewestAt(tx, { action, ...by, nth: maxCount, ...window })
    if (oldest) throw new Refusal('too_many', { retryAfter: (oldest.getTime() + windowMs - now) / 1_000 })
  }
}
