import { statSync, utimesSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { InvalidSettings } from './settings.ts'

/** Touched while a restore replaces the site. The id of its process would say nothing: containers have the same ones. */
const markerIn = (dataDir: string) => join(dataDir, 'restoring')

const touchEveryMs = 10_000
/** A restore that was killed does not count after this. */
const countsForMs = 60_000

/** Lets no program start on the data folder while `work` replaces its site. */
export async function whileRestoring<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const marker = markerIn(dataDir)
  await writeFile(marker, '', { mode: 0o600 })
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
