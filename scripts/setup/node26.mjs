// @ts-check
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { root, Stop } from './project.mjs'

/** The folder of Node's compile cache, in that of the build. */
export const compileCache = join(root, 'dist', '.compiled')

/**
 * The flags and environment of the server. They save memory, at no cost in speed that `npm run bench` can measure: a
 * small, fixed young generation and one malloc arena some 20 MiB, the thresholds of malloc some 8, and V8 without its
 * mid-tier compiler (Maglev) some 9. Node uses the compile cache only if its folder is writable.
 * @type {{ flags: string[], environment: Record<string, string> }}
 */
export const server = {
  flags: ['--min-semi-space-size=4', '--max-semi-space-size=4', '--no-maglev'],
  environment: {
    MALLOC_ARENA_MAX: '1',
    // Fixed: the C library would raise them when a large block is freed, and keep the memory that compressing took.
    MALLOC_MMAP_THRESHOLD_: '131072',
    MALLOC_TRIM_THRESHOLD_: '131072',
    NODE_COMPILE_CACHE: compileCache,
  },
}

const bundledNode = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')

const missingNode26 = `Node 26 is not at ${bundledNode}.
The npm package "node" fetches it by an install script. Did npm skip it (ignore-scripts), or was there no network?
To mend it:  npm rebuild node --ignore-scripts=false
Or start with a Node of version 26 or newer of your own: https://nodejs.org`

/** The Node of the npm package `node`, or else the running one if it is new enough. */
export function findNode26() {
  if (existsSync(bundledNode)) return bundledNode
  return Number(process.versions.node.split('.')[0]) >= 26 ? process.execPath : undefined
}

/** The path of Node 26. @throws {Stop} with the way to install it, when there is none */
export function node26() {
  const path = findNode26()
  if (!path) throw new Stop(missingNode26)
  return path
}

/**
 * Starts Node 26 once, because a minimal system may lack a library that it needs.
 * @throws {Stop} with the cause
 */
export function requireNode26() {
  const path = node26()
  const { status, error, stderr } = spawnSync(path, ['--version'], { encoding: 'utf8' })
  if (status === 0) return
  const reason = error ? error.message : stderr.trim()
  const hint = /libatomic/.test(reason) ? '\nOn Debian and Ubuntu:  apt-get install libatomic1' : ''
  throw new Stop(`Node 26 does not start: ${reason}${hint}`)
}

/**
 * Replaces this process by Node 26 (`execve`). Where that is not possible, this process stays as a wrapper, which
 * forwards signals and the exit code.
 * @param {string[]} args
 * @param {Record<string, string>} environment added to the environment of this process
 */
export function becomeNode26(args, environment = {}) {
  const path = node26()
  const env = { ...environment, .../** @type {Record<string, string>} */ (process.env) }
  if (process.platform !== 'win32' && typeof process.execve === 'function') {
    // Hides the warning that `execve` is experimental. If it fails, it aborts the process.
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
