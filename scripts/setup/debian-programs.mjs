// @ts-check
import { existsSync } from 'node:fs'
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

const fontFolders = ['/usr/share/fonts/truetype/liberation', '/usr/share/fonts/truetype/liberation2']

/**
 * Installs a font with the measures of Arial, which computers of visitors have: until the fonts of the site arrive, its text is
 * shown in that, so that nothing moves. Without one, the test of that fails.
 */
export function ensureFallbackFont() {
  if (process.platform === 'linux' && !fontFolders.some((folder) => existsSync(folder)))
    installByApt('fonts-liberation')
}
