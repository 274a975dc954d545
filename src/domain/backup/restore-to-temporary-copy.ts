import { mkdir, rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Reason } from '../../i18n/reason.ts'
import { InvalidSettings } from '../../platform/config/settings.ts'
import type { Context } from '../../platform/context.ts'
import { type OpenDatabase, openDatabase, sqlitePath } from '../../platform/db/database.ts'
import { emptyDatabaseFile } from '../../platform/db/empty-database.ts'
import { createTemporaryFiles } from '../../platform/storage/temporary-files.ts'
import { type Restored, type RestoreSource, restoreBackup } from './restore-backup.ts'

/** The bytes of disk space for an archive of this size, the database that is made from it, and the largest file. */
export const spaceToRestore = (bytes: number): number => bytes * 4

/** The reason when the disk of a folder has less free space than needed, in bytes; undefined when it has enough. */
export async function findMissingSpace(folder: string, needed: number): Promise<Reason | undefined> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize >= needed) return undefined
  const megabytes = (bytes: number) => Math.ceil(bytes / 1_000_000)
  return { key: 'noRoom', needed: megabytes(needed), free: megabytes(bavail * bsize) }
}

/** Restores a checked backup of either database into SQLite, without the stored files. @param dataDir does not exist yet */
export async function restoreToTemporaryCopy(
  { now }: Pick<Context, 'now'>,
  from: Omit<RestoreSource, 'moved'>,
  dataDir: string,
): Promise<Restored> {
  await mkdir(dataDir, { mode: 0o700 })
  const { db, dialect } = await openNewCopy(dataDir)
  try {
    return await restoreBackup(
      {
        ...{ db, dialect, dataDir, now, storage: undefined, isNew: true },
        temporaryFiles: createTemporaryFiles(join(dataDir, 'arriving')),
        secret: undefined,
        secretIsSetting: false,
      },
      { ...from, moved: false },
    )
  } finally {
    await db.destroy()
  }
}

/**
 * Opens a new database. It is copied from one with today's tables: running all migrations would block the event loop
 * for half a second.
 */
async function openNewCopy(dataDir: string): Promise<OpenDatabase> {
  const path = sqlitePath(dataDir)
  try {
    await writeFile(path, emptyDatabaseFile(), { mode: 0o600 })
  } catch {
    // SQLite reports the same obstacle in an error that callers recognise.
    await rm(path, { force: true })
  }
  return openCopy(dataDir)
}

/** Opens the SQLite database of a copy. @throws the error of SQLite, without the hint that a setting is wrong */
export const openCopy = (dataDir: string): Promise<OpenDatabase> =>
  openDatabase({ dataDir }).catch((error) => {
    throw error instanceof InvalidSettings ? error.cause : error
  })
