import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { buildId } from 'virtual:build-id'

/** Stores the result of validating a configuration text. */
export interface ConfigurationCache<Config> {
  /** The result that this build of the program stored for the same text; else undefined. */
  find(text: string): Config | undefined
  store(text: string, config: Config): void
}

/**
 * A cache of the last validated configuration, in a file, because validating takes a sixth of a start. Without a build,
 * as in development, nothing is stored.
 */
export function configurationCache<Config extends object>(path: string, build = buildId): ConfigurationCache<Config> {
  const keyOf = (text: string) => createHash('sha256').update(`${build} ${text}`).digest('hex')
  return {
    find(text) {
      if (!build) return undefined
      try {
        const { key, config }: { key: string; config: Config } = JSON.parse(readFileSync(path, 'utf8'))
        return key === keyOf(text) ? config : undefined
      } catch {
        // Not stored yet, or not completely.
        return undefined
      }
    },
    store(text, config) {
      if (!build) return
      try {
        mkdirSync(dirname(path), { recursive: true })
        writeFileSync(path, JSON.stringify({ key: keyOf(text), config }))
      } catch {
        // The disk is full or read-only: the next start validates again.
      }
    },
  }
}
