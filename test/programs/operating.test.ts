import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, cpSync, existsSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openDatabase, sqlitePath } from '../../src/platform/db/database.ts'
import { administrator } from '../support/administrator.ts'
import { closeAfterTest } from '../support/close-after-test.ts'
import { aCopyOfProgramTemplate, aTempFolder } from '../support/databases.ts'
import { freePort } from '../support/free-port.ts'
import { aMessageOf } from '../support/people.ts'
import { aProgram, emptyDataSettings, type Program } from '../support/program.ts'
import { signInAsAdministrator } from '../support/session-cookies.ts'
import { aSmallDisk, canMount } from '../support/small-disk.ts'
import { spawnNode, spawnProgram } from '../support/spawn-program.ts'
import { json } from '../support/staff.ts'
import { allowErrors } from '../support/test-log.ts'
import { slowMs, waitUntil } from '../support/wait-until.ts'

test('the administrator of ADMIN_EMAIL can sign in once the program is ready, and a log that nobody reads blocks nothing', async () => {
  const port = await freePort()
  const { email: ADMIN_EMAIL, password: ADMIN_PASSWORD } = administrator
  // The pipe holds some tens of kilobytes, and is not read.
  const program = spawnProgram(
    { ...(await emptyDataSettings('sqlite')), ADMIN_EMAIL, ADMIN_PASSWORD, PORT: String(port) },
    ['ignore', 'pipe', 'ignore'],
  )
  const gone = once(program, 'exit')
  closeAfterTest(async () => {
    program.kill('SIGKILL')
    await gone
  })
  const url = `http://127.0.0.1:${port}`
  const status = async (path: string) => (await fetch(`${url}${path}`).catch(() => undefined))?.status
  await waitUntil(async () => (await status('/readyz')) === 200, 'start', slowMs)
  expect(await signInAsAdministrator(url)).toContain('session')

  // Long, so that few requests fill the pipe of the log.
  const longPath = `/api/${'nergens'.repeat(270)}`
  for (let round = 0; round < 10; round++) {
    await Promise.all(Array.from({ length: 20 }, () => status(longPath)))
  }

  expect(await status('/api/nergens')).toBe(404)
  expect(await status('/')).toBe(200)
  program.kill('SIGTERM')
  expect((await gone)[0]).toBe(0)
})

test('a command whose output is no longer read goes on to its end', async () => {
  const command = spawnNode(['dist/server/cli.js', '--help'], {})
  command.stdout?.destroy()
  expect((await once(command, 'exit'))[0]).toBe(0)
})

/** Runs `config schema` with its output in a file. */
async function printSchemaTo(path: string): Promise<{ code: number; err: string }> {
  const file = openSync(path, 'w')
  const command = spawnNode(['dist/server/cli.js', 'config', 'schema'], {}, ['ignore', file, 'pipe'])
  closeSync(file)
  let err = ''
  command.stderr?.setEncoding('utf8').on('data', (text) => {
    err += text
  })
  const [code] = await once(command, 'close')
  return { code, err }
}
const isReported = { code: 1, err: expect.stringMatching(/^The output was not written completely: ENOSPC.*\n$/) }

test.runIf(existsSync('/dev/full'))('a command whose output cannot be written says so, and fails', async () => {
  expect(await printSchemaTo('/dev/full')).toEqual(isReported)
})

test.runIf(canMount)('a command whose output is cut off by a full disk says so, and fails', async () => {
  const path = join(aSmallDisk(join(aTempFolder(), 'disk'), 8_192), 'schema.json')
  expect(await printSchemaTo(path)).toEqual(isReported)
  expect(statSync(path).size, 'a part has room').toBe(8_192)
})

test('after SIGTERM the program still answers for some seconds, and says that it is not ready', async () => {
  const program = await aProgram({ DRAIN_SECONDS: '20' })
  const gone = once(program.process, 'close')
  program.process.kill('SIGTERM')
  await waitUntil(() => program.lines.some((line) => line.msg === 'stopping'), 'stop that has begun')

  expect((await fetch(`${program.url}/readyz`)).status).toBe(503)
  expect((await fetch(program.url)).status).toBe(200)
  expect((await fetch(`${program.url}/api/contact`, json('POST', aMessageOf('roya')))).status).toBe(201)
  expect((await gone)[0]).toBe(0)
  expect(program.lines.at(-1)?.msg).toBe('stopped')
})

