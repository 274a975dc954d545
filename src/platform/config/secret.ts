import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The secret that fingerprints and signed links rest on: the setting, or else one made at the first start and kept in `secret` under the data folder. */
export function keepSecret(dataDir: string, setting: string | undefined): string {
  if (setting) return setting
  const path = join(dataDir, 'secret')
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  try {
    // `wx`: of two programs that start at once one writes and both read the same.
    writeFileSync(path, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const secret = readFileSync(path, 'utf8').trim()
  if (secret.length < 32)
    throw new Error(
      `${path} holds ${secret.length} characters; at least 32 are wanted. Delete it to have a new one made.`,
    )
  return secret
}
