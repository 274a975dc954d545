import { compareVersions, readRelease } from '../../config/release.ts'
import { migrationNames } from './migration-names.ts'

/** `0050-more@0.2.0`: tables are only added to, so that programs since this version can go on using them. */
const statedVersion = /@(\d+\.\d+\.\d+)$/

/**
 * What newer versions did to the database.
 * @param done the names of the migrations that were run
 * @returns all of them, and those of which the newer version does not state that this program can run on them
 */
export function findNewerMigrations(done: readonly string[]): { newer: string[]; unusable: string[] } {
  const known = new Set<string>(migrationNames)
  const newer = done.filter((name) => !known.has(name))
  if (newer.length === 0) return { newer, unusable: [] }
  const { version } = readRelease(process.cwd())
  const unusable = newer.filter((name) => {
    const since = statedVersion.exec(name)?.[1]
    return since === undefined || compareVersions(version, since) < 0
  })
  return { newer, unusable }
}
