import { WrongSettings } from './settings.ts'

/** What to do about a setting that is well written, but names what cannot be used. */
const wanted = {
  DATABASE_URL: 'a PostgreSQL that answers and lets this program in',
  DATA_DIR: 'a folder that this program may write in',
  HOST: 'an address of this machine',
  PORT: 'a port that is free, and that this program may take',
}
type Name = keyof typeof wanted

/** `ECONNREFUSED`, `ENOTDIR` and the like; what begins with `ERR_` is Node's word for a fault in the program. */
const systemRefusals = /^E(?!RR_)[A-Z_]+$/
/** `pg` has no code for it. */
const noAnswer = /^(timeout expired|timeout exceeded|Connection terminated due to connection timeout)/
/** SQLite's numbers for: may not be written, disk error, disk full, cannot be opened, is no database. */
const sqliteRefusals = [8, 10, 13, 14, 26]
/** PostgreSQL's: connection failures, wrong password, no such database, too many connections or starting up. */
const postgresRefusals = /^(08...|28...|3D000|53300|57P0.)$/

/**
 * Does what rests on a setting. An operator's mistake is told by the setting's name, and not as a fault of the program.
 * @param setting which one; by the error's code where it may be either of two
 * @throws {WrongSettings}
 */
export async function restingOn<T>(setting: Name | ((code: string) => Name), work: () => T): Promise<Awaited<T>> {
  try {
    return await work()
  } catch (error) {
    const { code, errcode } = error as { code?: unknown; errcode?: unknown }
    const foreseen =
      systemRefusals.test(String(code)) ||
      postgresRefusals.test(String(code)) ||
      sqliteRefusals.includes(Number(errcode) & 0xff) ||
      noAnswer.test((error as Error).message)
    if (!foreseen) throw error
    const name = typeof setting === 'function' ? setting(String(code)) : setting
    throw new WrongSettings([{ name, found: reasonOf(error as Error), wanted: wanted[name] }])
  }
}

/** A host with several addresses gives an error for each, and a whole without words. */
function reasonOf(error: Error): string {
  if (!(error instanceof AggregateError) || error.message) return error.message
  return error.errors.map((one: Error) => one.message).join('; ')
}