/** Takes all room of a disk. @returns gives it back */
function fill(disk: string): () => void {
  const path = join(disk, 'filler')
  const file = openSync(path, 'w')
  try {
    for (;;) writeSync(file, Buffer.alloc(65_536))
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' })
  }
  closeSync(file)
  return () => rmSync(path)
}

const remount = (disk: string, how: 'ro' | 'rw') =>
  expect(spawnSync('mount', ['-o', `remount,${how}`, disk], { encoding: 'utf8' }).stderr).toBe('')

/** The data folder of a site without an administrator, on a disk of its own. */
async function aSiteOnSmallDisk() {
  allowErrors(/./)
  const { dataDir } = await aCopyOfProgramTemplate('empty', 'sqlite')
  const disk = aSmallDisk(join(aTempFolder(), 'disk'), 12 * 1_048_576)
  cpSync(dataDir, disk, { recursive: true })
  const { email: ADMIN_EMAIL, password: ADMIN_PASSWORD } = administrator
  return { disk, settings: { DATA_DIR: disk, CONTACT_RATE: 'off', ADMIN_EMAIL, ADMIN_PASSWORD } }
}

const statusOf = async (url: string, init?: RequestInit) => (await fetch(url, init)).status
const sendTo = (url: string, nr: number) =>
  statusOf(`${url}/api/contact`, json('POST', aMessageOf('roya', { bericht: `Vraag ${nr}` })))
const isReady = async (url: string) => (await statusOf(`${url}/readyz`)) === 200

/** The messages in the database, read by another process than the program. */
async function messagesOn(disk: string): Promise<string[]> {
  const { db } = await openDatabase({ dataDir: disk })
  const found = await db.selectFrom('message').select('bericht').execute()
  await db.destroy()
  return found.map(({ bericht }) => bericht)
}

test.runIf(canMount)(
  'when the disk becomes full, pages are served, messages are refused honestly, and it recovers by itself without a loss',
  async () => {
    const { disk, settings } = await aSiteOnSmallDisk()
    const { url, lines, stop } = await aProgram(settings)
    const taken: string[] = []
    let nr = 0
    let refused = 0
    let stopped = false
    const visit = async () => {
      while (!stopped) {
        expect(await statusOf(url)).toBe(200)
        const own = nr++
        const status = await sendTo(url, own)
        expect([201, 503]).toContain(status)
        if (status === 201) taken.push(`Vraag ${own}`)
        else refused++
        await pause(20)
      }
    }
    const visitors = Promise.all([visit(), visit()])
    await waitUntil(() => taken.length > 10, 'messages')

    const makeRoom = fill(disk)
    await waitUntil(async () => refused > 10 && !(await isReady(url)), 'full disk')
    // The first visit to this page, so it is read from the database.
    expect(await statusOf(`${url}/disclaimer`)).toBe(200)
    const form = new URLSearchParams(aMessageOf('sanne'))
    const answer = await fetch(`${url}/api/contact`, { method: 'POST', body: form, headers: { Accept: 'text/html' } })
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
    const page = await answer.text()
    expect(page).toContain('Uw bericht is niet verstuurd!')
    expect(page).toContain('Wat kost een webwinkel voor een bakkerij')
    const causes = () => lines.map(({ err }) => (err as { message?: string } | undefined)?.message)
    expect(causes()).toContain('database or disk is full')
    expect(lines).toContainEqual(expect.objectContaining({ msg: 'not ready' }))

    makeRoom()
    await waitUntil(() => isReady(url), 'recovery')
    const before = taken.length
    await waitUntil(() => taken.length > before + 10, 'messages after it')
    stopped = true
    await visitors
    expect(await stop()).toBe(0)
    const stored = await messagesOn(disk)
    expect(taken.filter((one) => !stored.includes(one))).toEqual([])
  },
)

