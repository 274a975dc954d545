import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { server } from '../../scripts/setup/node26.mjs'
import { readRelease } from '../../src/platform/config/release.ts'
import { readSettings } from '../../src/platform/config/settings.ts'

/** The longest time from the end of the drain to the end of the process, as `docs/operate/deploy.md` promises. */
const stopSeconds = 25

test('the unit for systemd starts a script that exists and waits until the program has stopped', () => {
  const unit = Object.fromEntries(
    readFileSync('deploy/etalage.service', 'utf8')
      .split('\n')
      .filter((line) => line.includes('=') && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
  const [node = '', script = ''] = unit.ExecStart?.split(' ') ?? []
  expect(unit.WorkingDirectory).toBe('/opt/etalage/current')
  expect(existsSync(node.replace('/opt/etalage/current', process.cwd())), node).toBe(true)
  expect(existsSync(join(process.cwd(), script)), script).toBe(true)
  expect(Number(unit.TimeoutStopSec)).toBeGreaterThan(readSettings({}).drainMs / 1_000 + stopSeconds)
})

test('a checkout states how the launcher starts it, which is as `npm start` does', () => {
  const { start } = readRelease(process.cwd())
  // Set by the script to a folder of its own; without it, nothing is compiled ahead.
  const { NODE_COMPILE_CACHE, ...environment } = server.environment
  expect(start).toEqual({
    program: 'node_modules/node/bin/node',
    args: [...server.flags, 'dist/server/main.js'],
    environment,
  })
})

test('Caddy passes requests to the default port', () => {
  expect(readFileSync('deploy/Caddyfile', 'utf8')).toContain(`reverse_proxy 127.0.0.1:${readSettings({}).port} {`)
})
