import { statSync, utimesSync, writeFileSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { InvalidSettings } from './settings.ts'
import { validating } from './unusable-settings.ts'

/** A file that is touched while a restore runs. A process id would not help: containers reuse the same ids. */
const markerIn = (dataDir: string) => join(dataDir, 'restoring')

const touchEveryMs = 10_000
/** After this time without a touch, the restore is considered dead. */
const deadAfterMs = 60_000

/**
 * Prevents the program from starting on this data folder, and a second restore of it, while `work` runs.
 * @throws {InvalidSettings} while another restore runs
 */
export async function whileRestoring<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const marker = markerIn(dataDir)
  const touch = () => {
    writeFileSync(marker, '', { mode: 0o600 })
    // A disk on the network has a clock of its own.
    const now = Date.now() / 1_000
    utimesSync(marker, now, now)
  }
  await validating('DATA_DIR', async () => {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    refuseWhileRestoring(dataDir)
    touch()
  })
  const heartbeat = setInterval(() => {
    // A touch that fails, as on a full disk, does not end the restore: the next one may succeed.
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

/** @throws {InvalidSettings} while a restore replaces the site */
export function refuseWhileRestoring(dataDir: string): void {
  const touched = statSync(markerIn(dataDir), { throwIfNoEntry: false })?.mtimeMs
  // A clock that was set back leaves a time in the future.
  if (touched === undefined || Math.abs(Date.now() - touched) > deadAfterMs) return
  throw new InvalidSettings([
    {
      name: 'DATA_DIR',
      found: 'a site that a restore replaces by that of a backup',
      wanted: 'the end of that restore, or a minute after it was killed',
    },
  ])
}
