import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import tar from 'tar-stream'
import { expect, test } from 'vitest'
import { readRelease } from '../../src/platform/config/release.ts'
import { type Database, openDatabase } from '../../src/platform/db/database.ts'
import { closeAfterTest } from '../support/close-after-test.ts'
import { aCopyOfProgramTemplate, aTempFolder, type DatabaseKind } from '../support/databases.ts'
import { freePort } from '../support/free-port.ts'
import { aMessageOf } from '../support/people.ts'
import { spawnNode } from '../support/spawn-program.ts'
import { json } from '../support/staff.ts'
import { waitUntil } from '../support/wait-until.ts'

/** What a release folder has, by links to what was built. @param preload runs before the program, as a fault of this version */
function aRelease(version: string, options: { runsBesideSince?: string; preload?: string } = {}): string {
  const { runsBesideSince = '0.1.0', preload } = options
  const folder = join(aTempFolder(), version)
  mkdirSync(join(folder, 'bin'), { recursive: true })
  symlinkSync(process.execPath, join(folder, 'bin', 'node'))
  for (const name of ['dist', 'public', 'node_modules', 'site.config.json'])
    symlinkSync(join(process.cwd(), name), join(folder, name))
  if (preload) writeFileSync(join(folder, 'fault.mjs'), preload)
  const own = readRelease(process.cwd()).start
  const args = [...(preload ? ['--import', './fault.mjs'] : []), ...(own?.args ?? [])]
  const start = { ...own, program: 'bin/node', args }
  writeFileSync(join(folder, 'release.json'), JSON.stringify({ version, runsBesideSince, start }))
  return folder
}

/** A site that the launcher runs. */
async function aLaunchedSite(kind: DatabaseKind, release: string) {
  const { dataDir, databaseUrl } = await aCopyOfProgramTemplate('empty', kind)
  const port = await freePort()
  const settings = {
    ...{ DATA_DIR: dataDir, BACKUP_DIR: join(dataDir, 'backups'), HOST: '127.0.0.1', PORT: String(port) },
    ...{ DRAIN_SECONDS: '0', CONTACT_RATE: 'off', LOG_LEVEL: 'warn' },
    // Each version has two processes there, which accept from the same queue.
    ...(databaseUrl && { DATABASE_URL: databaseUrl, WORKERS: '2' }),
  }
  const url = `http://127.0.0.1:${port}`
  let launcher: ChildProcess
  const launch = async () => {
    launcher = spawnNode(['scripts/launcher.mjs', release], settings, ['ignore', 'ignore', 'inherit'])
    // A program of a killed launcher may still answer for a moment, so the launcher itself is asked too.
    await waitUntil(
      async () =>
        (await fetch(url, closing).catch(() => undefined))?.status === 200 &&
        statusOf(dataDir).then(
          () => true,
          () => false,
        ),
      'start by the launcher',
      minutes(5),
    )
  }
  const end = async (signal: NodeJS.Signals) => {
    if (launcher.exitCode !== null || launcher.signalCode !== null) return
    const gone = once(launcher, 'exit')
    launcher.kill(signal)
    await gone
  }
  closeAfterTest(() => end('SIGTERM'))
  await launch()

  /** The command, in the folder of the version that runs. */
  const start = (command: string[], watchSeconds = 2, folder = release) => {
    const { PATH = '', HOME = '' } = process.env
    const env = { PATH, HOME, NODE_ENV: 'production', ...settings, UPDATE_WATCH_SECONDS: String(watchSeconds) }
    return spawn(process.execPath, ['dist/server/cli.js', ...command], { cwd: folder, env })
  }
  const state = () => JSON.parse(readFileSync(join(dataDir, 'launcher', 'state.json'), 'utf8'))
  const { db } = await openDatabase({ dataDir, databaseUrl })
  closeAfterTest(() => db.destroy())
  return {
    ...{ dataDir, url, db, launch, start, state },
    end,
    async run(command: string[], watchSeconds?: number, folder?: string) {
      const child = start(command, watchSeconds, folder) as ChildProcessWithoutNullStreams
      const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
      return { out, err, code }
    },
    /** Starts an update and waits until it prints `expected`. */
    async begin(folder: string, expected: string) {
      const child = start(['update', folder])
      const ended = once(child, 'close')
      await printed([child.stdout, child.stderr], expected)
      return { child, ended }
    },
    /**
     * Asks the launcher for a version as `update` does after its rehearsal, and waits until it watches that.
     * @returns the outcome; undefined when the launcher was killed
     */
    async replaceBy(folder: string) {
      const connection = askLauncher(dataDir, { do: 'update', folder, watchSeconds: 60 })
      // A killed launcher may reset it.
      connection.on('error', () => {})
      const closed = new Promise((resolve) => connection.once('close', resolve))
      const output = await printed([connection], 'Watching')
      return { outcome: closed.then(() => JSON.parse(output().trim().split('\n').at(-1) ?? '').ended) }
    },
    async send(nr: number | string) {
      const answer = await fetch(`${url}/api/contact`, post(nr))
      return answer.status
    },
  }
}

