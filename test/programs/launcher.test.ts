import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { openDatabase } from '../../src/platform/db/database.ts'
import { closeAfterTest } from '../support/close-after-test.ts'
import { aTempFolder } from '../support/databases.ts'
import { freePort } from '../support/free-port.ts'
import { spawnNode } from '../support/spawn-program.ts'
import { waitUntil } from '../support/wait-until.ts'

/** What each fake program does; it notes its starts and ends. */
const program = (version: string, faults: { start?: string; stop?: string; canary?: string }) => `
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
const data = process.env.DATA_DIR
const journal = () => readFileSync(data + '/journal', 'utf8')
const note = (what) => appendFileSync(data + '/journal', what + ' ${version} ' + process.pid + '\\n')
const until = async (isSo) => { while (!isSo()) await pause(10) }
let tries = 0
note('start')
process.on('exit', () => note('end'))
process.on('disconnect', () => process.exit())
process.on('SIGTERM', () => process.exit())
process.on('message', async (asked) => {
  if ('canary' in asked) process.send({ canary: '', ...(${faults.canary ?? '{}'}) })
  if ('stop' in asked) {
    ${faults.stop ?? ''}
    process.exit()
  }
})
${faults.start ?? 'process.send({ port: 1 })'}
`

/** A release that the launcher can start, without a website. */
function aRelease(version: string, faults: Parameters<typeof program>[1] = {}): string {
  const folder = join(aTempFolder(), version)
  mkdirSync(folder)
  symlinkSync(process.execPath, join(folder, 'node'))
  writeFileSync(join(folder, 'program.mjs'), program(version, faults))
  const start = { program: 'node', args: ['program.mjs'], environment: {} }
  writeFileSync(join(folder, 'release.json'), JSON.stringify({ version, runsBesideSince: '0.1.0', start }))
  return folder
}

async function aLauncher() {
  const dataDir = aTempFolder()
  const port = await freePort()
  let launcher: ChildProcess | undefined
  const ask = async (line: string): Promise<Record<string, unknown>[]> => {
    const connection = connect(join(dataDir, 'launcher', 'socket'))
    connection.write(line)
    return (await text(connection))
      .trim()
      .split('\n')
      .map((answer) => JSON.parse(answer))
  }
  const status = async () => (await ask('{"do":"status"}\n'))[0]?.status as { version: string; pid: number }
  const stop = async () => {
    if (!launcher || launcher.exitCode !== null || launcher.signalCode !== null) return launcher?.exitCode
    const gone = once(launcher, 'exit')
    launcher.kill('SIGTERM')
    return (await gone)[0]
  }
  closeAfterTest(async () => void (await stop()))
  return {
    ...{ dataDir, ask, status, stop },
    async launch(...args: string[]) {
      const settings = { DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: String(port) }
      launcher = spawnNode(['scripts/launcher.mjs', ...args], settings, ['ignore', 'ignore', 'inherit'])
      await waitUntil(() => status().catch(() => undefined), 'the launcher')
    },
    /** @returns what the launcher says at last */
    async update(folder: string, watchSeconds = 0.2) {
      return (await ask(`${JSON.stringify({ do: 'update', folder, watchSeconds })}\n`)).at(-1)
    },
    journal: () => readFileSync(join(dataDir, 'journal'), 'utf8').trim().split('\n'),
    /** The processes of programs that run. */
    running(): number[] {
      const alive = new Set<number>()
      for (const line of this.journal()) {
        const [what, , pid] = line.split(' ')
        if (what === 'start') alive.add(Number(pid))
      }
      return [...alive].filter((pid) => {
        try {
          return process.kill(pid, 0)
        } catch {
          return false
        }
      })
    },
    state: () => JSON.parse(readFileSync(join(dataDir, 'launcher', 'state.json'), 'utf8')),
  }
}

