import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../src/platform/db/database.ts'
import { closeAfterTest } from '../support/close-after-test.ts'
import { aTempFolder, type DatabaseKind, databases } from '../support/databases.ts'
import { aMailbox } from '../support/mailbox.ts'
import { aMessageOf } from '../support/people.ts'
import { aProgram, type Program, runCommand } from '../support/program.ts'
import { writeSiteFile } from '../support/site-file.ts'
import { waitUntil } from '../support/wait-until.ts'

/** Two instances on one database, and the settings for a command of the operator. */
async function twoCopies(kind: DatabaseKind) {
  const first = await aProgram({}, kind)
  const settings = first.dataSettings
  const copies = [first, await aProgram(settings)] as const
  const { db } = await openDatabase({ dataDir: first.dataDir, databaseUrl: settings.DATABASE_URL })
  closeAfterTest(() => db.destroy())
  return { copies, settings, db }
}

const send = async ({ url }: Program, message: object) => {
  const response = await fetch(`${url}/api/contact`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(message),
  })
  return { status: response.status, id: ((await response.json()) as { id?: number }).id }
}

describe.each(databases)('two instances on one %s', (kind) => {
  let copies: readonly [Program, Program]
  let settings: Record<string, string>
  let db: Database
  beforeAll(async () => {
    const pair = await twoCopies(kind)
    copies = pair.copies
    settings = pair.settings
    db = pair.db
  })
  const rows = async () => {
    const messages = await db.selectFrom('message').select('id').execute()
    const emails = await db.selectFrom('outbox').select('id').execute()
    return { messages: messages.length, emails: emails.length }
  }

  test('count an identical message once, wherever it arrives at the same moment, and share the limit of twenty from one address', async () => {
    const identical = await Promise.all(
      Array.from({ length: 20 }, (_, at) => send(copies[at % 2 ? 1 : 0], aMessageOf('sanne'))),
    )
    expect(new Set(identical.map(({ status, id }) => `${status} ${id}`)).size).toBe(1)
    expect(identical[0]?.status).toBe(201)
    expect(await rows()).toEqual({ messages: 1, emails: 2 })

    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        send(copies[at % 2 ? 1 : 0], aMessageOf('daan', { bericht: `Vraag ${at}` })),
      ),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(19)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(11)
    expect((await rows()).messages).toBe(20)
  })

  test('both show a configuration that the operator imports, without a restart', async () => {
    const home = async ({ url }: Program) => (await fetch(url)).text()
    for (const copy of copies) expect(await home(copy)).toContain('Maaslicht')

    const file = writeSiteFile(aTempFolder(), (config) => {
      config.brand = 'Lichtkade'
    })
    expect(await runCommand(settings, ['config', 'import', file])).toEqual({
      code: 0,
      out: [
        'Revision 2 is the current configuration.',
        'It has no collection nieuws: its pages (3) are kept, hidden, until a configuration has it again.',
        'It has no collection projecten: its pages (4) are kept, hidden, until a configuration has it again.',
        'It has no collection vacatures: its pages (2) are kept, hidden, until a configuration has it again.\n',
      ].join('\n'),
      err: '',
    })
    for (const copy of copies) {
      await waitUntil(async () => !(await home(copy)).includes('Maaslicht'), 'new home page')
      expect(await home(copy)).toContain('Lichtkade')
    }

    const exported = await runCommand(settings, ['config', 'export'])
    expect(exported.code).toBe(0)
    expect(JSON.parse(exported.out)).toMatchObject({
      $schema: './site.schema.json',
      version: '1.2',
      brand: 'Lichtkade',
    })
  })

  test('are not affected by an invalid configuration: the operator sees the path, and the command fails', async () => {
    const file = writeSiteFile(aTempFolder(), (config) => {
      config.palette.accent = 'green'
    })
    const { code, err } = await runCommand(settings, ['config', 'import', file])
    expect(code).toBe(1)
    expect(err).toContain(`${file} cannot be used:\n  palette.accent: A colour like #10B981 is wanted`)
    expect(err).not.toMatch(/\n {4}at /)
    expect(await (await fetch(copies[0].url)).text()).toContain('Lichtkade')
  })
})

