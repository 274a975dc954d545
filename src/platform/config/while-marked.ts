import { statSync, utimesSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { validating } from './unusable-settings.ts'

const touchEveryMs = 10_000
/** After this time without a touch, the process that left the marker is considered dead. */
const deadAfterMs = 60_000

/**
 * Creates a marker file while `work` runs, so that other processes notice by `isMarked` that it runs. The file is
 * touched regularly; a process id in it would not help, because containers reuse the same ids.
 * @param marker a path in the data folder
 * @throws {InvalidSettings} when it cannot be written
 */
export async function whileMarked<T>(marker: string, work: () => Promise<T>): Promise<T> {
  const touch = () => {
    writeFileSync(marker, '', { mode: 0o600 })
    // A network disk would use its own clock.
    const now = Date.now() / 1_000
    utimesSync(marker, now, now)
  }
  await validating('DATA_DIR', touch)
  const heartbeat = setInterval(() => {
    // A touch that fails, as on a full disk, does not end the work: the next one may succeed.
    try {
      touch()
    } catch {}
  }, touchEveryMs)
  try {
    return await work()
  } finally {
    clearInterval(heartbeat)
    await rm(marker, { force: true })
  }
}

/** Whether the process that created the marker still runs. */
export function isMarked(marker: string): boolean {
  const touchedAt = statSync(marker, { throwIfNoEntry: false })?.mtimeMs
  // A clock that was set back leaves a time in the future.
  return touchedAt !== undefined && Math.abs(Date.now() - touchedAt) <= deadAfterMs
}
