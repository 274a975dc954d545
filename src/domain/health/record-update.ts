import type { UpdateOutcome } from '../../platform/config/last-update.ts'
import type { Context } from '../../platform/context.ts'
import { record } from '../audit/record.ts'

/** Writes an update that the launcher made into the audit log. */
export async function recordUpdate(
  ctx: Pick<Context, 'now' | 'transaction'>,
  { from, to, outcome, reason }: UpdateOutcome,
): Promise<void> {
  await ctx.transaction((tx) =>
    record(
      tx,
      { now: ctx.now, actor: undefined },
      {
        action: outcome === 'undone' ? 'program.update_undone' : 'program.updated',
        subject: { type: 'program', name: outcome === 'undone' ? from : to },
        before: { program: outcome === 'undone' ? to : from },
        after: { program: outcome === 'undone' ? from : to, ...(reason && { reason }) },
      },
    ),
  )
}
