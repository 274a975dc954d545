import { mkdir, rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Reason } from '../../i18n/reason.ts'
import { InvalidSettings } from '../../platform/config/settings.ts'
import type { Context } from '../../platform/context.ts'
import { type OpenDatabase, openDatabase, sqlitePath } from '../../platform/db/database.ts'
import { emptyDatabaseFile } from '../../platform/db/empty-database.ts'
import { createTemporaryFiles } from '../../platform/storage/temporary-files.ts'
import { type Restored, type RestoreSource, restoreBackup } from './restore-backup.ts'

/** The disk space to restore an archive of this size aside: the archive, the database made from it, and the largest file. */
export const spaceToRestore = (bytes: number): number => bytes * 4

/** Why so many bytes of a backup cannot be restored in a folder, undefined when they can. */
export async function findMissingSpace(folder: string, needed: number): Promise<Reason | undefined> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize >= needed) return undefined
  const megabytes = (some: number) => Math.ceil(some / 1_000_000)
  return { key: 'noRoom', needed: megabytes(needed), free: megabytes(bavail * bsize) }
}

/**
 * Restores a checked backup into a SQLite in a new folder, whatever its database was, with the tables of today and without
 * the stored files.
 */
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

/** Running all migrations on an empty database blocks the event loop for half a second, so it begins with a file that has them. */
async function openNewCopy(dataDir: string): Promise<OpenDatabase> {
  const path = sqlitePath(dataDir)
  try {
    await writeFile(path, emptyDatabaseFile(), { mode: 0o600 })
  } catch {
    // SQLite then says what hinders it, in an error that is known everywhere.
    await rm(path, { force: true })
  }
  return openCopy(dataDir)
}

/** Opens the SQLite in the folder of a copy. No setting is at fault when that fails. @throws what SQLite says */
export const openCopy = (dataDir: string): Promise<OpenDatabase> =>
  openDatabase({ dataDir }).catch((error) => {
    throw error instanceof InvalidSettings ? error.cause : error
  })
