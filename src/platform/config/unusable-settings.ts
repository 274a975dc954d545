import { isDatabaseUnavailable } from '../db/dialect/unavailable.ts'
import { InvalidSettings } from './settings.ts'

/** The advice for a setting that is well-formed but cannot be used. */
const wanted = {
  DATABASE_URL: 'a PostgreSQL that answers and lets this program in and create tables',
  DATA_DIR: 'a folder that this program may write in',
  HOST: 'an address of this machine',
  PORT: 'a port that is free, and that this program may take',
}
type Name = keyof typeof wanted

/** System errors such as `ECONNREFUSED` and `ENOTDIR`; codes that begin with `ERR_` are bugs in the program. */
const systemRefusals = /^E(?!RR_)[A-Z_]+$/
/** SQLite's codes for a damaged file, and for one that is no database. */
const damaged = [11, 26]

/**
 * Does work that depends on a setting, and reports a failure that the operator can fix by that setting's name.
 * @param setting its name; a function of the error's code where it may be either of two
 * @throws {InvalidSettings}
 */
export async function validating<T>(setting: Name | ((code: string) => Name), work: () => T): Promise<Awaited<T>> {
  try {
    return await work()
  } catch (error) {
    const { code, errcode } = error as { code?: unknown; errcode?: unknown }
    const isDamaged = damaged.includes(Number(errcode) & 0xff)
    if (!isDamaged && !isDatabaseUnavailable(error) && !systemRefusals.test(String(code))) throw error
    const name = typeof setting === 'function' ? setting(String(code)) : setting
    const advice = isDamaged ? 'an intact database: move this one away, and restore a backup' : wanted[name]
    throw new InvalidSettings([{ name, found: reasonOf(error as Error), wanted: advice }], error)
  }
}

/** A host with several addresses gives an AggregateError without a message of its own. */
function reasonOf(error: Error): string {
  if (!(error instanceof AggregateError) || error.message) return error.message
  return error.errors.map((one: Error) => one.message).join('; ')
}
