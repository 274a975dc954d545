// @ts-check
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findNode26, requireNode26 } from './node26.mjs'
import { log, npm, root, Stop } from './project.mjs'

/** @typedef {{ version?: string, integrity?: string, dev?: boolean, optional?: boolean, devOptional?: boolean }} Package */

/** The file with the hash of the installed package-lock.json, and whether development dependencies are installed. */
const stampPath = join(root, 'node_modules', '.etalage-install.json')

/**
 * Installs the packages of package-lock.json, unless they are installed. Never removes development dependencies.
 * @param {{ dev: boolean }} options `dev`: development dependencies too
 */
export function ensureInstalled({ dev: needsDev }) {
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8')
  if (isInstalled(lock, needsDev)) return
  const dev = needsDev || existsSync(join(root, 'node_modules', 'vitest'))

  const devOption = dev ? '--include=dev' : '--omit=dev'
  log(`Installing what is missing: npm ci ${devOption}`)
  // npm may run on the system's Node, while some packages require the newer Node that this project installs.
  const code = npm(['ci', devOption, '--engine-strict=false', '--no-audit', '--no-fund', '--loglevel=error'])
  if (code === 127) throw new Stop('npm is not on the PATH. It comes with Node: https://nodejs.org')
  if (code !== 0) throw new Stop('npm could not install what is missing; what it says stands above.', code)
  requireNode26()
  writeStamp(lock, dev)
}

/** @param {string} lock @param {boolean} dev */
function isInstalled(lock, dev) {
  if (!findNode26()) return false
  const stamp = readJson(stampPath)
  if (stamp?.lock === hash(lock) && (stamp.dev || !dev)) return true

  // `npm ci` by hand counts too. npm writes this file last, so an interrupted install has none.
  const installed = readJson(join(root, 'node_modules', '.package-lock.json'))?.packages
  if (!installed) return false
  /** @type {[string, Package][]} */
  const packages = Object.entries(JSON.parse(lock).packages)
  /** @param {boolean} withDev */
  const isComplete = (withDev) =>
    packages.every(
      ([path, wanted]) =>
        path === '' ||
        wanted.optional ||
        wanted.devOptional ||
        (wanted.dev && !withDev) ||
        (installed[path]?.version === wanted.version && installed[path]?.integrity === wanted.integrity),
    )
  if (!isComplete(dev)) return false
  requireNode26()
  writeStamp(lock, isComplete(true))
  return true
}

/** @param {string} lock @param {boolean} dev */
function writeStamp(lock, dev) {
  writeFileSync(stampPath, JSON.stringify({ lock: hash(lock), dev }))
}

/** @param {string} path */
function readJson(path) {
  if (!existsSync(path)) return
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return
  }
}

/** @param {string} text */
const hash = (text) => createHash('sha256').update(text).digest('hex')
