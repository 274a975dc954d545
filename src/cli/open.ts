import { existsSync } from 'node:fs'
import { loadConfiguration } from '../domain/configuration/load-configuration.ts'
import { readSettings, WrongSettings } from '../platform/config/settings.ts'
import type { Context } from '../platform/context.ts'
import { databaseFile, openDatabase } from '../platform/db/database.ts'

/** What a command may use of what verbs receive. */
export type Operator = Pick<Context, 'db' | 'dialect' | 'now' | 'transaction' | 'signal'>

/** The program that runs looks by itself for what a command left it. */
const signal: Context['signal'] = { letter: () => {}, picture: () => {}, content: () => {} }

/** Opens the database of the settings for one piece of work; an open connection would keep the command from ending. */
export async function withDatabase<T>(work: (operator: Operator) => Promise<T>): Promise<T> {
  const { db, dialect } = await openDatabase(readSettings())
  try {
    return await work({
      db,
      dialect,
      now: () => new Date(),
      transaction: (inside) => db.transaction().execute(inside),
      signal,
    })
  } finally {
    await db.destroy()
  }
}

/** False where a command would make an empty one, only to find nothing in it. */
export function isThereADatabase(): boolean {
  const settings = readSettings()
  return settings.databaseUrl !== undefined || existsSync(databaseFile(settings.dataDir))
}

/**
 * The same for work that needs what the program has stored, and the configuration in force.
 * @throws {WrongSettings} when there is no database yet
 */
export async function withStored<T>(work: (operator: Operator & Pick<Context, 'site'>) => Promise<T>): Promise<T> {
  const { dataDir, siteConfig } = readSettings()
  if (!isThereADatabase()) {
    throw new WrongSettings([
      { name: 'DATA_DIR', found: `${JSON.stringify(dataDir)}, which holds no database`, wanted: 'that of the program' },
    ])
  }
  return withDatabase(async (operator) => {
    const { site } = await loadConfiguration(operator.db, { file: siteConfig, publicDir: 'public' })
    return work({ ...operator, site })
  })
}

export function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
