import type { AuditAction } from '../../contract/audit.ts'
import { Refusal } from '../../contract/errors.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { findNthNewestAt } from './audit.queries.ts'

interface Limit {
  by: { actorId: number } | { subjectId: string }
  most: number
  windowMs: number
}

/**
 * Refuses what was done too often: the log knows how often, on every copy of the program.
 * @throws {Refusal} `too_many`
 */
export async function refuseTooMany(
  tx: Transaction,
  ctx: Pick<Context, 'now'>,
  action: AuditAction,
  limits: readonly Limit[],
): Promise<void> {
  const now = ctx.now().getTime()
  for (const { by, most, windowMs } of limits) {
    const oldest = await findNthNewestAt(tx, { action, ...by, nth: most, since: new Date(now - windowMs) })
    if (oldest) throw new Refusal('too_many', { retryAfter: (oldest.getTime() + windowMs - now) / 1_000 })
  }
}
