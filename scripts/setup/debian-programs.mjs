// @ts-check
import { existsSync } from 'node:fs'
import { find, installByApt } from './apt.mjs'
import { headlessShell, needsHeadlessShell } from './chromium.mjs'

/** Programs that the site runs beside on servers, for tests, with Debian's packages. */
const packages = { pgbouncer: 'pgbouncer', caddy: 'caddy', haproxy: 'haproxy', pg_isready: 'postgresql-client' }

/**
 * @param {keyof typeof packages} name
 * @returns {string | undefined} its path. Debian's folder of servers is on the PATH of root only.
 */
export const findProgram = (name) => find(name, '/usr/sbin', '/usr/local/sbin')

/** Those that are not installed. */
export const listMissingPrograms = () =>
  /** @type {(keyof typeof packages)[]} */ (Object.keys(packages)).filter((name) => !findProgram(name))

/**
 * With a font that has the measures of Arial, which computers of visitors have: until the fonts of the site arrive, its text is
 * shown in that, so that nothing moves. Without one, the test of that fails.
 */
const fontFolders = ['/usr/share/fonts/truetype/liberation', '/usr/share/fonts/truetype/liberation2']

/** Installs what the tests need from Debian, where that is possible. */
export function ensureDebianPackages() {
  const missing = listMissingPrograms().map((name) => packages[name])
  if (needsHeadlessShell()) missing.push(headlessShell)
  if (process.platform === 'linux' && !fontFolders.some((folder) => existsSync(folder)))
    missing.push('fonts-liberation')
  if (missing.length > 0) installByApt(...missing)
}
