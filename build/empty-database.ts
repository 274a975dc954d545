import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { Kysely } from 'kysely'
import type { Plugin } from 'vite'
import type { Tables } from '../src/platform/db/tables/index.ts'

const id = '\0virtual:empty-database'

/** A module with a migrated, empty SQLite database, because running all migrations takes half a second. */
export function emptyDatabase(): Plugin {
  return {
    name: 'etalage:empty-database',
    resolveId: (source) => (`\0${source}` === id ? id : undefined),
    load: (source) => (source === id ? makeDatabase() : undefined),
  }
}

/** @returns the source of the module */
async function makeDatabase(): Promise<string> {
  // By URL: Vite would bundle a static import into its configuration, which every command loads.
  const { sqlite } = await importSource<typeof import('../src/platform/db/dialect/sqlite.ts')>('dialect/sqlite.ts')
  const { migrate } = await importSource<typeof import('../src/platform/db/migrations/index.ts')>('migrations/index.ts')
  const folder = await mkdtemp(join(tmpdir(), 'etalage-empty-'))
  try {
    const path = join(folder, 'empty.sqlite')
    const dialect = sqlite(path)
    const db = new Kysely<Tables>({ dialect: dialect.kysely })
    // The cast: each migration sees the tables of its own version.
    await migrate(db as unknown as Kysely<never>, dialect)
    const tables = (await dialect.copy.listTables(db)).map(({ name, columns }) => [name, columns])
    // Closing moves the write-ahead log into the file.
    await db.destroy()
    const file = brotliCompressSync(await readFile(path)).toString('base64')
    return `export const tables = ${JSON.stringify(Object.fromEntries(tables))}\nexport const file = '${file}'`
  } finally {
    await rm(folder, { recursive: true })
  }
}

const importSource = async <Module>(path: string): Promise<Module> =>
  import(new URL(`../src/platform/db/${path}`, import.meta.url).href)
