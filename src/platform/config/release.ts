import { readFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { z } from 'zod'

const numbers = z.string().regex(/^\d+\.\d+\.\d+$/)

const isBelow = (path: string) => !isAbsolute(path) && !path.split('/').includes('..')

const releaseFile = z.object({
  version: numbers,
  runsBesideSince: numbers,
  changedPages: z.array(z.string()).default([]),
  start: z
    .object({
      program: z.string().refine(isBelow, 'must be below the folder of the release'),
      args: z.array(z.string()),
      environment: z.record(z.string(), z.string()),
    })
    .optional(),
})

/** The content of a release's `release.json`. */
export interface Release extends z.infer<typeof releaseFile> {
  folder: string
}

/** A folder that is not a release; the message is for the operator. */
export class NotARelease extends Error {}

/**
 * Reads `release.json`; in a checkout, which has no number there, also `package.json`.
 * @throws {NotARelease}
 */
export function readRelease(folder: string): Release {
  try {
    const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'))
    const stated = read('release.json')
    return { ...releaseFile.parse({ version: stated.version ?? read('package.json').version, ...stated }), folder }
  } catch (cause) {
    const why = cause instanceof z.ZodError ? `release.json: ${z.prettifyError(cause)}` : (cause as Error).message
    throw new NotARelease(`${folder} is not a release, as \`npm run release\` makes it: ${why}`, { cause })
  }
}

/** Negative when the first version is older. */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [one, other].map((version) => version.split('.').map(Number))
  for (let at = 0; at < 3; at++) {
    const difference = (a?.[at] ?? 0) - (b?.[at] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** @returns why the update must not be made; undefined when both versions can run beside each other */
export function whyNotBeside(next: Release, present: Release): string | undefined {
  if (compareVersions(next.version, present.version) < 0) {
    return `${next.version} is older than ${present.version}, which runs.`
  }
  if (compareVersions(present.version, next.runsBesideSince) >= 0) return undefined
  return (
    `${next.version} cannot run beside ${present.version}: it runs beside ${next.runsBesideSince} and later. ` +
    `Update to ${next.runsBesideSince} first.`
  )
}
