// @ts-check
import { existsSync } from 'node:fs'
import { findProgramPath, installByApt } from './apt.mjs'
import { headlessShell, needsHeadlessShell } from './chromium.mjs'

/** The proxies and database tools that tests use, with their Debian packages. */
const packages = { pgbouncer: 'pgbouncer', caddy: 'caddy', haproxy: 'haproxy', pg_isready: 'postgresql-client' }

/**
 * @param {keyof typeof packages} name
 * @returns {string | undefined} its path; also in `sbin`, which only root has on the PATH
 */
export const findProgram = (name) => findProgramPath(name, '/usr/sbin', '/usr/local/sbin')

/** The programs that are not installed. */
export const listMissingPrograms = () =>
  /** @type {(keyof typeof packages)[]} */ (Object.keys(packages)).filter((name) => !findProgram(name))

/**
 * The folders of Liberation, a font with the metrics of Arial, which is the fallback until the fonts of the site are
 * loaded. A test checks that this does not shift the layout, and fails without the font.
 */
const fontFolders = ['/usr/share/fonts/truetype/liberation', '/usr/share/fonts/truetype/liberation2']

/** Installs the Debian packages that the tests need, if that is possible. */
export function ensureDebianPackages() {
  const missing = listMissingPrograms().map((name) => packages[name])
  if (needsHeadlessShell()) missing.push(headlessShell)
  if (process.platform === 'linux' && !fontFolders.some((folder) => existsSync(folder)))
    missing.push('fonts-liberation')
  if (missing.length > 0) installByApt(...missing)
}
