import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/platform/db/database.ts'
import { closeAfterTest } from '../support/close-after-test.ts'
import { aCopyOfProgramTemplate, databases } from '../support/databases.ts'
import { aMessageOf } from '../support/people.ts'
import { aProgram, type Program } from '../support/program.ts'
import { aTcpProxy } from '../support/tcp-proxy.ts'
import { allowErrors } from '../support/test-log.ts'
import { waitUntil } from '../support/wait-until.ts'

/** A visitor whose message is being sent: half of it has arrived. */
async function halfSent({ port, lines }: Program, signal: () => void) {
  const agent = new Agent({ keepAlive: true })
  closeAfterTest(() => agent.destroy())
  const body = JSON.stringify(aMessageOf('sanne'))
  const posting = request({
    host: '127.0.0.1',
    port,
    agent,
    method: 'POST',
    path: '/api/contact',
    headers: { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body), Expect: '100-continue' },
  })
  // The server responds 100 Continue: the request has really begun.
  posting.flushHeaders()
  await once(posting, 'continue')
  posting.write(body.slice(0, 40))
  signal()
  await waitUntil(() => lines.some((line) => line.msg === 'stopping'), 'stop that has begun')
  return {
    async finish() {
      posting.end(body.slice(40))
      const [response] = await once(posting, 'response')
      return { status: response.statusCode, answer: (await json(response)) as { id: number } }
    },
  }
}

describe.each(databases)('on %s', (kind) => {
  // What a signal begins is the same for both, whatever the database is.
  test.each<NodeJS.Signals>(kind === 'sqlite' ? ['SIGTERM', 'SIGINT'] : ['SIGTERM'])(
    '%s cuts off no request: the message is acknowledged, stored and mailed',
    async (signal) => {
      const program = await aProgram({}, kind)
      const { dataDir } = program
      const gone = once(program.process, 'close')
      const visitor = await halfSent(program, () => program.process.kill(signal))
      // The server closes a moment after it has said so.
      await expect
        .poll(() =>
          fetch(program.url).then(
            ({ status }) => status,
            () => 'refused',
          ),
        )
        .toBe('refused')

      const { status, answer } = await visitor.finish()
      expect(status).toBe(201)
      expect((await gone)[0]).toBe(0)
      expect(program.lines.at(-1)?.msg).toBe('stopped')

      const { db } = await openDatabase({ dataDir, databaseUrl: program.dataSettings.DATABASE_URL })
      closeAfterTest(() => db.destroy())
      expect(await db.selectFrom('message').select('reference').execute()).toEqual([{ reference: answer.id }])
      const emails = await db.selectFrom('outbox').select(['state', 'attempts']).execute()
      expect(emails).toHaveLength(2)
      // Sent before the end, or due at once for the next start: none is still claimed.
      for (const { state, attempts } of emails)
        expect([state, attempts]).toEqual(state === 'file' ? ['file', 1] : ['waiting', expect.any(Number)])

      await program.start()
      await waitUntil(
        () =>
          existsSync(join(dataDir, 'mail')) &&
          readdirSync(join(dataDir, 'mail')).filter((name) => name.endsWith('.eml')).length === 2,
        'two emails',
      )
    },
  )
})

describe('a stop that cannot finish cleanly', () => {
  /** A stopping program that waits for a database that hangs. */
  async function aHangingStop() {
    allowErrors(/./)
    const { databaseUrl } = await aCopyOfProgramTemplate('empty', 'postgres')
    const wire = await aTcpProxy(String(databaseUrl))
    const program = await aProgram({ DATABASE_URL: wire.url, DATABASE_TIMEOUT_SECONDS: '600' })
    const gone = once(program.process, 'close')
    wire.stall()
    await waitUntil(async () => (await fetch(`${program.url}/readyz`)).status === 503, 'database that hangs')
    // Twice, as one Ctrl+C arrives when a parent process passes it on.
    for (const signal of ['SIGTERM', 'SIGINT'] as const) program.process.kill(signal)
    await waitUntil(() => program.lines.some((line) => line.msg === 'stopping'), 'stop that has begun')
    return { ...program, process: program.process, gone }
  }

  test('has a time limit, before a supervisor kills it', async () => {
    const { gone, lines } = await aHangingStop()
    const [code] = await gone
    expect(code).toBe(1)
    expect(lines.at(-1)?.msg).toBe('ended before all was done: stopping took too long')
  })

  test('is immediate after a second signal, but not when the same signal arrives twice', async () => {
    const { process, gone, lines } = await aHangingStop()
    await pause(1_500)
    expect(process.exitCode).toBeNull()
    process.kill('SIGINT')
    expect((await gone)[0]).toBe(1)
    expect(lines.at(-1)?.msg).toBe('ended before all was done: a second signal')
  })
})