describe('the commands of the operator', () => {
  test('list messages and emails, and mail a message that was wrongly marked as spam', async () => {
    const mailbox = await aMailbox()
    const program = await aProgram({ SMTP_URL: mailbox.url })
    const cli = (...command: string[]) => runCommand({ DATA_DIR: program.dataDir }, command)
    const body = JSON.stringify({ ...aMessageOf('roya'), website: 'https://karimi.example' })
    await fetch(`${program.url}/api/contact`, { method: 'POST', body, headers: { 'Content-Type': 'application/json' } })

    expect((await cli('messages', 'list')).out).toBe('There are no messages.\n')
    expect((await cli('messages', 'list', '--spam')).out).toMatch(
      /^1 {2}\d{4}-\S+Z {2}Roya Karimi <roya@karimi\.example> {2}043 325 1234 {2}honeypot\n {4}Ik wil een website voor mijn atelier\.\n {4}Kunt u mij bellen\?\n\n$/,
    )
    expect(await cli('messages', 'not-spam', '1')).toEqual({
      code: 0,
      out: 'Message 1 is not spam now. Emails queued: 2.\n',
      err: '',
    })
    await mailbox.received(2)
    expect((await cli('messages', 'list')).out).toContain('Roya Karimi')
    expect((await cli('messages', 'spam', '1')).out).toBe('Message 1 is spam now.\n')
    expect((await cli('messages', 'spam', '1')).out).toBe('Message 1 is spam already.\n')
    expect(await cli('messages', 'spam', '99')).toEqual({ code: 1, out: '', err: 'There is no message 99.\n' })

    expect((await cli('mail', 'list', '--failed')).out).toBe('There are no failed emails.\n')
    await program.stop()
    const { db } = await openDatabase({ dataDir: program.dataDir })
    await db
      .updateTable('outbox')
      .set({ state: 'failed', last_error: '550 no such user' })
      .where('id', '=', 2)
      .execute()
    await db.destroy()
    expect((await cli('mail', 'list', '--failed')).out).toMatch(
      /^2 {2}\S+Z {2}\S+@maaslicht\.example {2}message:1 {2}attempts: 1 {2}failed\n {4}550 no such user\n\n$/,
    )
    expect((await cli('mail', 'retry', '2')).out).toBe('Email 2 is due now.\n')
    expect(await cli('mail', 'retry', '2')).toMatchObject({
      code: 1,
      err: 'There is no email 2 that can be retried: it must have failed or wait for a later attempt, without a deleted password or link.\n',
    })
    await program.start()
    await mailbox.received(3)
    const { db: read } = await openDatabase({ dataDir: program.dataDir })
    const unsent = read.selectFrom('outbox').select('id').where('state', '!=', 'sent')
    // Each try of the command is a process.
    await waitUntil(async () => (await unsent.execute()).length === 0, 'mark of the last email')
    await read.destroy()
    expect((await cli('mail', 'list')).out).toBe('Every email was sent.\n')
  })

  test('do not create a database only to read it', async () => {
    const DATA_DIR = join(aTempFolder(), 'data')
    expect((await runCommand({ DATA_DIR }, ['config', 'export'])).out).toContain('"brand": "Maaslicht"')
    const { code, err } = await runCommand({ DATA_DIR }, ['messages', 'list'])
    expect(code).toBe(1)
    expect(err).toMatch(/^These settings are wrong:\n {2}DATA_DIR: found ".*", which holds no database, wanted .*\n$/)
    expect(existsSync(DATA_DIR)).toBe(false)
  })

  test.each(['--help', '-h'])('print the usage for %s', async (flag) => {
    const { code, out, err } = await runCommand({}, [flag])
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain('config import <file>')
  })

  test.each([
    ['--colour'],
    ['nonsense'],
    ['config', 'check', '--spam'],
    ['messages', 'spam'],
    ['messages', 'spam', 'twelve'],
    ['mail', 'list', 'all'],
    ['config', 'export', 'a', 'b'],
  ])('list the available commands, without a stack trace, after the wrong command %s %s %s', async (...command) => {
    const { code, out, err } = await runCommand({}, command)
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain('config import <file>')
    expect(err).not.toMatch(/\n {4}at /)
  })

  test('check a file, and name a missing one', async () => {
    expect(await runCommand({}, ['config', 'check'])).toEqual({ code: 0, out: 'site.config.json is valid.\n', err: '' })
    const { code, err } = await runCommand({}, ['config', 'check', 'gone.json'])
    expect(code).toBe(1)
    expect(err).toContain('gone.json cannot be used:')
    expect(err).not.toMatch(/\n {4}at /)
  })

  test('print the current schema', async () => {
    expect((await runCommand({}, ['config', 'schema'])).out).toBe(readFileSync('site.schema.json', 'utf8'))
  })
})