/** Each update starts four programs, one after the other, on a machine that other tests use too. */
const minutes = (count: number) => count * 60_000

/** Each request by a new connection. */
const closing = { headers: { Connection: 'close' } }
const post = (nr: number | string) => {
  const { headers, ...rest } = json('POST', aMessageOf('roya', { bericht: `Vraag ${nr}` }))
  return { ...rest, headers: { ...(headers as Record<string, string>), Connection: 'close' } }
}

/** Visitors who read and write all the time, each request by a new connection, with room for the programs to start. */
function visitorsOf(url: string) {
  const answers: { path: string; status: number | string; nr: number }[] = []
  let stopped = false
  let nr = 0
  const visit = async () => {
    while (!stopped) {
      const own = nr++
      const path = own % 2 ? '/' : '/api/contact'
      const init = own % 2 ? closing : post(own)
      const status = await fetch(`${url}${path}`, init).then(
        async (answer) => {
          await answer.arrayBuffer()
          return answer.status
        },
        (error: Error) => String(error.cause ?? error),
      )
      answers.push({ path, status, nr: own })
      await pause(100)
    }
  }
  const all = Promise.all([visit(), visit(), visit()])
  return {
    answers,
    async stop() {
      stopped = true
      await all
      return answers
    },
  }
}

function askLauncher(dataDir: string, command: object): Socket {
  const connection = connect(join(dataDir, 'launcher', 'socket'))
  connection.write(`${JSON.stringify(command)}\n`)
  return connection
}
const statusOf = async (dataDir: string) => JSON.parse(await text(askLauncher(dataDir, { do: 'status' }))).status

/** Waits until the streams have said this; fails when they end without it. @returns what they have said by then */
async function printed(streams: Readable[], expected: string): Promise<() => string> {
  let output = ''
  for (const stream of streams)
    stream.setEncoding('utf8').on('data', (part: string) => {
      output += part
    })
  await waitUntil(() => output.includes(expected) || streams.every((one) => one.readableEnded), expected, minutes(3))
  expect(output).toContain(expected)
  return () => output
}

const messagesIn = async (db: Database) =>
  (await db.selectFrom('message').select('bericht').execute()).map(({ bericht }) => bericht)
const updatesIn = async (db: Database) =>
  (await db.selectFrom('audit').select('action').where('subject_type', '=', 'program').execute()).map(
    ({ action }) => action,
  )
const versionLine = (out: string) =>
  JSON.parse(out).lines.find(({ check }: { check: string }) => check === 'version') as Record<string, string>

/** Its migration only adds, as it states in its name: a column that tells which version stored a message. */
const expandsOnPostgres = `
import pg from 'pg'
if (process.env.DATABASE_URL) {
  process.env.PGAPPNAME = 'newer'
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL })
  await client.connect()
  // The workers of this version start together.
  await client.query('begin; lock table kysely_migration in exclusive mode')
  if ((await client.query("select from kysely_migration where name like '9999%'")).rowCount === 0) {
    await client.query("alter table message add column stored_by text not null default 'before'")
    await client.query("alter table message alter column stored_by set default current_setting('application_name')")
    await client.query("insert into kysely_migration (name, timestamp) values ('9999-more@0.1.0', '2030-01-01')")
  }
  await client.query('commit')
  await client.end()
}`

test('an update that adds a column refuses no visitor and loses no message, with both versions on one PostgreSQL', {
  timeout: minutes(15),
}, async () => {
  const site = await aLaunchedSite('postgres', aRelease('0.1.0'))
  const packed = tar.pack()
  packed.entry(
    { name: 'release.json' },
    readFileSync(join(aRelease('0.3.0', { runsBesideSince: '0.2.0' }), 'release.json')),
  )
  packed.finalize()
  const archive = join(aTempFolder(), '0.3.0.tar')
  writeFileSync(archive, await buffer(packed))
  const far = await site.run(['update', archive])
  expect(far.out).toContain(
    `SHA-256 of the archive: ${createHash('sha256').update(readFileSync(archive)).digest('hex')}`,
  )
  expect([far.code, far.err]).toEqual([
    1,
    'The update was not made, and nothing was changed: 0.3.0 cannot run beside 0.1.0: it runs beside 0.2.0 and later. Update to 0.2.0 first.\n',
  ])

  const next = aRelease('0.2.0', { preload: expandsOnPostgres })
  const killed = await site.begin(next, 'Rehearsing 0.2.0')
  killed.child.kill('SIGKILL')
  await killed.ended
  // As a minute later, when the killed update no longer counts.
  utimesSync(join(site.dataDir, 'updating'), 0, 0)
  expect(existsSync(join(site.dataDir, 'launcher', 'state.json'))).toBe(false)

  const visitors = visitorsOf(site.url)
  const done = await site.run(['update', next])
  const answers = await visitors.stop()
  expect([done.code, done.err]).toEqual([0, ''])
  expect(done.out).toMatch(/Backing up.*Rehearsing.*0\.2\.0 serves.*0\.2\.0 stays/s)
  expect(answers.filter(({ path, status }) => status !== (path === '/' ? 200 : 201))).toEqual([])
  const stored = await messagesIn(site.db)
  expect(answers.filter(({ path, nr }) => path !== '/' && !stored.includes(`Vraag ${nr}`))).toEqual([])
  const { rows } = await sql<{ by: string }>`select distinct stored_by as by from message order by 1`.execute(site.db)
  expect(rows.map(({ by }) => by)).toEqual(['', 'before', 'newer'])
  expect(site.state()).toMatchObject({ current: next, last: { from: '0.1.0', to: '0.2.0', outcome: 'kept' } })
  await waitUntil(async () => (await updatesIn(site.db)).length > 0, 'entry in the audit log')
  expect(await updatesIn(site.db)).toEqual(['program.updated'])
  const line = versionLine((await site.run(['doctor', '--json'], 1, next)).out)
  expect([line.outcome, line.text]).toEqual([
    'good',
    expect.stringMatching(/^Version 0\.2\.0, in the place of 0\.1\.0/),
  ])
})

