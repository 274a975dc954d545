import { parseArgs } from 'node:util'
import { configurationJsonSchema, readConfiguration } from '../domain/configuration/configuration.ts'
import { importConfiguration } from '../domain/configuration/import-configuration.ts'
import { loadConfiguration } from '../domain/configuration/load-configuration.ts'
import { readSettings, WrongSettings } from '../platform/config/settings.ts'
import { ConfigurationRefused, readSiteFile } from '../platform/config/site-file.ts'
import { type Database, openDatabase } from '../platform/db/database.ts'
import { NewerDatabase } from '../platform/db/migrations/index.ts'

const usage = `Usage: npm run cli -- <command>

  config check [file]    reads a configuration and says what is wrong with it
  config export          prints the configuration in force
  config import <file>   puts a configuration in force, as a new revision
  config schema          prints the JSON Schema of the configuration file
`

const { positionals } = parseArgs({ allowPositionals: true })
const [noun, verb, file] = positionals

try {
  process.exitCode = await run()
} catch (error) {
  const expected = [WrongSettings, ConfigurationRefused, NewerDatabase].some((kind) => error instanceof kind)
  process.stderr.write(`${expected ? (error as Error).message : ((error as Error).stack ?? String(error))}\n`)
  process.exitCode = 1
}

async function run(): Promise<number> {
  if (noun !== 'config') return wrongUse()
  if (verb === 'schema') return print(configurationJsonSchema())
  const settings = readSettings()
  if (verb === 'check') {
    const path = file ?? settings.siteConfig
    readConfiguration(readSiteFile(path), path)
    process.stdout.write(`${path} is good.\n`)
    return 0
  }
  if (verb === 'export') {
    const { site } = await withDatabase((db) => loadConfiguration(db, settings.siteConfig))
    return print({ $schema: './site.schema.json', ...site })
  }
  if (verb === 'import' && file) {
    const text = readSiteFile(file)
    const { id } = await withDatabase((db) =>
      importConfiguration(
        {
          now: () => new Date(),
          transaction: (work) => db.transaction().execute(work),
          signal: { letter: () => {}, content: () => {} },
        },
        { text, note: file },
      ),
    )
    process.stdout.write(`Revision ${id} is in force.\n`)
    return 0
  }
  return wrongUse()
}

/** An open connection would keep the program from ending. */
async function withDatabase<T>(work: (db: Database) => Promise<T>): Promise<T> {
  const { db } = await openDatabase(readSettings())
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}

function print(value: object): number {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`)
  return 0
}

function wrongUse(): number {
  process.stderr.write(usage)
  return 2
}
