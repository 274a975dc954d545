import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { isReason, type Reason } from '../../i18n/reason.ts'

const updateOutcome = z.object({
  from: z.string(),
  to: z.string(),
  at: z.iso.datetime(),
  /** `kept`: the new version runs; `stuck`: the update failed, and the old version did not start again. */
  outcome: z.enum(['kept', 'undone', 'stuck']),
  /** Why the update was undone or is stuck, in English. */
  reason: z.string(),
  /** The same reason, to be translated; absent for a reason of another version, and from an older launcher. */
  why: z.custom<Reason>(isReason).optional().catch(undefined),
})
/** The outcome of an update by the launcher; `from` and `to` are versions such as `0.2.0`. */
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
