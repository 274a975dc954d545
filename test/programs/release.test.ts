import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { server } from '../../scripts/setup/node26.mjs'
import { readRelease } from '../../src/platform/config/release.ts'
import { closeAfterTest } from '../support/close-after-test.ts'
import { aTempFolder } from '../support/databases.ts'
import { freePort } from '../support/free-port.ts'
import { waitUntil } from '../support/wait-until.ts'

/** The arguments of an instruction of the last stage, which are JSON. */
function lastInstruction(name: string): string[] {
  const lines = readFileSync('Dockerfile', 'utf8').split('\n')
  const line = lines.findLast((one) => one.startsWith(`${name} [`)) ?? ''
  return JSON.parse(line.slice(line.indexOf('[')))
}

// No container engine is needed: the steps of the Dockerfile, in their order, on this machine.
test('a release is all that the program needs, and runs as the Dockerfile starts it', async () => {
  const folder = join(await aTempFolder(), 'release')
  const made = spawnSync(process.execPath, ['scripts/release.mjs', folder], { encoding: 'utf8' })
  expect([made.status, made.stderr]).toEqual([0, expect.stringContaining(folder)])
  // No tools to build with, and no second copy of what the build contains.
  expect(readdirSync(join(folder, 'node_modules'))).not.toContain('vite')
  expect(readdirSync(join(folder, 'node_modules'))).not.toContain('react')
  const { version, start } = readRelease(folder)
  expect([version, start]).toEqual([
    JSON.parse(readFileSync('package.json', 'utf8')).version,
    { ...readRelease(process.cwd()).start, program: 'bin/node' },
  ])
  expect(readFileSync(join(folder, 'launcher.mjs'), 'utf8')).toBe(readFileSync('scripts/launcher.mjs', 'utf8'))

  const data = join(folder, '..', 'data')
  mkdirSync(data)
  const port = await freePort()
  const env = {
    PATH: join(folder, 'bin'),
    NODE_ENV: 'production',
    DATA_DIR: data,
    PORT: String(port),
    DRAIN_SECONDS: '0',
  }
  const [program = '', ...args] = lastInstruction('CMD')
  expect([program, ...args]).toEqual(['node', ...server.flags, 'dist/server/main.js'])
  const running = spawn(join(folder, 'bin', program), args, { cwd: folder, env: { ...env, HOST: '127.0.0.1' } })
  const gone = once(running, 'exit')
  closeAfterTest(async () => {
    running.kill('SIGKILL')
    await gone
  })
  const answer = (path: string) => fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined)
  await waitUntil(async () => (await answer('/readyz'))?.status === 200, 'start of the release')
  expect(await (await answer('/'))?.text()).toContain('</html>')
  // Made by an image process, which loads a package that the build does not contain.
  expect((await answer('/opengraph.png'))?.headers.get('content-type')).toBe('image/png')

  const health = lastInstruction('  CMD')
  const checked = spawnSync(join(folder, 'bin', health[0] ?? ''), health.slice(1), { env })
  expect(checked.status).toBe(0)
  running.kill('SIGTERM')
  expect((await gone)[0]).toBe(0)
  expect(spawnSync(join(folder, 'bin', health[0] ?? ''), health.slice(1), { env }).status).toBe(1)
})
