import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openDatabase } from '../../src/platform/db/database.ts'
import { closeAfterTest } from '../support/close-after-test.ts'
import { aCopyOfProgramTemplate } from '../support/databases.ts'
import { freePort } from '../support/free-port.ts'
import { aMessageOf } from '../support/people.ts'
import { aProgram, type Program } from '../support/program.ts'
import { spawnProgram } from '../support/spawn-program.ts'
import { json } from '../support/staff.ts'
import { allowErrors } from '../support/test-log.ts'
import { waitUntil } from '../support/wait-until.ts'

const workersOf = ({ process: { pid } }: Program): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
const serving = ({ lines }: Program) => lines.filter(({ msg }) => msg === 'listening').length
/** The folder is made with the first email. */
const emails = ({ dataDir }: Program) =>
  readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.eml'))

/** A connection to a process that was just killed is refused or reset; a browser tries again too. */
const answer = (program: Program, init?: RequestInit) =>
  waitUntil(() => fetch(`${program.url}${init ? '/api/contact' : '/'}`, init).catch(() => undefined), 'answer')

test('several workers serve on one port, which another program is refused; one of them sends the emails, and one that is killed is reported and started again', async () => {
  allowErrors(/a worker ended/)
  const ofWorkers = { WORKERS: '2', PORT: String(await freePort()) }
  const program = await aProgram(ofWorkers)
  await waitUntil(() => serving(program) === 2, 'second worker')
  await expect(aProgram(ofWorkers)).rejects.toThrow(/PORT: found .*EADDRINUSE/)
  // Each connection may reach either worker.
  for (let turn = 0; turn < 10; turn++) {
    expect((await fetch(program.url, { headers: { Connection: 'close' } })).status).toBe(200)
  }
  expect((await answer(program, json('POST', aMessageOf('roya')))).status).toBe(201)
  const sent = await waitUntil(() => emails(program).length > 0 && emails(program).length, 'email')

  const lost: object[] = []
  program.process.on('message', (report: object) => 'lostWorker' in report && lost.push(report))
  // The first one runs the jobs.
  const [first = 0, second] = workersOf(program)
  process.kill(first, 'SIGKILL')
  expect((await answer(program)).status).toBe(200)
  await waitUntil(() => serving(program) === 3, 'worker in the place of the killed one')
  expect(workersOf(program)).toContain(second)
  await waitUntil(() => lost.length > 0, 'report of the lost worker')
  expect((await answer(program, json('POST', aMessageOf('sanne')))).status).toBe(201)
  await waitUntil(() => emails(program).length > sent, 'email after that')

  const running = workersOf(program)
  expect(await program.stop()).toBe(0)
  // Workers that were told to stop are not lost.
  expect(lost).toHaveLength(1)
  for (const pid of running) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
})

test('a stop while the first worker still sets up ends the program, and no other worker is started', async () => {
  const { dataDir, databaseUrl } = await aCopyOfProgramTemplate('empty', 'postgres')
  const { db, dialect } = await openDatabase({ dataDir, databaseUrl })
  closeAfterTest(() => db.destroy())
  const url = `http://127.0.0.1:${await freePort()}`
  const settings = { WORKERS: '2', PORT: new URL(url).port, DATA_DIR: dataDir, DATABASE_URL: String(databaseUrl) }
  const isServed = () =>
    fetch(url).then(
      () => true,
      () => false,
    )
  const ended = await db.transaction().execute(async (tx) => {
    // The first worker listens, and waits to create the first administrator.
    await dialect.lock(tx, 'first administrator')
    const program = spawnProgram(settings, 'ignore')
    closeAfterTest(() => void program.kill('SIGKILL'))
    await waitUntil(isServed, 'first worker')
    program.kill('SIGTERM')
    await waitUntil(async () => !(await isServed()), 'stop that has begun')
    return { code: once(program, 'close') }
  })
  expect(await ended.code).toEqual([0, null])
})
