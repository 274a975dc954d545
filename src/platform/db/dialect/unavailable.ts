/** Marks an error of a database driver: the database cannot be used at the moment. */
const unavailable = Symbol('database unavailable')

/** Marks an error of a driver, and returns it. The code is ambiguous: a mail server that is down gives the same one. */
export function markUnavailable<Thrown>(error: Thrown): Thrown {
  if (error instanceof Error) Object.assign(error, { [unavailable]: true })
  return error
}

/**
 * Whether an error means that the database is unreachable, locked, full or read-only, or refuses the sign-in, and not
 * that a query is wrong. A damaged SQLite file does not count: it does not recover by itself, and a backup or an update
 * that damages it must fail visibly.
 */
export const isDatabaseUnavailable = (error: unknown): boolean => error instanceof Error && unavailable in error
