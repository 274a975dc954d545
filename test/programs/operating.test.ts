import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { server } from '../../scripts/setup/node26.mjs'
import { closeAfterTest } from '../support/close-after-test.ts'
import { freePort } from '../support/free-port.ts'
import { aMessageOf } from '../support/people.ts'
import { aProgram, emptyDataSettings } from '../support/program.ts'
import { spawnProgram } from '../support/spawn-program.ts'
import { json } from '../support/staff.ts'
import { allowErrors } from '../support/test-log.ts'
import { waitUntil } from '../support/wait-until.ts'

test('a log that is not read blocks nothing', async () => {
  const port = await freePort()
  // The pipe holds some tens of kilobytes, and is not read.
  const program = spawnProgram({ ...(await emptyDataSettings('sqlite')), PORT: String(port) }, [
    'ignore',
    'pipe',
    'ignore',
  ])
  const gone = once(program, 'exit')
  closeAfterTest(async () => {
    program.kill('SIGKILL')
    await gone
  })
  const url = `http://127.0.0.1:${port}`
  const status = async (path: string) => (await fetch(`${url}${path}`).catch(() => undefined))?.status
  await waitUntil(async () => (await status('/')) === 200, 'start')

  for (let round = 0; round < 50; round++) {
    await Promise.all(Array.from({ length: 20 }, () => status('/api/nergens')))
  }

  expect(await status('/api/nergens')).toBe(404)
  expect(await status('/')).toBe(200)
  program.kill('SIGTERM')
  expect((await gone)[0]).toBe(0)
})

test('after SIGTERM it still answers for some seconds, and says that it is not ready', async () => {
  const program = await aProgram({ DRAIN_SECONDS: '3' })
  const gone = once(program.process, 'close')
  program.process.kill('SIGTERM')
  await waitUntil(() => program.lines.some((line) => line.msg === 'stopping'), 'stop that has begun')

  expect((await fetch(`${program.url}/readyz`)).status).toBe(503)
  expect((await fetch(program.url)).status).toBe(200)
  expect((await fetch(`${program.url}/api/contact`, json('POST', aMessageOf('roya')))).status).toBe(201)
  expect((await gone)[0]).toBe(0)
  expect(program.lines.at(-1)?.msg).toBe('stopped')
})

test('with a full disk it starts: pages can be read, nothing is saved, and the log says so', async () => {
  allowErrors(/./)
  const { dataSettings, stop } = await aProgram()
  await stop()
  const port = await freePort()
  // A file size limit: writing fails as on a full disk.
  const limited = ['-c', 'ulimit -f 4 && exec "$@"', 'sh', process.execPath, ...server.flags, 'dist/server/main.js']
  const program = spawn('/bin/sh', limited, {
    env: { ...server.environment, ...dataSettings, NODE_ENV: 'production', HOST: '127.0.0.1', PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const gone = once(program, 'close')
  closeAfterTest(async () => {
    program.kill('SIGKILL')
    await gone
  })
  let written = ''
  for (const stream of [program.stdout, program.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      written += text
    })
  }
  await waitUntil(() => written.includes('"listening"') || program.exitCode !== null, 'start')

  expect(written).toContain('started read-only')
  expect(written).toMatch(/disk I\/O error|disk is full/)
  const url = `http://127.0.0.1:${port}`
  expect((await fetch(`${url}/disclaimer`)).status).toBe(200)
  expect((await fetch(`${url}/api/contact`, json('POST', aMessageOf('roya')))).status).toBe(503)
  expect((await fetch(`${url}/readyz`)).status).toBe(503)
})
