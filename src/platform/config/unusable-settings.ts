import { isDatabaseUnavailable } from '../db/dialect/unavailable.ts'
import { InvalidSettings } from './settings.ts'

/** What an operator should provide for a setting that is well-formed but cannot be used. */
const wanted = {
  DATABASE_URL: 'a PostgreSQL that answers and lets this program in and create tables',
  DATA_DIR: 'a folder that this program may write in',
  HOST: 'an address of this machine',
  PORT: 'a port that is free, and that this program may take',
}
type Name = keyof typeof wanted

/** System errors such as `ECONNREFUSED` and `ENOTDIR`; codes that begin with `ERR_` are bugs in the program. */
const systemErrorCode = /^E(?!RR_)[A-Z_]+$/
/** SQLite's primary result codes for a damaged file, and for one that is no database. */
const damageCodes = [11, 26]

/**
 * Runs work that depends on a setting. A failure that the operator can fix is reported under the name of the setting.
 * @param setting the name, or a function that chooses it by the error code
 * @throws {InvalidSettings} for such a failure; any other error is thrown as it is
 */
export async function validating<T>(setting: Name | ((code: string) => Name), work: () => T): Promise<Awaited<T>> {
  try {
    return await work()
  } catch (error) {
    const { code, errcode } = error as { code?: unknown; errcode?: unknown }
    const isDamaged = damageCodes.includes(Number(errcode) & 0xff)
    if (!isDamaged && !isDatabaseUnavailable(error) && !systemErrorCode.test(String(code))) throw error
    const name = typeof setting === 'function' ? setting(String(code)) : setting
    const advice = isDamaged ? 'an intact database: move this one away, and restore a backup' : wanted[name]
    throw new InvalidSettings([{ name, found: reasonOf(error as Error), wanted: advice }], error)
  }
}

/** A host with several addresses gives an AggregateError without a message of its own. */
function reasonOf(error: Error): string {
  if (!(error instanceof AggregateError) || error.message) return error.message
  return error.errors.map(({ message }: Error) => message).join('; ')
}
