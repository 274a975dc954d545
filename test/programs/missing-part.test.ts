import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { server } from '../../scripts/setup/node26.mjs'
import { closeAfterTest } from '../support/close-after-test.ts'
import { freePort } from '../support/free-port.ts'
import { aMessageOf } from '../support/people.ts'
import { spawnNode } from '../support/spawn-program.ts'
import { json } from '../support/staff.ts'

test('the API responds with an error while its chunk is missing, and works when it is back', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'etalage-part-'))
  closeAfterTest(() => rmSync(folder, { recursive: true, force: true }))
  cpSync('dist/server', join(folder, 'server'), { recursive: true })
  const part = readdirSync(join(folder, 'server')).find((name) => /^routes-.*\.js$/.test(name)) ?? ''
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
  closeAfterTest(async () => {
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

test('the built program has the list of common passwords beside it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'etalage-passwords-'))
  closeAfterTest(() => rmSync(folder, { recursive: true, force: true }))
  cpSync('dist/server', join(folder, 'server'), { recursive: true })
  const createAdmin = (password: string) =>
    spawnSync(
      process.execPath,
      [join(folder, 'server', 'cli.js'), 'create-admin', 'bente@example.nl', '--password-stdin'],
      {
        input: password,
        encoding: 'utf8',
        env: { PATH: process.env.PATH, DATA_DIR: join(folder, 'data') },
      },
    )
  expect(createAdmin('Qwertyuiop')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('wordt te vaak gebruikt'),
  })
  expect(createAdmin('een zin van Bente alleen')).toMatchObject({ stderr: '', status: 0 })
})