test.runIf(canMount)(
  'an upload that a disk has no room for is refused as such when it was sent, a form with files is to be sent again, and the log goes on in whole lines',
  async () => {
    const { disk, settings } = await aSiteOnSmallDisk()
    const log = join(disk, 'log')
    const port = await freePort()
    const file = openSync(log, 'a')
    const program = spawnProgram({ ...settings, PORT: String(port) }, ['ignore', file, 'pipe'])
    closeSync(file)
    const gone = once(program, 'exit')
    closeAfterTest(async () => {
      program.kill('SIGKILL')
      await gone
    })
    const url = `http://127.0.0.1:${port}`
    await waitUntil(() => isReady(url).catch(() => false), 'start', slowMs)
    const cookie = await signInAsAdministrator(url)
    const send = async (path: string, body: BodyInit, headers: Record<string, string> = {}) => {
      const answer = await fetch(`${url}${path}`, { method: 'POST', body, headers: { Cookie: cookie, ...headers } })
      return [answer.status, (await answer.json()).code]
    }
    const content = new Blob([randomBytes(6_000_000)])
    const upload = async () => send('/api/files?name=foto.png', content, { Origin: url })
    const form = () => {
      const body = new FormData()
      const answers = {
        soort: 'Een nieuwe website',
        toelichting: 'In twee talen',
        naam: 'Roya',
        email: 'roya@karimi.example',
      }
      for (const [name, value] of Object.entries(answers)) body.append(name, value)
      body.append('bijlagen', content, 'huisstijl.pdf')
      return send('/api/forms/offerte', body, { Accept: 'application/json' })
    }

    const makeRoom = fill(disk)
    for (let times = 0; times < 5; times++) {
      expect(await upload()).toEqual([507, 'storage_full'])
      expect(await form()).toEqual([503, 'contact_unavailable'])
    }

    makeRoom()
    await waitUntil(() => isReady(url), 'recovery')
    expect((await upload())[0], 'no image, and received whole').toBe(415)
    const lines = readFileSync(log, 'utf8').split('\n')
    expect(lines.filter((line) => line.lastIndexOf('{"level":') > 0)).toEqual([])
    expect(lines).toContainEqual(
      expect.stringContaining('log lines were dropped because the file of the log could not be written'),
    )
  },
)

test.runIf(canMount)(
  'on a disk that is full or read-only the program starts: pages are served, the log says why nothing is saved, and it recovers by itself',
  async () => {
    const { disk, settings } = await aSiteOnSmallDisk()
    const servesReadOnly = async ({ url, lines }: Program, cause: RegExp) => {
      expect(lines).toContainEqual(
        expect.objectContaining({
          msg: expect.stringContaining('started read-only'),
          err: expect.objectContaining({ message: expect.stringMatching(cause) }),
        }),
      )
      expect(await statusOf(`${url}/disclaimer`)).toBe(200)
      expect(await sendTo(url, 0)).toBe(503)
      expect(await isReady(url)).toBe(false)
    }

    const makeRoom = fill(disk)
    const program = await aProgram(settings)
    await servesReadOnly(program, /disk is full/)
    makeRoom()
    await waitUntil(() => isReady(program.url), 'room')
    expect(await signInAsAdministrator(program.url)).toContain('session')
    expect(await sendTo(program.url, 1)).toBe(201)
    expect(await messagesOn(disk)).toEqual(['Vraag 1'])

    // With what a killed program leaves, without its shared memory file, and after a stop.
    for (const [nr, end] of ([program.kill, program.kill, program.stop] as const).entries()) {
      await end()
      if (nr === 1) rmSync(`${sqlitePath(disk)}-shm`)
      remount(disk, 'ro')
      program.lines.length = 0
      await program.start()
      await servesReadOnly(program, /readonly database/)
      expect(await messagesOn(disk)).toHaveLength(nr + 1)
      remount(disk, 'rw')
      await waitUntil(() => isReady(program.url), 'a disk that can be written')
      expect(await sendTo(program.url, nr + 2)).toBe(201)
      expect(await messagesOn(disk)).toHaveLength(nr + 2)
    }
  },
)
