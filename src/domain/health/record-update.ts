import type { UpdateOutcome } from '../../platform/config/last-update.ts'
import type { Context } from '../../platform/context.ts'
import { record } from '../audit/record.ts'

/**
 * Writes into the audit log that the launcher has updated the program from one version to another, or has undone that. An
 * update that could not be undone (`stuck`) is recorded as one, with its reason.
 */
export async function recordUpdate(
  ctx: Pick<Context, 'now' | 'transaction'>,
  { from, to, outcome, reason }: UpdateOutcome,
): Promise<void> {
  const isUndone = outcome === 'undone'
  const [before, after] = isUndone ? [to, from] : [from, to]
  await ctx.transaction((tx) =>
    record(
      tx,
      { now: ctx.now, actor: undefined },
      {
        action: isUndone ? 'program.update_undone' : 'program.updated',
        subject: { type: 'program', name: after },
        before: { program: before },
        after: { program: after, ...(reason && { reason }) },
      },
    ),
  )
}
