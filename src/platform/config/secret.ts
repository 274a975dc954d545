import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { InvalidSettings } from './settings.ts'

/**
 * The secret for fingerprints and signed links: the setting, or else one that is generated at the first start and
 * stored as `secret` in the data folder.
 */
export function loadSecret(dataDir: string, setting: string | undefined): string {
  if (setting) return setting
  const path = join(dataDir, 'secret')
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  if (existsSync(unfinishedRestoreIn(dataDir))) {
    throw new InvalidSettings([
      {
        name: 'DATA_DIR',
        found: 'a restore that was cut off',
        wanted: 'the same command `restore`, run again to its end',
      },
    ])
  }
  removeAbandonedCopies(dataDir)
  if (!existsSync(path)) createOnce(path, randomBytes(32).toString('hex'))
  if (statSync(path).isDirectory()) throw new UnusableFile(`${path} is a folder; a file with the secret is wanted.`)
  const secret = readFileSync(path, 'utf8').trim()
  if (secret.length < 32)
    throw new UnusableFile(
      `${path} holds ${secret.length} characters; at least 32 are wanted. Delete it to have a new one made.`,
    )
  return secret
}

/** A file of the data folder has other content than the program wrote. */
export class UnusableFile extends Error {
  override name = 'UnusableFile'
}

/** A process that starts at the same moment has named its file long before. */
const abandonedAfterMs = 60 * 60_000

/** Removes the files of `createOnce` that a killed process left: each has a secret, or a key of the backups. */
function removeAbandonedCopies(dataDir: string): void {
  for (const name of readdirSync(dataDir)) {
    if (!/^(secret|backup-key)\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(name)) continue
    const path = join(dataDir, name)
    const { mtimeMs = Date.now() } = statSync(path, { throwIfNoEntry: false }) ?? {}
    if (Date.now() - mtimeMs >= abandonedAfterMs) rmSync(path, { force: true })
  }
}

/** Like `loadSecret`, but neither creates nor validates a secret: for a restore, which replaces it. */
export function findSecret(dataDir: string, setting: string | undefined): string | undefined {
  const path = join(dataDir, 'secret')
  return setting || (existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined)
}

/**
 * The file in which a restore keeps the backup's secret until the database is replaced: a database only works with its own
 * secret.
 */
export const unfinishedRestoreIn = (dataDir: string) => join(dataDir, 'secret.restoring')

/**
 * Creates a file that only its owner may read. It is written under a temporary name and then linked, which fails if the
 * file exists: two processes that start together read the same content.
 */
export function createOnce(path: string, text: string): void {
  const beside = `${path}.${randomUUID()}`
  try {
    writeFileSync(beside, text, { mode: 0o600, flush: true })
    linkSync(beside, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(beside, { force: true })
  }
}

/** Where the site answers its mark, by which the health check tells it from another site at its address. */
export const siteMarkPath = '/.well-known/etalage'

/** The same for every copy of the site, and from no other one. */
export const siteFingerprint = (secret: string): string =>
  createHmac('sha256', secret).update('mark of the site').digest('base64url')
