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

/**
 * Whether an error means that the database is unreachable, locked, full or read-only, or lets the program in no more, and
 * not that a query is wrong. A damaged SQLite does not count: it does not recover by itself, and a backup or an update that
 * damages it must be seen to fail.
 */
export const isDatabaseUnavailable = (error: unknown): boolean => error instanceof Error && unavailable in error
