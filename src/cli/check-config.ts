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
 * The command `check-config`: reports whether the server would start with this environment, configuration file and
 * database. It writes nothing to the database. The stored configuration is checked only if no migration is pending.
 * @returns the exit code: 1 when the server would not start
 */
export async function checkSetup(): Promise<number> {
  const settings = report('environment', readSettings)
  if (!settings) return 1
  print('environment: the settings are valid.')
  const file = settings.siteConfig
  const isFileValid = report(file, () => {
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
  const isStoredValid =
    migrations === 'all' || migrations === 'some' ? await checkStored(settings, migrations) : undefined
  // A stored configuration is used instead of the file.
  return migrations && (isStoredValid ?? isFileValid) ? 0 : 1
}

/** Runs a check and prints its error. @returns the result; undefined after an error */
function report<T>(subject: string, work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    return printError(subject, error)
  }
}

/** Prints an error that the operator can fix; any other error is thrown. */
function printError(subject: string, error: unknown): undefined {
  if (!(error instanceof InvalidSettings || error instanceof InvalidConfiguration)) throw error
  print(`${subject}: ${error.message}`)
}

/** Adds the line of each problem in the text. A problem of the whole file has no path, and so no line. */
function withLines({ problems }: InvalidConfiguration, text: string): InvalidConfiguration {
  // An older configuration is upgraded before it is validated: the paths of its problems may not be in the text.
  const isUpgraded = problems.some(({ path }) => path !== '' && path !== 'version') && !isCurrent(text)
  const withPositions = problems.map(({ path, reason }) => {
    const line = path === '' || isUpgraded ? undefined : lineOf(text, path)
    return { path: line === undefined ? path : `line ${line}, ${path}`, reason }
  })
  const upgraded = `, upgraded to version ${siteConfigVersion} and so without numbers of lines,`
  return new InvalidConfiguration(`the configuration${isUpgraded ? upgraded : ''}`, withPositions)
}

const isCurrent = (text: string): boolean => JSON.parse(text.replace(/^\uFEFF/, '')).version === siteConfigVersion

/** @returns which migrations of this version the database has; undefined when this version cannot use it */
async function checkMigrations(settings: Settings): Promise<'all' | 'some' | 'none' | undefined> {
  const { databaseUrl, dataDir } = settings
  if (!databaseUrl && !existsSync(sqlitePath(dataDir))) {
    print(`database: there is none in ${dataDir} yet; the first start creates it.`)
    return 'none'
  }
  const applied = await readMigrations(settings)
  const { unusable } = findNewerMigrations(applied)
  if (unusable.length > 0) {
    print(`database: it belongs to a newer version of the program (${unusable.join(', ')}). Start that version.`)
    return undefined
  }
  const connections = await readConnections(settings)
  if (connections) print(describeConnections(settings, connections))
  if (applied.length === 0) {
    print('database: it is empty; the first start creates its tables.')
    return 'none'
  }
  const pending = migrationNames.filter((name) => !applied.includes(name))
  if (pending.length === 0) {
    print('database: it fits this version of the program.')
    return 'all'
  }
  print(
    `database: the next start migrates it (${pending.join(', ')}). Make a backup first, in the folder of the version that runs.`,
  )
  return 'some'
}

/** @returns whether the server can start with the stored configuration; undefined when there is none */
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

/** The connections of the process that makes a backup or a proof (a test restore): docs/operate/scale.md. */
const connectionsForBackup = 4

function describeConnections(
  { databasePoolSize, workers }: Settings,
  { allowed, others }: { allowed: number; others: number },
): string {
  const perInstance = databasePoolSize * workers
  const advice = 'Lower DATABASE_POOL_SIZE or WORKERS, or raise max_connections of PostgreSQL.'
  const instances = Math.max(0, Math.floor((allowed - others - connectionsForBackup) / perInstance))
  return (
    `database: PostgreSQL allows ${allowed} connections, of which other programs use ${others} now. Each instance opens ${perInstance} ` +
    `at most, and a backup ${connectionsForBackup}: there is room for ${instances}. ${instances === 0 ? advice : ''}`
  ).trimEnd()
}

/** The tokens of JSON: a string, a punctuation character, or a number, boolean or null. */
const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g

/**
 * The line, from 1, of a value in a valid JSON text; when the value is missing, that of its nearest existing parent.
 * @param path keys and indexes, joined by full stops; a key may contain full stops itself
 */
export function lineOf(text: string, path: string): number | undefined {
  /** The keys and indexes down to the current token. */
  const currentPath: (string | number)[] = []
  /** The kinds of the values that enclose it. */
  const parents: ('object' | 'array')[] = []
  let line: number | undefined
  let matchedLength = -1
  let key: string | undefined
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (token === '}' || token === ']') {
      parents.pop()
      currentPath.pop()
      continue
    }
    if (token === ',') {
      if (parents.at(-1) === 'array') currentPath.push((currentPath.pop() as number) + 1)
      continue
    }
    if (token === ':') continue
    const inObject = parents.at(-1) === 'object'
    if (inObject && key === undefined && token.startsWith('"')) {
      key = JSON.parse(token) as string
      currentPath.pop()
      currentPath.push(key)
    } else key = undefined
    // Compared as text, because a key may contain full stops.
    const joined = currentPath.join('.')
    const leadsToPath = joined === '' || `${path}.`.startsWith(`${joined}.`)
    if (joined.length > matchedLength && leadsToPath) {
      line = text.slice(0, index).split('\n').length
      matchedLength = joined.length
    }
    if (token === '{' || token === '[') {
      parents.push(token === '{' ? 'object' : 'array')
      currentPath.push(token === '{' ? '' : 0)
      key = undefined
    }
  }
  return line
}
