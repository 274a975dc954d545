import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { server } from '../../scripts/setup/node26.mjs'

/** Runs Node with only these settings, without the environment of the tests, as in production. */
export function spawnNode(
  args: string[],
  settings: Record<string, string>,
  stdio: SpawnOptions['stdio'] = ['ignore', 'pipe', 'pipe'],
): ChildProcess {
  const { PATH = '', HOME = '', TZ = 'UTC' } = process.env
  return spawn(process.execPath, args, { env: { PATH, HOME, TZ, NODE_ENV: 'production', ...settings }, stdio })
}

/** The built program, listening on loopback only. */
export function spawnProgram(settings: Record<string, string>, stdio?: SpawnOptions['stdio']): ChildProcess {
  const args = [...server.flags, 'dist/server/main.js']
  return spawnNode(args, { HOST: '127.0.0.1', DRAIN_SECONDS: '0', ...server.environment, ...settings }, stdio)
}
