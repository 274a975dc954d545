import { readFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { z } from 'zod'

const versionNumber = z.string().regex(/^\d+\.\d+\.\d+$/)

const isBelowFolder = (path: string) => !isAbsolute(path) && !path.split('/').includes('..')

const releaseFile = z.object({
  version: versionNumber,
  /** The oldest version that can run on the same database at the same time. */
  runsBesideSince: versionNumber,
  /** Paths of pages that look different on purpose (`*`: all pages): a rehearsal of the update does not report them. */
  changedPages: z.array(z.string()).default([]),
  /** How the launcher starts the server; `program` is a path below the folder. */
  start: z
    .object({
      program: z.string().refine(isBelowFolder, 'must be below the folder of the release'),
      args: z.array(z.string()),
      environment: z.record(z.string(), z.string()),
    })
    .optional(),
})

/** The content of the `release.json` of a release, and its folder. */
export interface Release extends z.infer<typeof releaseFile> {
  folder: string
}

/** A folder that is not a release; the message is for the operator. */
export class NotARelease extends Error {}

/**
 * Reads `release.json`. In a checkout, the version is that of `package.json`.
 * @throws {NotARelease}
 */
export function readRelease(folder: string): Release {
  try {
    const readJson = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'))
    const content = readJson('release.json')
    const version = content.version ?? readJson('package.json').version
    return { ...releaseFile.parse({ version, ...content }), folder }
  } catch (cause) {
    const reason = cause instanceof z.ZodError ? `release.json: ${z.prettifyError(cause)}` : (cause as Error).message
    throw new NotARelease(`${folder} is not a release, as \`npm run release\` makes it: ${reason}`, { cause })
  }
}

/** Compares versions such as `0.2.0`: negative when `a` is older, positive when it is newer, 0 when they are equal. */
export function compareVersions(a: string, b: string): number {
  const [partsOfA, partsOfB] = [a, b].map((version) => version.split('.').map(Number))
  for (let index = 0; index < 3; index++) {
    const difference = (partsOfA?.[index] ?? 0) - (partsOfB?.[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** @returns why the update is not possible; undefined: `next` is not older, and can run beside `current` */
export function findUpdateProblem(next: Release, current: Release): string | undefined {
  if (compareVersions(next.version, current.version) < 0) {
    return `${next.version} is older than ${current.version}, which runs.`
  }
  if (compareVersions(current.version, next.runsBesideSince) >= 0) return undefined
  return (
    `${next.version} cannot run beside ${current.version}: it runs beside ${next.runsBesideSince} and later. ` +
    `Update to ${next.runsBesideSince} first.`
  )
}
