import { readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { InvalidSettings } from './settings.ts'

/** The id of the process that replaces the site. */
const markerIn = (dataDir: string) => join(dataDir, 'restoring')

/** Lets no program of this machine start on the data folder while `work` replaces its site. */
export async function whileRestoring<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await writeFile(markerIn(dataDir), String(process.pid), { mode: 0o600 })
  try {
    return await work()
  } finally {
    await rm(markerIn(dataDir), { force: true })
  }
}

/** What a restore that was killed left behind does not count. @throws {InvalidSettings} while a restore replaces the site */
export function refuseWhileRestoring(dataDir: string): void {
  const pid = Number(readMarker(dataDir))
  if (!pid || pid === process.pid || !isRunning(pid)) return
  throw new InvalidSettings([
    {
      name: 'DATA_DIR',
      found: `a site that process ${pid} replaces by that of a backup`,
      wanted: 'the end of that restore',
    },
  ])
}

function readMarker(dataDir: string): string | undefined {
  try {
    return readFileSync(markerIn(dataDir), 'utf8')
  } catch {
    return undefined
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
