import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/platform/db/database.ts'
import { aProgramWithAdministrator } from '../support/admin-program.ts'
import { closeAfterTest } from '../support/close-after-test.ts'
import { aTempFolder } from '../support/databases.ts'
import { aMailbox } from '../support/mailbox.ts'
import { people } from '../support/people.ts'
import { aProgram, type Program } from '../support/program.ts'
import { writeSiteFile } from '../support/site-file.ts'
import { spawnProgram } from '../support/spawn-program.ts'

/** Starts a program that must fail. @returns its exit code and output */
async function refusal(settings: Record<string, string>) {
  const program = spawnProgram({ DATA_DIR: aTempFolder(), PORT: '0', ...settings })
  let output = ''
  program.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const [code] = await once(program, 'close')
  return { code, output }
}

test('two programs that start at once on one new data folder both work', async () => {
  const DATA_DIR = aTempFolder()
  const [one, other] = await Promise.all([aProgram({ DATA_DIR }), aProgram({ DATA_DIR })])
  for (const { url } of [one, other]) expect((await fetch(url)).status).toBe(200)
})

test('the start logs where emails go: by the server of SMTP_URL or of the settings, or into files', async () => {
  const { host, port, url } = await aMailbox()
  const mailOf = ({ lines }: Program) => lines.findLast(({ msg }) => msg === 'listening')?.mail
  expect(mailOf(await aProgram({ SMTP_URL: url }))).toBe('smtp')

  const program = await aProgramWithAdministrator()
  expect(mailOf(program)).toMatch(/^files under .*mail: SMTP_URL is not set, so no email is sent$/)
  const smtp = { provider: 'other', host, port, security: 'none', user: '', selectors: '' }
  await program.call('PUT', '/api/mail-server', { version: 0, smtp })
  await program.stop()
  await program.start()
  expect(mailOf(program)).toBe('smtp')
})

describe('a start that fails says why, without a stack trace', () => {
  test('every invalid setting in one message', async () => {
    const { code, output } = await refusal({ PORT: 'abc', SMTP_URL: 'nowhere' })
    expect(code).toBe(1)
    expect(output).toMatch(/PORT: found "abc", wanted a port/)
    expect(output).toMatch(/SMTP_URL: found/)
    expect(output).not.toMatch(/\n {4}at /)
  })

  test('an invalid configuration, with path and reason', async () => {
    const broken = writeSiteFile(aTempFolder(), (config) => {
      config.palette.accent = 'green'
    })
    const { code, output } = await refusal({ SITE_CONFIG: broken })
    expect(code).toBe(1)
    expect(output).toContain('palette.accent: A colour')
    expect(output).not.toMatch(/\n {4}at /)
  })

  test('a port in use; and a program that does not serve sends no email', async () => {
    const dataDir = aTempFolder()
    const { db } = await openDatabase({ dataDir })
    closeAfterTest(() => db.destroy())
    const now = '2026-01-01T00:00:00.000Z'
    const email = {
      message_id: '<1@maaslicht.example>',
      template: 'message',
      locale: 'nl',
      data: '{}',
      about: 'message:1',
    }
    await db
      .insertInto('outbox')
      .values({
        ...email,
        recipient: people.roya.email,
        state: 'waiting',
        attempts: 0,
        created_at: now,
        next_attempt_at: now,
      })
      .execute()
    const taken = createServer().listen(0, '127.0.0.1')
    closeAfterTest(() => void taken.close())
    await once(taken, 'listening')
    const { code, output } = await refusal({ DATA_DIR: dataDir, PORT: String((taken.address() as AddressInfo).port) })
    expect(code).toBe(1)
    expect(output).toMatch(/PORT: found .*EADDRINUSE/)
    expect(output).not.toMatch(/\n {4}at /)
    expect(await db.selectFrom('outbox').select(['state', 'attempts', 'next_attempt_at as next']).execute()).toEqual([
      { state: 'waiting', attempts: 0, next: now },
    ])
  })

  test('an address of another machine, a database that is down, a data folder that is not a folder', async () => {
    const wrong = [
      [{ HOST: '192.0.2.1' }, /HOST: found .*EADDRNOTAVAIL/],
      [{ DATABASE_URL: 'postgres://etalage@127.0.0.1:1/etalage' }, /DATABASE_URL: found .*ECONNREFUSED/],
      [{ DATA_DIR: 'package.json/data' }, /DATA_DIR: found .*ENOTDIR/],
    ] as const
    for (const [settings, expected] of wrong) {
      const { code, output } = await refusal(settings)
      expect(code).toBe(1)
      expect(output).toMatch(expected)
      expect(output).not.toMatch(/\n {4}at /)
    }
  })
})
