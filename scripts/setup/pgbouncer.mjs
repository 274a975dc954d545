// @ts-check
import { find, installByApt } from './apt.mjs'

/** Debian's folder of servers is on the PATH of root only. */
export const findPgbouncer = () => find('pgbouncer', '/usr/sbin', '/usr/local/sbin')

/** @returns {string | undefined} its path; undefined where it cannot be installed */
export function ensurePgbouncer() {
  if (!findPgbouncer()) installByApt('pgbouncer')
  return findPgbouncer()
}