test('an invalid command is refused, and the launcher goes on', async () => {
  const first = aRelease('0.1.0')
  const site = await aLauncher()
  await site.launch(first, join(first, '..'))
  const outside = aRelease('0.2.0')
  const unsound = join(first, '..', '0.2.0')
  mkdirSync(unsound)
  const start = { program: '../0.1.0/node', args: [], environment: {} }
  writeFileSync(join(unsound, 'release.json'), JSON.stringify({ version: '0.2.0', runsBesideSince: '0.1.0', start }))
  for (const [line, reason] of [
    ['no command\n', /JSON/],
    ['null\n', /does not know|null/],
    ['{"do":"fly"}\n', /does not know this command/],
    ['{"do":"update","folder":"0.1.0","watchSeconds":1}\n', /must be absolute/],
    [`${JSON.stringify({ do: 'update', folder: first, watchSeconds: 'long' })}\n`, /positive number/],
    [`${JSON.stringify({ do: 'update', folder: first, watchSeconds: -1 })}\n`, /positive number/],
    [`${JSON.stringify({ do: 'check', folder: outside })}\n`, /is not below/],
    [`${JSON.stringify({ do: 'check', folder: join(outside, 'nothing') })}\n`, /does not see .*nothing; as a service/],
    [`${JSON.stringify({ do: 'check', folder: unsound })}\n`, /does not say what version it is and how it is started/],
    ['x'.repeat(100_000), /too long/],
  ] as const) {
    expect([line.slice(0, 60), await site.ask(line)]).toEqual([
      line.slice(0, 60),
      [{ refused: expect.stringMatching(reason) }],
    ])
  }
  expect(await site.status()).toMatchObject({ version: '0.1.0' })
  expect(site.journal()).toHaveLength(1)
})

test('a version that dies while another takes its place is not started a second time', async () => {
  const site = await aLauncher()
  await site.launch(aRelease('0.1.0'))
  const slow = aRelease('0.2.0', { start: "await until(() => existsSync(data + '/go')); process.send({ port: 1 })" })
  // Longer than the launcher waits before it starts a version again that ended quickly.
  const updated = site.update(slow, 2)
  await waitUntil(() => site.journal().some((line) => line.startsWith('start 0.2.0')), 'the new version')
  const old = (await site.status()).pid
  process.kill(old, 'SIGKILL')
  await waitUntil(() => !site.running().includes(old), 'end of the old version')
  writeFileSync(join(site.dataDir, 'go'), '')
  expect(await updated).toMatchObject({ ended: { outcome: 'kept' } })
  const { version, pid } = await site.status()
  expect([version, site.running()]).toEqual(['0.2.0', [pid]])
})

test('while the state file cannot be written, no update begins, and one in progress is completed', async () => {
  const site = await aLauncher()
  await site.launch(aRelease('0.1.0'))
  const unwritable = join(site.dataDir, 'launcher', 'state.json.new')
  const next = aRelease('0.2.0')
  const updated = site.update(next, 1)
  await waitUntil(() => site.journal().some((line) => line.startsWith('start 0.2.0')), 'the new version')
  mkdirSync(unwritable)
  expect(await updated).toMatchObject({ ended: { outcome: 'kept' } })
  expect(await site.update(aRelease('0.3.0'))).toEqual({ refused: expect.stringContaining('EISDIR') })
  const { pid } = await site.status()
  process.kill(pid, 'SIGKILL')
  await waitUntil(async () => (await site.status()).pid !== pid && site.running().length === 1, 'start again')
  expect((await site.status()).version).toBe('0.2.0')
  rmdirSync(unwritable)
  expect(await site.update(aRelease('0.3.0'))).toMatchObject({ ended: { from: '0.2.0', outcome: 'kept' } })
})

