// @ts-check
import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { log, run } from './project.mjs'

/**
 * Installs packages of Debian or Ubuntu, if that is possible without a password.
 * @param {string[]} names
 * @returns {boolean} whether all are installed
 */
export function installByApt(...names) {
  if (process.platform !== 'linux' || !isInstalled('apt-get')) return false
  const isRoot = process.getuid?.() === 0
  // `-n`: a sudo that needs a password fails instead of asking.
  if (!isRoot && spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status !== 0) return false
  // RUNLEVEL=1: the installation starts no services.
  const environment = ['env', 'DEBIAN_FRONTEND=noninteractive', 'RUNLEVEL=1']
  const runApt = (/** @type {string[]} */ ...args) => {
    const [program = '', ...rest] = [...(isRoot ? [] : ['sudo', '-n']), ...environment, 'apt-get', ...args]
    log(`Installing it: ${[program, ...rest].join(' ')}`)
    return run(program, rest)
  }
  const install = (/** @type {string[]} */ ...packages) =>
    runApt('install', '-y', '-q', '--no-install-recommends', ...packages) === 0
  runApt('update', '-q')
  if (install(...names)) return true
  // One by one, because a release of Debian may lack one of them.
  return names.length > 1 && names.filter((name) => !install(name)).length === 0
}

/** @param {string} program */
export const isInstalled = (program) => findProgramPath(program) !== undefined

/**
 * @param {string} program
 * @param {string[]} otherFolders searched after those of the PATH
 * @returns {string | undefined} its path
 */
export const findProgramPath = (program, ...otherFolders) =>
  [...(process.env.PATH ?? '').split(delimiter), ...otherFolders].map((folder) => join(folder, program)).find(isProgram)

/** Whether a path is an executable file. @param {string} path */
export function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
