// @ts-check
import { find, installByApt } from './apt.mjs'

/** Programs that the site runs beside on servers, for tests, with Debian's packages. */
const packages = { pgbouncer: 'pgbouncer', caddy: 'caddy', haproxy: 'haproxy', pg_isready: 'postgresql-client' }

/**
 * @param {keyof typeof packages} name
 * @returns {string | undefined} its path. Debian's folder of servers is on the PATH of root only.
 */
export const findProgram = (name) => find(name, '/usr/sbin', '/usr/local/sbin')

const listMissing = () =>
  /** @type {(keyof typeof packages)[]} */ (Object.keys(packages)).filter((name) => !findProgram(name))

/** Installs them. @returns {string[]} those that cannot be installed here */
export function ensurePrograms() {
  const missing = listMissing()
  if (missing.length > 0) installByApt(...missing.map((name) => packages[name]))
  return listMissing()
}
