// @ts-check
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Prints progress to standard error; standard output is for results.
 * @param {string} line
 */
export const log = (line) => process.stderr.write(`${line}\n`)

/** Ends a script with a message for the user, without a stack trace; `code`: the exit code. */
export class Stop extends Error {
  /** @param {string} message @param {number} [code] */
  constructor(message, code = 1) {
    super(message)
    this.code = code
  }
}

/**
 * Runs a script in the folder of the project. Prints the message of a `Stop`.
 * @param {() => unknown} work
 */
export async function runScript(work) {
  try {
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
    if (major < 20 || (major === 20 && minor < 19)) {
      throw new Stop(`Node ${process.versions.node} is too old: at least 20.19 is wanted. See https://nodejs.org`)
    }
    process.chdir(root)
    await work()
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    if (error.message) process.stderr.write(`${error.message}\n`)
    process.exitCode = error.code
  }
}

/**
 * Runs a program to its end with inherited output.
 * @param {string} program
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {number} its exit code; 127 when it does not exist
 */
export function run(program, args, env = process.env) {
  const { status, signal, error } = spawnSync(program, args, { stdio: 'inherit', env })
  if (error && 'code' in error && error.code === 'ENOENT') return 127
  if (error) throw error
  // Ctrl+C reaches this process too, but only after the child has ended.
  if (signal) throw new Stop('', 130)
  return status ?? 1
}

/**
 * Runs npm with the system's Node, not with the one in `node_modules`, which npm may replace meanwhile.
 * @param {string[]} args
 */
export function npm(args) {
  const bin = join(root, 'node_modules', '.bin')
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.endsWith(bin) && folder !== bin)
  const env = { ...process.env, PATH: path.join(delimiter) }
  if (process.platform === 'win32') return run('cmd.exe', ['/d', '/c', 'npm', ...args], env)
  return run('npm', args, env)
}

/**
 * Writes a generated document as JSON, unless the file has it already.
 * @param {string} path
 * @param {object} document
 */
export function writeDocument(path, document) {
  const text = `${JSON.stringify(document, null, 2)}\n`
  const isUnchanged = existsSync(path) && readFileSync(path, 'utf8') === text
  if (!isUnchanged) writeFileSync(path, text)
  log(isUnchanged ? `${path} is as it should be` : `${path} is written`)
}
