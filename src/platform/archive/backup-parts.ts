import { join, resolve } from 'node:path'
import type { Settings } from '../config/settings.ts'
import { publicFolderOf, readSiteFile } from '../config/site-file.ts'
import { type OpenDatabase, openDatabase } from '../db/database.ts'
import type { BackupKey } from './backup-key.ts'

/** A statement timeout that is longer than any statement on the whole database takes. */
export const longStatementTimeoutMs = 6 * 60 * 60_000

/** The dependencies of backups besides the database, from the settings of the program. */
export interface BackupParts {
  /** The folder of `BACKUP_DIR`. */
  defaultFolder: string
  /** Folders that may not contain backups, because they are served or backed up themselves. */
  otherFolders: string[]
  /** Opens a separate connection: reading the whole database would block the one that the site uses. */
  openDatabase(): Promise<OpenDatabase>
  /** The text of the configuration file, as it was when it was loaded. */
  configuration(): string
  /** The key of the backups; undefined when there is none yet. */
  findKey(): Promise<BackupKey | undefined>
  /** The key of the backups, which is created when there is none. */
  key(): Promise<BackupKey>
}

export function createBackupParts(
  settings: Pick<Settings, 'backupDir' | 'backupKey' | 'dataDir' | 'databaseUrl' | 'siteConfig'>,
): BackupParts {
  const { dataDir, databaseUrl, siteConfig, backupKey } = settings
  // Encryption is loaded when it is needed.
  const findKey = async () => (await import('./backup-key.ts')).findBackupKey(dataDir, backupKey)
  return {
    defaultFolder: resolve(settings.backupDir),
    otherFolders: [join(dataDir, 'files'), publicFolderOf(siteConfig)].map((folder) => resolve(folder)),
    openDatabase: () =>
      openDatabase({ dataDir, databaseUrl, databasePoolSize: 2, databaseTimeoutMs: longStatementTimeoutMs }),
    configuration: () => readSiteFile(siteConfig),
    findKey,
    async key() {
      const found = await findKey()
      if (found) return found
      await (await import('./backup-key.ts')).createBackupKey(dataDir)
      return (await findKey()) as BackupKey
    },
  }
}
