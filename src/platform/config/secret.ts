import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The secret that fingerprints and signed links rest on: the setting, or else one made at the first start and kept in `secret` under the data folder. */
export function keepSecret(dataDir: string, setting: string | undefined): string {
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

/** Whole before it has its name, and only the first gets that: of two programs that start at once both read the same. */
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
