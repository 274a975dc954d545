import { once } from 'node:events'
import { cpSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { server } from '../../scripts/setup/node26.mjs'
import { closeAtEnd } from '../support/closing.ts'
import { freePort } from '../support/free-port.ts'
import { aMessageOf } from '../support/people.ts'
import { spawnNode } from '../support/spawn-program.ts'
import { json } from '../support/staff.ts'

test('what answers under /api is said to be broken while its part of the program is gone, and works when it is back', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'etalage-part-'))
  closeAtEnd(() => rmSync(folder, { recursive: true, force: true }))
  cpSync('dist/server', join(folder, 'server'), { recursive: true })
  const part = readdirSync(join(folder, 'server')).find((name) => /^interface-.*\.js$/.test(name)) ?? ''
  expect(part).not.toBe('')
  const [here, away] = [join(folder, 'server', part), join(folder, part)]
  renameSync(here, away)

  const port = await freePort()
  const program = spawnNode([...server.flags, join(folder, 'server', 'main.js')], {
    HOST: '127.0.0.1',
    PORT: String(port),
    DATA_DIR: join(folder, 'data'),
  })
  const said = text(program.stdout as NodeJS.ReadableStream)
  program.stderr?.resume()
  const ended = once(program, 'close')
  closeAtEnd(async () => {
    program.kill('SIGKILL')
    await ended
  })
  const url = `http://127.0.0.1:${port}`
  await expect.poll(async () => (await fetch(url).catch(() => undefined))?.status).toBe(200)
  const send = () => fetch(`${url}/api/contact`, json('POST', aMessageOf('roya')))

  const answer = await send()
  expect(answer.status).toBe(500)
  expect(answer.headers.get('content-type')).toContain('application/problem+json')
  expect(await answer.json()).toMatchObject({ title: 'Internal Server Error', status: 500, code: 'unexpected' })
  expect((await fetch(`${url}/disclaimer`)).status).toBe(200)

  renameSync(away, here)
  expect((await send()).status).toBe(201)
  program.kill('SIGTERM')
  await ended
  expect(await said).toContain(part)
})