test('a new version that ends, or loses a worker, is replaced by the old one at once, even while the old process still finishes', async () => {
  const site = await aLauncher()
  // It finishes only when it serves a second time.
  const stop = "await until(() => journal().split('start 0.1.0').length > 2)"
  await site.launch(aRelease('0.1.0', { stop }))
  const dying = aRelease('0.2.0', { start: 'process.send({ port: 1 }, () => process.exit(1))' })
  expect(await site.update(dying, 60)).toMatchObject({
    ended: { outcome: 'undone', reason: 'it ended by itself', why: { key: 'updateEnded' } },
  })
  const losing = aRelease('0.2.1', { start: 'process.send({ port: 1 }); process.send({ lostWorker: true })' })
  expect(await site.update(losing, 60)).toMatchObject({
    ended: { outcome: 'undone', reason: 'one of its workers ended by itself' },
  })
  const { version, pid } = await site.status()
  expect([version, site.running()]).toEqual(['0.1.0', [pid]])
})

test('a contact form that does not answer undoes an update, unless the database is unavailable or a later try works', async () => {
  const site = await aLauncher()
  await site.launch(aRelease('0.1.0'))
  const refused = aRelease('0.2.0', { canary: "{ database: 'refused' }" })
  const reason = 'its contact form did not answer, and the database did'
  expect(await site.update(refused)).toMatchObject({ ended: { outcome: 'undone', reason } })
  const away = aRelease('0.3.0', { canary: "{ database: 'away' }" })
  expect(await site.update(away)).toMatchObject({ ended: { outcome: 'kept' } })
  const atLast = aRelease('0.4.0', { canary: "tries++ === 0 ? { database: 'refused' } : {}" })
  expect(await site.update(atLast)).toMatchObject({ ended: { outcome: 'kept' } })
})

test('a program that had to kill itself while it was stopping ends the launcher without an error', async () => {
  const site = await aLauncher()
  await site.launch(
    aRelease('0.1.0', {
      start: `
process.removeAllListeners('SIGTERM').on('SIGTERM', () => process.kill(process.pid, 'SIGKILL'))
process.send({ port: 1 })`,
    }),
  )
  expect(await site.stop()).toBe(0)
})

test('a start with another version than the previous start runs that one, and otherwise the updated version', async () => {
  const site = await aLauncher()
  const [old, next] = [aRelease('0.1.0'), aRelease('0.2.0')]
  await site.launch(old)
  expect(existsSync(join(site.dataDir, 'launcher', 'state.json'))).toBe(false)
  expect(await site.update(next)).toMatchObject({ ended: { outcome: 'kept' } })
  for (const [given, version] of [
    [old, '0.2.0'],
    [next, '0.2.0'],
    [old, '0.1.0'],
  ] as const) {
    await site.stop()
    await site.launch(given)
    expect((await site.status()).version).toBe(version)
  }
  expect(site.state()).toMatchObject({ given: old, current: old, last: { outcome: 'kept' } })
})

test('an outcome of an update that the launcher sends twice is recorded once', async () => {
  const dataDir = aTempFolder()
  const program = fork('dist/server/main.js', ['launched', '0'], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { PATH: process.env.PATH, HOST: '127.0.0.1', DATA_DIR: dataDir },
  })
  closeAfterTest(() => void program.kill('SIGKILL'))
  const answers: object[] = []
  program.on('message', (message: object) => answers.push(message))
  const sent = (name: string) => answers.filter((answer) => name in answer)
  await waitUntil(() => sent('port').length > 0, 'program that serves')

  const record = { from: '0.1.0', to: '0.2.0', at: new Date().toISOString(), outcome: 'kept', reason: '' }
  for (let time = 0; time < 3; time++) program.send({ record })

  await waitUntil(() => sent('recorded').length === 3, 'three answers')
  program.kill('SIGTERM')
  await once(program, 'exit')
  const { db } = await openDatabase({ dataDir })
  closeAfterTest(() => db.destroy())
  const entries = await db.selectFrom('audit').select('action').where('subject_type', '=', 'program').execute()
  expect(entries).toEqual([{ action: 'program.updated' }])
})
