import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { InvalidSettings } from './settings.ts'

/**
 * The secret that signs and encrypts, see `Context.secret`: the setting, or else one that is generated at the first
 * start and stored in the file `secret` of the data folder.
 * @throws {InvalidSettings} while a restore was interrupted
 * @throws {UnusableFile} when the stored secret is too short, or a folder
 */
export function loadSecret(dataDir: string, setting: string | undefined): string {
  if (setting) return setting
  const path = join(dataDir, 'secret')
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  if (existsSync(pendingSecretPath(dataDir))) {
    throw new InvalidSettings([
      {
        name: 'DATA_DIR',
        found: 'a restore that was cut off',
        wanted: 'the same command `restore`, run again to its end',
      },
    ])
  }
  removeAbandonedFiles(dataDir)
  if (!existsSync(path)) createFileOnce(path, randomBytes(32).toString('hex'))
  if (statSync(path).isDirectory()) throw new UnusableFile(`${path} is a folder; a file with the secret is wanted.`)
  const secret = readFileSync(path, 'utf8').trim()
  if (secret.length < 32)
    throw new UnusableFile(
      `${path} holds ${secret.length} characters; at least 32 are wanted. Delete it to have a new one made.`,
    )
  return secret
}

/** A file of the data folder does not have the content that the program wrote. */
export class UnusableFile extends Error {
  override name = 'UnusableFile'
}

/** A process that is just starting needs its temporary file for a much shorter time. */
const abandonedAfterMs = 60 * 60_000

/** Removes the temporary files of `createFileOnce` that a killed process left, because each has a secret. */
function removeAbandonedFiles(dataDir: string): void {
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
 * The file for the secret of a backup until a restore has replaced the database, which only works with its own secret.
 */
export const pendingSecretPath = (dataDir: string) => join(dataDir, 'secret.restoring')

/**
 * Creates a file that only its owner may read, unless it exists. It is written under a temporary name and then linked,
 * which fails if the file exists: two processes that start together read the same content.
 */
export function createFileOnce(path: string, text: string): void {
  const temporaryPath = `${path}.${randomUUID()}`
  try {
    writeFileSync(temporaryPath, text, { mode: 0o600, flush: true })
    linkSync(temporaryPath, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(temporaryPath, { force: true })
  }
}

/** The path of the site's fingerprint, by which the health check tells the site from another one at its URL. */
export const siteMarkPath = '/.well-known/etalage'

/** The same for every instance of the site, and different for every other site. */
export const siteFingerprint = (secret: string): string =>
  createHmac('sha256', secret).update('mark of the site').digest('base64url')
