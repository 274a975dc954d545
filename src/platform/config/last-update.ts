import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { isReason, type Reason } from '../../i18n/reason.ts'

const updateOutcome = z.object({
  from: z.string(),
  to: z.string(),
  at: z.iso.datetime(),
  /** `stuck`: it should have been undone, and the old version did not start. */
  outcome: z.enum(['kept', 'undone', 'stuck']),
  /** In English. */
  reason: z.string(),
  /** The same, unless it is of another program or was written by an older launcher. */
  why: z.custom<Reason>(isReason).optional().catch(undefined),
})
/** How an update by the launcher ended; `from` and `to` are versions such as `0.2.0`. */
export type UpdateOutcome = z.infer<typeof updateOutcome>

export const launcherFolder = (dataDir: string) => join(dataDir, 'launcher')

/** The last update as the launcher stored it; undefined without a launcher or an update. */
export function readLastUpdate(dataDir: string): UpdateOutcome | undefined {
  try {
    const { last } = JSON.parse(readFileSync(join(launcherFolder(dataDir), 'state.json'), 'utf8'))
    return updateOutcome.safeParse(last).data
  } catch {
    return undefined
  }
}
