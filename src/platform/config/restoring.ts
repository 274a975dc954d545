import { statSync, utimesSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { InvalidSettings } from './settings.ts'
import { validating } from './unusable-settings.ts'

/** A file that is touched while a restore runs. A process id would not help: containers reuse the same ids. */
const markerIn = (dataDir: string) => join(dataDir, 'restoring')

const touchEveryMs = 10_000
/** After this time without a touch, the restore is considered dead. */
const countsForMs = 60_000

/** Prevents the program from starting on this data folder while `work` runs. */
export async function whileRestoring<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const marker = markerIn(dataDir)
  await validating('DATA_DIR', async () => {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    await writeFile(marker, '', { mode: 0o600 })
  })
  const heartbeat = setInterval(() => utimesSync(marker, new Date(), new Date()), touchEveryMs)
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
  if (touched === undefined || Date.now() - touched > countsForMs) return
  throw new InvalidSettings([
    {
      name: 'DATA_DIR',
      found: 'a site that a restore replaces by that of a backup',
      wanted: 'the end of that restore, or a minute after it was killed',
    },
  ])
}
