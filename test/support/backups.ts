import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeBackup } from '../../src/cli/backup.ts'
import { listBackedUpTables } from '../../src/domain/backup/contents.ts'
import { runDueProof } from '../../src/domain/backup/run-proof.ts'
import { readReason, reasonText } from '../../src/i18n/reason.ts'
import { type Database, openDatabase } from '../../src/platform/db/database.ts'
import { closeAfterTest } from './close-after-test.ts'
import { runHere } from './run-here.ts'
import type { TestApp } from './test-app.ts'

export interface SiteStorage {
  dataDir: string
  databaseUrl: string | undefined
}

/** Settings of a command for the site with this data folder and database. */
export const settingsOf = ({ dataDir, databaseUrl }: SiteStorage): Record<string, string> => ({
  DATA_DIR: dataDir,
  ...(databaseUrl && { DATABASE_URL: databaseUrl }),
})

/** Runs `backup` in this process, into a new folder. @returns the archive, and what opens it elsewhere */
export async function aBackupOf(
  siteStorage: SiteStorage,
  more: Record<string, string> = {},
): Promise<{ archive: string; folder: string; key: Record<string, string> }> {
  const folder = mkdtempSync(join(tmpdir(), 'etalage-backups-'))
  closeAfterTest(() => rmSync(folder, { recursive: true, force: true }))
  const { code, err } = await runHere({ ...settingsOf(siteStorage), ...more }, () => writeBackup(folder))
  if (code !== 0) throw new Error(`the backup failed: ${err}`)
  const [name, ...others] = archivesIn(folder)
  if (!name || others.length > 0) throw new Error(`unexpected files: ${readdirSync(folder)}`)
  const BACKUP_KEY = readFileSync(join(siteStorage.dataDir, 'backup-key'), 'utf8').trim()
  return { archive: join(folder, name), folder, key: { BACKUP_KEY } }
}

/** What looks like a backup. */
export const archivesIn = (folder: string): string[] => readdirSync(folder).filter((name) => name.endsWith('.tar.age'))

/** All rows by table, as a backup has them; without the entry of a restore in the audit log. */
export async function rowsIn(siteStorage: SiteStorage): Promise<Record<string, string[]>> {
  const { db, dialect } = await openDatabase(siteStorage)
  try {
    const found: Record<string, string[]> = {}
    await db.connection().execute(async (connection) => {
      await dialect.copy.beginSnapshot(connection as Database)
      for (const table of await listBackedUpTables({ dialect }, connection as Database)) {
        const lines: string[] = []
        for await (const rows of dialect.copy.readRows(connection as Database, table)) {
          const columns = table.columns.filter((one) => table.name !== 'backup_run' || !columnsOfTheRun.includes(one))
          lines.push(...rows.map((row) => JSON.stringify(columns.map((column) => row[column]))))
        }
        found[table.name] = lines.filter((line) => !line.includes('"backup.restored"')).sort()
      }
      await dialect.copy.endSnapshot(connection as Database)
    })
    return found
  } finally {
    await db.destroy()
  }
}

/** The bytes of all stored files of a data folder, by path. */
export function filesIn({ dataDir }: SiteStorage): Record<string, string> {
  const root = join(dataDir, 'files')
  const names = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return Object.fromEntries(
    names
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => [path.slice(root.length), readFileSync(path).toString('base64')]),
  )
}

/** Of its own run a backup does not know them. */
const columnsOfTheRun = ['finished_at', 'hash']

/** Runs the proof that is due. @returns it, with its reason in English */
export async function proofOf(
  site: TestApp,
  signal?: AbortSignal,
  perform?: Parameters<typeof runDueProof>[2],
): Promise<Awaited<ReturnType<typeof runDueProof>>> {
  const proof = await runDueProof(site.app.context(), signal, perform)
  return proof && { ...proof, reason: reasonText(readReason(proof.reason), 'en') }
}

/** A backup that goes on in another process, so that this one makes and proves none. */
export async function aRunningBackup({ db }: { db: Database }): Promise<void> {
  const at = new Date().toISOString()
  const nothing = { day: null, finished_at: null, bytes: 0, row_count: 0, file_count: 0, hash: '', error: '' }
  await db
    .insertInto('backup_run')
    .values({
      ...{ made_by: 'clock', state: 'running', attempt: 1, target: '', name: '', asked_at: at, started_at: at },
      ...{ ...nothing, lease_until: '2999-01-01T00:00:00.000Z', actor_id: null, actor_name: '' },
    })
    .execute()
}
