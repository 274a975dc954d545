import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { InvalidSettings } from './settings.ts'
import { validating } from './unusable-settings.ts'
import { isMarked, whileMarked } from './while-marked.ts'

const markerIn = (dataDir: string) => join(dataDir, 'restoring')

/**
 * Runs `work`, a restore. Meanwhile the program does not start on this data folder, and no second restore runs.
 * @throws {InvalidSettings} while another restore runs
 */
export async function whileRestoring<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  await validating('DATA_DIR', () => mkdir(dataDir, { recursive: true, mode: 0o700 }))
  refuseWhileRestoring(dataDir)
  return whileMarked(markerIn(dataDir), work)
}

/** @throws {InvalidSettings} while a restore replaces the site of this data folder */
export function refuseWhileRestoring(dataDir: string): void {
  if (!isMarked(markerIn(dataDir))) return
  throw new InvalidSettings([
    {
      name: 'DATA_DIR',
      found: 'a site that a restore replaces by that of a backup',
      wanted: 'the end of that restore, or a minute after it was killed',
    },
  ])
}