/** The same on SQLite. */
const expands = `
import { DatabaseSync } from 'node:sqlite'
const db = new DatabaseSync(process.env.DATA_DIR + '/etalage.sqlite')
db.exec('pragma busy_timeout = 15000; begin immediate')
if (!db.prepare("select 1 from kysely_migration where name like '9999%'").get()) {
  db.exec("alter table message add column more text not null default ''")
  db.exec("insert into kysely_migration (name, timestamp) values ('9999-more@0.1.0', '2030-01-01')")
}
db.exec('commit')
db.close()`
/** It stores no message when the condition is true. */
const breaksWhen = (condition: string) => `
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
const prepare = DatabaseSync.prototype.prepare
DatabaseSync.prototype.prepare = function (sql) {
  if (/^insert into "message" /i.test(sql) && (${condition})) throw new Error('this version stores no message')
  return prepare.apply(this, arguments)
}`

test('an update that breaks the contact form is refused at its rehearsal, or undone by itself with every message kept', {
  timeout: minutes(15),
}, async () => {
  const site = await aLaunchedSite('sqlite', aRelease('0.1.0'))
  const broken = await site.run(['update', aRelease('0.2.0', { preload: breaksWhen('true') })])
  expect([broken.code, broken.err]).toEqual([1, expect.stringContaining('the contact form answers 500 to a message')])

  // On the site only, not on the copy of the rehearsal.
  writeFileSync(join(site.dataDir, 'break'), '')
  const preload =
    expands + breaksWhen("existsSync(process.env.DATA_DIR + '/break')").replace(/import \{ DatabaseSync.*/, '')
  const visitors = visitorsOf(site.url)
  const undone = await site.run(['update', aRelease('0.2.1', { preload })], 60)
  const answers = await visitors.stop()
  const reported = /The update was undone, and 0\.1\.0 serves: .+\. Every message that was received is there\./
  expect([undone.code, undone.err]).toEqual([3, expect.stringMatching(reported)])
  expect(answers.filter(({ status }) => typeof status !== 'number')).toEqual([])
  expect(answers.filter(({ path, status }) => path === '/' && status !== 200)).toEqual([])
  const taken = answers.filter(({ path, status }) => path !== '/' && status === 201)
  const stored = await messagesIn(site.db)
  expect(taken.filter(({ nr }) => !stored.includes(`Vraag ${nr}`))).toEqual([])
  expect(taken.length).toBeGreaterThan(0)
  expect(await site.send('erna')).toBe(201)
  await waitUntil(async () => (await updatesIn(site.db)).length > 0, 'entry in the audit log')
  expect(await updatesIn(site.db)).toEqual(['program.update_undone'])
  const line = versionLine((await site.run(['doctor', '--json'])).out)
  expect([line.outcome, line.text]).toEqual([
    'failed',
    expect.stringMatching(/^The update to version 0\.2\.1 was undone/),
  ])

  const next = aRelease('0.2.2')
  const dying = await site.replaceBy(next)
  expect(await site.send('aan 0.2.2')).toBe(201)
  process.kill((await statusOf(site.dataDir)).pid, 'SIGKILL')
  expect(await dying.outcome).toMatchObject({ outcome: 'undone', reason: 'it ended by itself' })
  expect(await site.send('na 0.2.2')).toBe(201)

  await site.replaceBy(next)
  expect(await site.send('weer aan 0.2.2')).toBe(201)
  await site.end('SIGKILL')
  await site.launch()
  expect(await statusOf(site.dataDir)).toMatchObject({ version: '0.1.0', last: { outcome: 'undone' } })
  expect(await messagesIn(site.db)).toEqual(
    expect.arrayContaining(['Vraag aan 0.2.2', 'Vraag na 0.2.2', 'Vraag weer aan 0.2.2']),
  )
})
