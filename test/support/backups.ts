import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeBackup } from '../../src/cli/backup.ts'
import { listBackedUpTables } from '../../src/domain/backup/contents.ts'
import { runDueProof } from '../../src/domain/backup/run-proof.ts'
import { readReason, reasonText } from '../../src/i18n/reason.ts'
import { type Database, openDatabase } from '../../src/platform/db/database.ts'
import { closeAfterTest } from './close-after-test.ts'
import { runCommandInProcess } from './run-command-in-process.ts'
import type { TestApp } from './test-app.ts'

export interface SiteStorage {
  dataDir: string
  databaseUrl: string | undefined
}

/** The settings, by environment variable, that point the command line to this data folder and database. */
export const dataSettingsOf = ({ dataDir, databaseUrl }: SiteStorage): Record<string, string> => ({
  DATA_DIR: dataDir,
  ...(databaseUrl && { DATABASE_URL: databaseUrl }),
})

/**
 * Runs the command `backup` in this process, into a new folder that is removed when the test ends.
 * @returns the path of the archive, its folder, and as `key` the setting with which another site decrypts it
 */
export async function aBackupOf(
  siteStorage: SiteStorage,
  extraSettings: Record<string, string> = {},
): Promise<{ archive: string; folder: string; key: Record<string, string> }> {
  const folder = mkdtempSync(join(tmpdir(), 'etalage-backups-'))
  closeAfterTest(() => rmSync(folder, { recursive: true, force: true }))
  const { code, err } = await runCommandInProcess({ ...dataSettingsOf(siteStorage), ...extraSettings }, () =>
    writeBackup(folder),
  )
  if (code !== 0) throw new Error(`the backup failed: ${err}`)
  const [name, ...others] = archivesIn(folder)
  if (!name || others.length > 0) throw new Error(`unexpected files: ${readdirSync(folder)}`)
  const BACKUP_KEY = readFileSync(join(siteStorage.dataDir, 'backup-key'), 'utf8').trim()
  return { archive: join(folder, name), folder, key: { BACKUP_KEY } }
}

/** The names of the backup archives in a folder. */
export const archivesIn = (folder: string): string[] => readdirSync(folder).filter((name) => name.endsWith('.tar.age'))

/** The sorted rows of each table that a backup contains, as JSON; without the entries of restores in the audit log. */
export async function rowsIn(siteStorage: SiteStorage): Promise<Record<string, string[]>> {
  const { db, dialect } = await openDatabase(siteStorage)
  try {
    const rowsByTable: Record<string, string[]> = {}
    await db.connection().execute(async (connection) => {
      await dialect.copy.beginSnapshot(connection as Database)
      for (const table of await listBackedUpTables({ dialect }, connection as Database)) {
        const lines: string[] = []
        for await (const rows of dialect.copy.readRows(connection as Database, table)) {
          const columns = table.columns.filter(
            (column) => table.name !== 'backup_run' || !columnsSetAtEnd.includes(column),
          )
          lines.push(...rows.map((row) => JSON.stringify(columns.map((column) => row[column]))))
        }
        rowsByTable[table.name] = lines.filter((line) => !line.includes('"backup.restored"')).sort()
      }
      await dialect.copy.endSnapshot(connection as Database)
    })
    return rowsByTable
  } finally {
    await db.destroy()
  }
}

/** The content in base64 of all stored files of a data folder, by path. */
export function filesIn({ dataDir }: SiteStorage): Record<string, string> {
  const root = join(dataDir, 'files')
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return Object.fromEntries(
    entries
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => [path.slice(root.length), readFileSync(path).toString('base64')]),
  )
}

/** Set when a backup has ended, so its copy of its own row lacks them. */
const columnsSetAtEnd = ['finished_at', 'hash']

/**
 * Runs the proof (the test restore) of a backup that is due.
 * @returns it, with its reason in English; undefined when none was due
 */
export async function runProof(
  site: TestApp,
  signal?: AbortSignal,
  perform?: Parameters<typeof runDueProof>[2],
): Promise<Awaited<ReturnType<typeof runDueProof>>> {
  const proof = await runDueProof(site.app.context(), signal, perform)
  return proof && { ...proof, reason: reasonText(readReason(proof.reason), 'en') }
}

/** Inserts the row of a backup that another process is making, so that this app makes and proves none. */
export async function aRunningBackup({ db }: { db: Database }): Promise<void> {
  const now = new Date().toISOString()
  const emptyResult = { day: null, finished_at: null, bytes: 0, row_count: 0, file_count: 0, hash: '', error: '' }
  await db
    .insertInto('backup_run')
    .values({
      ...{ made_by: 'clock', state: 'running', attempt: 1, target: '', name: '', asked_at: now, started_at: now },
      ...{ ...emptyResult, lease_until: '2999-01-01T00:00:00.000Z', actor_id: null, actor_name: '' },
    })
    .execute()
}
