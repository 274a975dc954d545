import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { configurationJsonSchema, readConfiguration } from '../domain/configuration/configuration.ts'
import { importConfiguration } from '../domain/configuration/import-configuration.ts'
import { loadConfiguration } from '../domain/configuration/load-configuration.ts'
import { readSettings, WrongSettings } from '../platform/config/settings.ts'
import { ConfigurationRefused } from '../platform/config/site-file.ts'
import { openDatabase } from '../platform/db/database.ts'

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
  const expected = error instanceof ConfigurationRefused || error instanceof WrongSettings
  process.stderr.write(`${expected ? error.message : ((error as Error).stack ?? String(error))}\n`)
  process.exitCode = 1
}

async function run(): Promise<number> {
  if (noun !== 'config') return wrongUse()
  if (verb === 'schema') return print(configurationJsonSchema())
  const settings = readSettings()
  if (verb === 'check') {
    const path = file ?? settings.siteConfig
    readConfiguration(readFileSync(path, 'utf8'), path)
    process.stdout.write(`${path} is good.\n`)
    return 0
  }
  if (verb === 'export') {
    const { db } = await openDatabase(settings)
    const { site } = await loadConfiguration(db, settings.siteConfig)
    await db.destroy()
    return print({ $schema: './site.schema.json', ...site })
  }
  if (verb === 'import' && file) {
    const { db } = await openDatabase(settings)
    const { id } = await importConfiguration(
      {
        now: () => new Date(),
        transaction: (work) => db.transaction().execute(work),
        signal: { letter: () => {}, content: () => {} },
      },
      { text: readFileSync(file, 'utf8'), note: file },
    )
    await db.destroy()
    process.stdout.write(`Revision ${id} is in force.\n`)
    return 0
  }
  return wrongUse()
}

function print(value: object): number {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`)
  return 0
}

function wrongUse(): number {
  process.stderr.write(usage)
  return 2
}
