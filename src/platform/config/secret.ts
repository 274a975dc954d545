import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The secret for fingerprints and signed links: the setting, or else one that is generated at the first start and
 * stored as `secret` in the data folder.
 */
export function loadSecret(dataDir: string, setting: string | undefined): string {
  if (setting) return setting
  const path = join(dataDir, 'secret')
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  if (!existsSync(path)) makeSecret(path)
  const secret = readFileSync(path, 'utf8').trim()
  if (secret.length < 32)
    throw new Error(
      `${path} holds ${secret.length} characters; at least 32 are wanted. Delete it to have a new one made.`,
    )
  return secret
}

/**
 * Written under a temporary name and then linked, which fails if the file exists: two processes that start together
 * read the same secret.
 */
function makeSecret(path: string): void {
  const beside = `${path}.${randomUUID()}`
  writeFileSync(beside, randomBytes(32).toString('hex'), { mode: 0o600, flush: true })
  try {
    linkSync(beside, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(beside, { force: true })
  }
}
