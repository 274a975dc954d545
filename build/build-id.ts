import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const id = '\0virtual:build-id'

/**
 * A module with the build id: a hash of the sources and package versions, by which a build recognises what it cached.
 * @param developmentId the id where nothing is built
 */
export function buildId(developmentId = ''): Plugin {
  let hash = developmentId
  return {
    name: 'etalage:build-id',
    configResolved({ command }) {
      if (command === 'build') hash = hashSources()
    },
    resolveId: (source) => (`\0${source}` === id ? id : undefined),
    load: (source) => (source === id ? `export const buildId = '${hash}'` : undefined),
  }
}

function hashSources(): string {
  const sources = readdirSync('src', { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  const hash = createHash('sha256')
  for (const path of ['package-lock.json', ...sources]) hash.update(path).update(readFileSync(path))
  return hash.digest('hex')
}
