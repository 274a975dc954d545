import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { createFileOnce, UnusableFile } from '../config/secret.ts'
import { InvalidSettings } from '../config/settings.ts'

/** The key pair of the backups (age): `recipient` encrypts, `identity` decrypts. */
export interface BackupKey {
  identity: string
  recipient: string
}

export const backupKeyPath = (dataDir: string) => join(dataDir, 'backup-key')

/** The key in BACKUP_KEY, or else in the data folder; undefined without one. @throws {InvalidSettings}; {UnusableFile} */
export async function findBackupKey(dataDir: string, setting: string | undefined): Promise<BackupKey | undefined> {
  const path = backupKeyPath(dataDir)
  if (!setting && !existsSync(path)) return undefined
  const identity = setting ?? readFileSync(path, 'utf8').trim()
  try {
    return { identity, recipient: await identityToRecipient(identity) }
  } catch {
    throw setting
      ? new InvalidSettings([
          { name: 'BACKUP_KEY', found: 'a key with a typing error', wanted: 'the key of the recovery sheet' },
        ])
      : new UnusableFile(`${path} holds no key of backups. Put the key of the recovery sheet in it.`)
  }
}

/** As `findBackupKey`. @throws {InvalidSettings} also when there is none yet */
export async function getBackupKey(dataDir: string, setting: string | undefined): Promise<BackupKey> {
  const key = await findBackupKey(dataDir, setting)
  if (key) return key
  throw new InvalidSettings([{ name: 'BACKUP_KEY', found: 'nothing', wanted: 'the key of the recovery sheet' }])
}

/** Creates the key file in the data folder, unless it exists. @param identity a new key if it is left out */
export async function createBackupKey(dataDir: string, identity?: string): Promise<void> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  createFileOnce(backupKeyPath(dataDir), `${identity ?? (await generateX25519Identity())}\n`)
}
