import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { server } from '../../scripts/setup/node26.mjs'
import { patienceMs } from './wait-until.ts'

/** Starts Node as in production: with only these settings instead of the environment of the tests, and with a compile cache. */
export function spawnNode(
  args: string[],
  settings: Record<string, string>,
  stdio: SpawnOptions['stdio'] = ['ignore', 'pipe', 'pipe'],
): ChildProcess {
  const { PATH = '', HOME = '', TZ = 'UTC' } = process.env
  const { NODE_COMPILE_CACHE } = server.environment
  const env = { PATH, HOME, TZ, NODE_COMPILE_CACHE, NODE_ENV: 'production', ...settings }
  return spawn(process.execPath, args, { env, stdio })
}

/** Starts the built program, listening on loopback only. @param flags of Node, in addition to those of production */
export function spawnServer(
  settings: Record<string, string>,
  stdio?: SpawnOptions['stdio'],
  entry = 'dist/server/main.js',
  flags: string[] = [],
): ChildProcess {
  const args = [...server.flags, ...flags, entry]
  const forTests = { HOST: '127.0.0.1', DRAIN_SECONDS: '0', DATABASE_TIMEOUT_SECONDS: String(patienceMs / 1_000) }
  return spawnNode(args, { ...forTests, ...server.environment, ...settings }, stdio)
}

/**
 * Starts the built program for a test: without V8's slowest compiler, which takes more time than it saves in so short a run.
 * @param entry the script of another build than that of the tests
 */
export const spawnProgram = (
  settings: Record<string, string>,
  stdio?: SpawnOptions['stdio'],
  entry?: string,
): ChildProcess => spawnServer(settings, stdio, entry, ['--no-turbofan'])
