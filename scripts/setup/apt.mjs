// @ts-check
import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { log, run } from './project.mjs'

/**
 * Installs packages of Debian or Ubuntu, where that is possible without asking.
 * @param {string[]} names
 * @returns {boolean} whether all are installed
 */
export function installByApt(...names) {
  if (process.platform !== 'linux' || !has('apt-get')) return false
  const isRoot = process.getuid?.() === 0
  // `-n`: a sudo that needs a password fails instead of asking.
  if (!isRoot && spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status !== 0) return false
  // No service is started by the installation.
  const environment = ['env', 'DEBIAN_FRONTEND=noninteractive', 'RUNLEVEL=1']
  const apt = (/** @type {string[]} */ ...args) => {
    const [program = '', ...rest] = [...(isRoot ? [] : ['sudo', '-n']), ...environment, 'apt-get', ...args]
    log(`Installing it: ${[program, ...rest].join(' ')}`)
    return run(program, rest)
  }
  const install = (/** @type {string[]} */ ...some) =>
    apt('install', '-y', '-q', '--no-install-recommends', ...some) === 0
  apt('update', '-q')
  if (install(...names)) return true
  // One by one: a release may lack one of them.
  return names.length > 1 && names.filter((name) => !install(name)).length === 0
}

/** @param {string} program */
export const has = (program) => find(program) !== undefined

/**
 * @param {string} program
 * @param {string[]} more folders besides those of the PATH
 * @returns {string | undefined} its path
 */
export const find = (program, ...more) =>
  [...(process.env.PATH ?? '').split(delimiter), ...more].map((folder) => join(folder, program)).find(isProgram)

/** @param {string} path */
export function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
