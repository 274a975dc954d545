/** On an error of a database driver: the database cannot be used at the moment. */
const unavailable = Symbol('database unavailable')

/**
 * Marks an error of a driver. The code alone is ambiguous: a mail server or a storage that is down gives the same
 * codes.
 */
export function markUnavailable<Thrown>(error: Thrown): Thrown {
  if (error instanceof Error) Object.assign(error, { [unavailable]: true })
  return error
}

/** Whether an error means that the disk is full, or that this program may not use more of it. */
export function isDiskFull(error: unknown): boolean {
  const { code, errcode, cause } = error as { code?: unknown; errcode?: unknown; cause?: unknown }
  return (
    code === 'ENOSPC' ||
    code === 'EDQUOT' ||
    sqliteFull.includes(Number(errcode)) ||
    (cause instanceof Error && isDiskFull(cause))
  )
}

/** `SQLITE_FULL`, and `SQLITE_IOERR_SHMSIZE`: there is no room for the index of the write-ahead log. */
const sqliteFull = [13, 4874]

/** Whether an error means that the database is unreachable, locked, full or read-only, and not that a query is wrong. */
export const isDatabaseUnavailable = (error: unknown): boolean => error instanceof Error && unavailable in error
