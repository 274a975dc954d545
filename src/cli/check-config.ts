import { existsSync } from 'node:fs'
import { parseConfiguration } from '../domain/configuration/configuration.ts'
import { lineOf } from '../platform/config/json-lines.ts'
import { InvalidSettings, readSettings, type Settings } from '../platform/config/settings.ts'
import { InvalidConfiguration, publicFolderOf, readSiteFile } from '../platform/config/site-file.ts'
import { readMigrations, sqlitePath } from '../platform/db/database.ts'
import { migrationNames } from '../platform/db/migrations/migration-names.ts'
import { findNewerMigrations } from '../platform/db/migrations/newer-migrations.ts'
import { print } from './command-context.ts'

/**
 * `check-config`: whether the program would start with this environment, configuration file and database. It starts
 * nothing, and writes nothing into the database.
 * @returns 1 when it would not
 */
export async function checkSetup(): Promise<number> {
  const settings = report('environment', readSettings)
  if (!settings) return 1
  print('environment: the settings are valid.')
  const file = settings.siteConfig
  const isRead = report(file, () => {
    const text = readSiteFile(file)
    try {
      parseConfiguration(text, file, publicFolderOf(file))
    } catch (error) {
      throw error instanceof InvalidConfiguration ? withLines(error, text) : error
    }
    print(`${file}: the configuration is valid.`)
    return true
  })
  const isUsable = await checkMigrations(settings).catch((error) => report('database', () => refuse(error)))
  return isRead && isUsable ? 0 : 1
}

/** Prints an error that the operator can fix; any other error is thrown. */
function report<T>(what: string, work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof InvalidSettings || error instanceof InvalidConfiguration)) throw error
    print(`${what}: ${error.message}`)
    return undefined
  }
}

const refuse = (error: unknown): never => {
  throw error
}

function withLines({ problems }: InvalidConfiguration, text: string): InvalidConfiguration {
  const found = problems.map(({ path, reason }) => {
    const line = lineOf(text, path)
    return { path: line === undefined ? path : `line ${line}, ${path || 'the whole file'}`, reason }
  })
  return new InvalidConfiguration('the configuration', found)
}

/** @returns whether this program can start on the database */
async function checkMigrations(settings: Settings): Promise<boolean> {
  const { databaseUrl, dataDir } = settings
  if (!databaseUrl && !existsSync(sqlitePath(dataDir))) {
    print(`database: there is none in ${dataDir} yet; the first start creates it.`)
    return true
  }
  const found = await readMigrations(settings)
  const { unusable } = findNewerMigrations(found)
  if (unusable.length > 0) {
    print(`database: it is of a newer version of the program (${unusable.join(', ')}). Start that version.`)
    return false
  }
  const pending = migrationNames.filter((name) => !found.includes(name))
  print(
    pending.length === 0
      ? 'database: it fits this version of the program.'
      : `database: the next start migrates it (${pending.join(', ')}). Make a backup first.`,
  )
  return true
}
