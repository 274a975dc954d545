// @ts-check
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileCache, node26 } from './node26.mjs'
import { log, root, run, Stop } from './project.mjs'

/** The inputs of a build. */
const sources = ['src', 'build', 'vite.config.ts', 'tsconfig.json', 'package-lock.json']
/** The file with the hash of the inputs of the last complete build. */
const stampPath = join(root, 'dist', '.sources')

/** Builds Etalage when there is no build, or its inputs have changed. */
export function ensureBuilt() {
  const stamp = hashSources()
  if (existsSync(stampPath) && readFileSync(stampPath, 'utf8') === stamp) return
  log('Building: vite build')
  build(stamp)
}

export function build(stamp = hashSources()) {
  rmSync(stampPath, { force: true })
  rmSync(compileCache, { recursive: true, force: true })
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  // Any other NODE_ENV, from a shell or a test runner, would bundle React's development build.
  const code = run(node26(), [vite, 'build', '--logLevel', 'error'], { ...process.env, NODE_ENV: 'production' })
  if (code !== 0) throw new Stop('The build failed; what it says stands above.', code)
  mkdirSync(join(root, 'dist'), { recursive: true })
  writeFileSync(stampPath, stamp)
}

/** A hash of the contents of the inputs, not of modification times, so that a fresh clone has the same hash. */
function hashSources() {
  const hash = createHash('sha256')
  for (const source of sources) addToHash(hash, source)
  return hash.digest('hex')
}

/** Adds a file, or all files of a folder, but tests. @param {import('node:crypto').Hash} hash @param {string} path */
function addToHash(hash, path) {
  const full = join(root, path)
  if (!existsSync(full)) return
  if (statSync(full).isDirectory()) {
    for (const name of readdirSync(full).sort()) addToHash(hash, `${path}/${name}`)
  } else if (!/\.test\.tsx?$/.test(path)) {
    const bytes = readFileSync(full)
    hash.update(`${path}\0${bytes.length}\0`).update(bytes)
  }
}
