// @ts-check
import { spawnSync } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * What a command is busy with; what it was asked for goes to standard output alone.
 * @param {string} line
 */
export const say = (line) => process.stderr.write(`${line}\n`)

/** What stops a command with words for a person, and no stack. */
export class Stop extends Error {
  /** @param {string} message @param {number} [code] */
  constructor(message, code = 1) {
    super(message)
    this.code = code
  }
}

/**
 * Runs a command's work in the project's folder. What it stops for is told in plain words.
 * @param {() => unknown} work
 */
export async function command(work) {
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
 * Runs a program to its end, its output going where ours goes.
 * @param {string} program
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {number} its exit code; 127 when it is not there
 */
export function run(program, args, env = process.env) {
  const { status, signal, error } = spawnSync(program, args, { stdio: 'inherit', env })
  if (error && 'code' in error && error.code === 'ENOENT') return 127
  if (error) throw error
  // A stop by the keyboard reaches us too, but only when the child is done with it.
  if (signal) throw new Stop('', 130)
  return status ?? 1
}

/**
 * Runs npm as the machine has it, and not by the Node that lives in the folder that npm is about to change.
 * @param {string[]} args
 */
export function npm(args) {
  const own = join(root, 'node_modules', '.bin')
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.endsWith(own) && folder !== own)
  const env = { ...process.env, PATH: path.join(delimiter) }
  if (process.platform === 'win32') return run('cmd.exe', ['/d', '/c', 'npm', ...args], env)
  return run('npm', args, env)
}
