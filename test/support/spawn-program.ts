import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { server } from '../../scripts/setup/node26.mjs'
import { patienceMs } from './wait-until.ts'

/** Runs Node with only these settings, without the environment of the tests, as in production; what it compiles is kept. */
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

/** The built program, listening on loopback only. @param flags of Node, beside those with which it is delivered */
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
 * The same for a test, which ends long before V8's slowest compiler pays for itself.
 * @param entry of another build than that of the tests
 */
export const spawnProgram = (
  settings: Record<string, string>,
  stdio?: SpawnOptions['stdio'],
  entry?: string,
): ChildProcess => spawnServer(settings, stdio, entry, ['--no-turbofan'])
