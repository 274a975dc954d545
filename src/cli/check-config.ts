import { existsSync } from 'node:fs'
import { siteConfigVersion } from '../contract/site-config.ts'
import { parseConfiguration } from '../domain/configuration/configuration.ts'
import { findStoredConfiguration, isConfigurationStored } from '../domain/configuration/load-configuration.ts'
import { InvalidSettings, readSettings, type Settings } from '../platform/config/settings.ts'
import { InvalidConfiguration, publicFolderOf, readSiteFile } from '../platform/config/site-file.ts'
import { readConnections, readMigrations, readUnmigrated, sqlitePath } from '../platform/db/database.ts'
import { findNewerMigrations } from '../platform/db/migrations/index.ts'
import { migrationNames } from '../platform/db/migrations/migration-names.ts'
import { print, withExistingDatabase } from './command-context.ts'

/**
 * `check-config`: whether the program would start with this environment, configuration file and database. It starts
 * nothing, and writes nothing into the database. The stored configuration is checked if no migration is pending.
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
  const migrations = await checkMigrations(settings).catch((error) => printError('database', error))
  const isStoredRead =
    migrations === 'all' || migrations === 'some' ? await checkStored(settings, migrations) : undefined
  return migrations && (isStoredRead ?? isRead) ? 0 : 1
}

function report<T>(what: string, work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    return printError(what, error)
  }
}

/** Prints an error that the operator can fix; any other error is thrown. */
function printError(what: string, error: unknown): undefined {
  if (!(error instanceof InvalidSettings || error instanceof InvalidConfiguration)) throw error
  print(`${what}: ${error.message}`)
}

/** A problem of the whole file has no path and no line; the text may not be JSON then. */
function withLines({ problems }: InvalidConfiguration, text: string): InvalidConfiguration {
  // An older configuration is upgraded before it is validated: the paths of its problems may not be in the text.
  const isUpgraded = problems.some(({ path }) => path !== '' && path !== 'version') && !isCurrent(text)
  const found = problems.map(({ path, reason }) => {
    const line = path === '' || isUpgraded ? undefined : lineOf(text, path)
    return { path: line === undefined ? path : `line ${line}, ${path}`, reason }
  })
  const upgraded = `, upgraded to version ${siteConfigVersion} and so without numbers of lines,`
  return new InvalidConfiguration(`the configuration${isUpgraded ? upgraded : ''}`, found)
}

const isCurrent = (text: string): boolean => JSON.parse(text.replace(/^\uFEFF/, '')).version === siteConfigVersion

/** @returns which migrations of this program the database has; undefined when the program cannot start on it */
async function checkMigrations(settings: Settings): Promise<'all' | 'some' | 'none' | undefined> {
  const { databaseUrl, dataDir } = settings
  if (!databaseUrl && !existsSync(sqlitePath(dataDir))) {
    print(`database: there is none in ${dataDir} yet; the first start creates it.`)
    return 'none'
  }
  const found = await readMigrations(settings)
  const { unusable } = findNewerMigrations(found)
  if (unusable.length > 0) {
    print(`database: it belongs to a newer version of the program (${unusable.join(', ')}). Start that version.`)
    return undefined
  }
  const connections = await readConnections(settings)
  if (connections) print(describeConnections(settings, connections))
  if (found.length === 0) {
    print('database: it is empty; the first start creates its tables.')
    return 'none'
  }
  const pending = migrationNames.filter((name) => !found.includes(name))
  if (pending.length === 0) {
    print('database: it fits this version of the program.')
    return 'all'
  }
  print(
    `database: the next start migrates it (${pending.join(', ')}). Make a backup first, in the folder of the version that runs.`,
  )
  return 'some'
}

/** @returns whether the program can start with the stored configuration; undefined when there is none */
async function checkStored(settings: Settings, migrations: 'all' | 'some'): Promise<boolean | undefined> {
  const { siteConfig } = settings
  try {
    if (migrations === 'some') {
      if (!(await readUnmigrated(settings, isConfigurationStored))) return undefined
      print('database: its configuration, which is used instead of the file, can be checked after the migration.')
      return true
    }
    const stored = await withExistingDatabase(({ db }) => findStoredConfiguration(db, publicFolderOf(siteConfig)))
    if (stored) print(`database: its configuration (${stored.source}) is valid, and is used instead of the file.`)
    return stored && true
  } catch (error) {
    printError('database', error)
    return false
  }
}

/** A backup or proof has a process of its own; see docs/operate/scale.md. */
const connectionsForBackup = 4

function describeConnections(
  { databasePoolSize, workers }: Settings,
  { most, others }: { most: number; others: number },
): string {
  const own = databasePoolSize * workers
  const advice = 'Lower DATABASE_POOL_SIZE or WORKERS, or raise max_connections of PostgreSQL.'
  const fits = Math.max(0, Math.floor((most - others - connectionsForBackup) / own))
  return (
    `database: PostgreSQL allows ${most} connections, of which other programs use ${others} now. Each instance opens ${own} ` +
    `at most, and a backup ${connectionsForBackup}: there is room for ${fits}. ${fits === 0 ? advice : ''}`
  ).trimEnd()
}

/** A string, or one of the characters that structure JSON. */
const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g

/**
 * The line of a value in a valid JSON text, from 1; of its nearest parent when it is missing.
 * @param path keys and indexes, joined by full stops
 */
export function lineOf(text: string, path: string): number | undefined {
  /** The keys down to the current place; of an array its index. */
  const at: (string | number)[] = []
  const kinds: ('object' | 'array')[] = []
  let [best, bestLength] = [undefined as number | undefined, -1]
  let key: string | undefined
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (token === '}' || token === ']') {
      kinds.pop()
      at.pop()
      continue
    }
    if (token === ',') {
      if (kinds.at(-1) === 'array') at.push((at.pop() as number) + 1)
      continue
    }
    if (token === ':') continue
    const inObject = kinds.at(-1) === 'object'
    if (inObject && key === undefined && token.startsWith('"')) {
      key = JSON.parse(token) as string
      at.pop()
      at.push(key)
    } else key = undefined
    // A key may have full stops itself.
    const here = at.join('.')
    if (here.length > bestLength && (here === '' || `${path}.`.startsWith(`${here}.`))) {
      best = text.slice(0, index).split('\n').length
      bestLength = here.length
    }
    if (token === '{' || token === '[') {
      kinds.push(token === '{' ? 'object' : 'array')
      at.push(token === '{' ? '' : 0)
      key = undefined
    }
  }
  return best
}
