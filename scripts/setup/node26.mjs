// @ts-check
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { root, Stop } from './project.mjs'

/** What Node compiled at an earlier start, beside the build that it belongs to. */
export const compiled = join(root, 'dist', '.compiled')

/**
 * How the site's program runs: small young generations and one malloc arena keep some twenty MiB of memory that would
 * otherwise be held and never used. `npm run bench` shows what it costs in speed: nothing that can be told from noise.
 * What was compiled once is read back; where the folder cannot be written Node goes without.
 * @type {{ flags: string[], environment: Record<string, string> }}
 */
export const server = {
  flags: ['--max-semi-space-size=2'],
  environment: { MALLOC_ARENA_MAX: '1', NODE_COMPILE_CACHE: compiled },
}

const own = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')

export const noNode26 = `Node 26 is not at ${own}.
The npm package "node" fetches it by an install script. Did npm skip it (ignore-scripts), or was there no network?
To mend it:  npm rebuild node --ignore-scripts=false
Or start with a Node of version 26 or newer of your own: https://nodejs.org`

/** The Node that the npm package `node` brought; without it the one that runs this, when that is new enough. */
export function findNode26() {
  if (existsSync(own)) return own
  return Number(process.versions.node.split('.')[0]) >= 26 ? process.execPath : undefined
}

/** @throws {Stop} telling how to get it */
export function node26() {
  const path = findNode26()
  if (!path) throw new Stop(noNode26)
  return path
}

/**
 * Lets Node 26 take the place of this program. Where the system cannot replace a running program, this one stays
 * as a thin shell around it: signals go in, the exit code comes out.
 * @param {string[]} args
 * @param {Record<string, string>} environment what this program's own lacks
 */
export function becomeNode26(args, environment = {}) {
  const path = node26()
  const env = { ...environment, .../** @type {Record<string, string>} */ (process.env) }
  if (process.platform !== 'win32' && typeof process.execve === 'function') {
    // It warns that it is experimental; failing, it would end this program, not go on wrongly.
    process.removeAllListeners('warning')
    process.execve(path, [path, ...args], env)
  }
  const child = spawn(path, args, { stdio: 'inherit', env })
  for (const signal of /** @type {NodeJS.Signals[]} */ (['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2'])) {
    if (process.platform === 'win32' && signal === 'SIGUSR2') continue
    process.on(signal, () => child.kill(signal))
  }
  child.on('error', (error) => {
    process.stderr.write(`${path} does not start: ${error.message}\n`)
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => {
    process.exitCode = signal ? 128 + constants.signals[signal] : (code ?? 1)
  })
}
