import { join, resolve } from 'node:path'
import type { Settings } from '../config/settings.ts'
import { publicFolderOf, readSiteFile } from '../config/site-file.ts'
import { type OpenDatabase, openDatabase } from '../db/database.ts'
import type { BackupKey } from './backup-key.ts'

/** A statement timeout for statements that read or write whole tables. */
export const longStatementTimeoutMs = 6 * 60 * 60_000

/** Dependencies of backups besides the site's database, made from the settings. */
export interface BackupParts {
  /** The folder of `BACKUP_DIR`. */
  defaultFolder: string
  /** Folders that may not contain backups, because they are served or backed up themselves. */
  otherFolders: string[]
  /** Opens a separate connection: reading the whole database would block the one that the site uses. */
  openDatabase(): Promise<OpenDatabase>
  /** Returns the text of the configuration file. */
  configuration(): string
  /** Returns the key of this instance; undefined when there is none yet. */
  findKey(): Promise<BackupKey | undefined>
  /** Returns the key of this instance, which is created when there is none. */
  key(): Promise<BackupKey>
}

export function createBackupParts(
  settings: Pick<Settings, 'backupDir' | 'backupKey' | 'dataDir' | 'databaseUrl' | 'siteConfig'>,
): BackupParts {
  const { dataDir, databaseUrl, siteConfig, backupKey } = settings
  // Imported when needed, because of the encryption library.
  const findKey = async () => (await import('./backup-key.ts')).findBackupKey(dataDir, backupKey)
  return {
    defaultFolder: resolve(settings.backupDir),
    otherFolders: [join(dataDir, 'files'), publicFolderOf(siteConfig)].map((folder) => resolve(folder)),
    openDatabase: () =>
      openDatabase({ dataDir, databaseUrl, databasePoolSize: 2, databaseTimeoutMs: longStatementTimeoutMs }),
    configuration: () => readSiteFile(siteConfig),
    findKey,
    async key() {
      const key = await findKey()
      if (key) return key
      await (await import('./backup-key.ts')).createBackupKey(dataDir)
      return (await findKey()) as BackupKey
    },
  }
}
