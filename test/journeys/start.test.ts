import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/platform/db/database.ts'
import { closeAtEnd } from '../support/closing.ts'
import { aFolder } from '../support/databases.ts'
import { aMailbox } from '../support/mailbox.ts'
import { aMessageOf, people } from '../support/people.ts'
import { aProgram } from '../support/program.ts'
import { changedSite } from '../support/site-file.ts'
import { spawnProgram } from '../support/spawn-program.ts'

/** A program that must not start. @returns its exit code and what it said */
async function refusal(settings: Record<string, string>) {
  const program = spawnProgram({ DATA_DIR: aFolder(), PORT: '0', ...settings })
  let said = ''
  program.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const [code] = await once(program, 'close')
  return { code, said }
}

test('two programs that start at once on one new data folder both serve', async () => {
  const DATA_DIR = aFolder()
  const [one, other] = await Promise.all([aProgram({ DATA_DIR }), aProgram({ DATA_DIR })])
  for (const { url } of [one, other]) expect((await fetch(url)).status).toBe(200)
})

test('a stop by SIGTERM is clean', async () => {
  const program = await aProgram()
  await fetch(program.url)
  expect(await program.stop()).toBe(0)
  expect(program.lines.map((line) => line.msg)).toEqual(expect.arrayContaining(['stopping', 'stopped']))
})

test('the start says where letters go, and that none leaves the machine while SMTP_URL is not set', async () => {
  const mailbox = await aMailbox()
  const saidBy = async (settings: Record<string, string>) =>
    (await aProgram(settings)).lines.find((line) => line.msg === 'listening')?.mail
  expect(await saidBy({})).toMatch(/^files under .*mail: SMTP_URL is not set, so no letter leaves this machine$/)
  expect(await saidBy({ SMTP_URL: mailbox.url })).toBe('smtp')
})

describe('a start that cannot be says why, without a stack', () => {
  test('every wrong setting in one message', async () => {
    const { code, said } = await refusal({ PORT: 'abc', SMTP_URL: 'nowhere' })
    expect(code).toBe(1)
    expect(said).toMatch(/PORT: found "abc", wanted a port/)
    expect(said).toMatch(/SMTP_URL: found/)
    expect(said).not.toMatch(/\n {4}at /)
  })

  test('a configuration that is newer or broken, with path and reason', async () => {
    const newer = changedSite(aFolder(), (config) => {
      config.version = '1.3'
    })
    const broken = changedSite(aFolder(), (config) => {
      config.palette.accent = 'green'
    })
    expect(await refusal({ SITE_CONFIG: newer })).toMatchObject({
      code: 1,
      said: expect.stringContaining('version: 1.3 is newer'),
    })
    expect(await refusal({ SITE_CONFIG: broken })).toMatchObject({
      code: 1,
      said: expect.stringContaining('palette.accent: A colour'),
    })
    expect((await refusal({ SITE_CONFIG: broken })).said).not.toMatch(/\n {4}at /)
  })

  test('a port that is taken; and no letter is touched by a program that does not serve', async () => {
    const dataDir = aFolder()
    const { db } = await openDatabase({ dataDir })
    closeAtEnd(() => db.destroy())
    const now = '2026-01-01T00:00:00.000Z'
    const letter = {
      message_id: '<1@maaslicht.example>',
      template: 'message',
      locale: 'nl',
      data: '{}',
      about: 'message:1',
    }
    await db
      .insertInto('outbox')
      .values({
        ...letter,
        recipient: people.roya.email,
        state: 'waiting',
        attempts: 0,
        created_at: now,
        next_attempt_at: now,
      })
      .execute()
    const taken = createServer().listen(0, '127.0.0.1')
    closeAtEnd(() => void taken.close())
    await once(taken, 'listening')
    const { code, said } = await refusal({ DATA_DIR: dataDir, PORT: String((taken.address() as AddressInfo).port) })
    expect(code).toBe(1)
    expect(said).toMatch(/PORT: found .*EADDRINUSE/)
    expect(said).not.toMatch(/\n {4}at /)
    expect(await db.selectFrom('outbox').select(['state', 'attempts', 'next_attempt_at as next']).execute()).toEqual([
      { state: 'waiting', attempts: 0, next: now },
    ])
  })

  test('an address that is not of this machine, a database that is away, a data folder that is none', async () => {
    const wrong = [
      [{ HOST: '192.0.2.1' }, /HOST: found .*EADDRNOTAVAIL/],
      [{ DATABASE_URL: 'postgres://etalage@127.0.0.1:1/etalage' }, /DATABASE_URL: found .*ECONNREFUSED/],
      [{ DATA_DIR: 'package.json/data' }, /DATA_DIR: found .*ENOTDIR/],
    ] as const
    for (const [settings, expected] of wrong) {
      const { code, said } = await refusal(settings)
      expect(code).toBe(1)
      expect(said).toMatch(expected)
      expect(said).not.toMatch(/\n {4}at /)
    }
  })
})

test('the brand, changed in the configuration file alone, shows everywhere: pages, manifest, letters', async () => {
  const mailbox = await aMailbox()
  const SITE_CONFIG = changedSite(aFolder(), (config) => {
    config.brand = 'Bakkerij Hondt'
  })
  const { url } = await aProgram({ SITE_CONFIG, SMTP_URL: mailbox.url })
  const answers = ['/', '/fa', '/privacy-verklaring', '/fa/disclaimer', '/nergens', '/site.webmanifest']
  for (const path of answers) {
    const text = await (await fetch(url + path)).text()
    expect(text, path).toContain('Bakkerij Hondt')
    expect(text, path).not.toContain('Maaslicht')
  }

  const body = new URLSearchParams(aMessageOf('roya'))
  expect(
    (await fetch(`${url}/api/contact`, { method: 'POST', body, headers: { Accept: 'application/json' } })).status,
  ).toBe(201)
  for (const { parsed, raw } of await mailbox.received(2)) {
    expect(parsed.subject).toBe('Nieuw contactbericht via Bakkerij Hondt')
    expect(parsed.from?.text).toContain('Bakkerij Hondt')
    expect(`${parsed.text}${parsed.html}${raw}`).not.toContain('Maaslicht')
  }
})
