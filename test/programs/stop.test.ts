import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/platform/db/database.ts'
import { closeAtEnd } from '../support/closing.ts'
import { anEmptyDatabase, databases } from '../support/databases.ts'
import { allowErrors } from '../support/logged.ts'
import { aMessageOf } from '../support/people.ts'
import { aProgram, type Program } from '../support/program.ts'
import { until } from '../support/until.ts'
import { aWire } from '../support/wire.ts'

/** A visitor whose message is under way: half of it has arrived. */
async function halfSent({ port, lines }: Program, signal: () => void) {
  const agent = new Agent({ keepAlive: true })
  closeAtEnd(() => agent.destroy())
  const body = JSON.stringify(aMessageOf('sanne'))
  const posting = request({
    host: '127.0.0.1',
    port,
    agent,
    method: 'POST',
    path: '/api/contact',
    headers: { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body), Expect: '100-continue' },
  })
  // The server says that it waits for the body: the request has really begun.
  posting.flushHeaders()
  await once(posting, 'continue')
  posting.write(body.slice(0, 40))
  signal()
  await until(() => lines.some((line) => line.msg === 'stopping'), 'stop that has begun')
  return {
    async finish() {
      posting.end(body.slice(40))
      const [response] = await once(posting, 'response')
      return { status: response.statusCode, answer: (await json(response)) as { id: number } }
    },
  }
}

describe.each(databases)('on %s', (kind) => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    '%s cuts off no request: the message is acknowledged, stored and mailed',
    async (signal) => {
      const { dataDir, databaseUrl } = await anEmptyDatabase(kind)
      const program = await aProgram({ DATA_DIR: dataDir, ...(databaseUrl && { DATABASE_URL: databaseUrl }) })
      const gone = once(program.process, 'close')
      const visitor = await halfSent(program, () => program.process.kill(signal))
      await expect(fetch(program.url)).rejects.toThrow()

      const { status, answer } = await visitor.finish()
      expect(status).toBe(201)
      expect((await gone)[0]).toBe(0)
      expect(program.lines.at(-1)?.msg).toBe('stopped')

      const { db } = await openDatabase({ dataDir, databaseUrl })
      closeAtEnd(() => db.destroy())
      expect(await db.selectFrom('message').select('id').execute()).toEqual([{ id: answer.id }])
      const letters = await db.selectFrom('outbox').select(['state', 'attempts']).execute()
      expect(letters).toHaveLength(2)
      // Sent before the end, or due at once for the next start: none is half claimed.
      for (const { state, attempts } of letters)
        expect([state, attempts]).toEqual(state === 'sent' ? ['sent', 1] : ['waiting', expect.any(Number)])

      await program.start()
      await until(
        () => readdirSync(join(dataDir, 'mail')).filter((name) => name.endsWith('.eml')).length === 2,
        'two letters',
      )
    },
  )
})

describe('a stop that cannot be clean', () => {
  /** A program that was told to stop, and waits for a database that hangs. */
  async function aHangingStop() {
    allowErrors(/./)
    const { databaseUrl } = await anEmptyDatabase('postgres')
    const wire = await aWire(String(databaseUrl))
    const program = await aProgram({ DATABASE_URL: wire.url })
    const gone = once(program.process, 'close')
    wire.hang()
    await until(async () => (await fetch(`${program.url}/readyz`)).status === 503, 'database that hangs')
    // Twice, as one Ctrl+C arrives when a program in between passes it on.
    for (const signal of ['SIGTERM', 'SIGINT'] as const) program.process.kill(signal)
    await until(() => program.lines.some((line) => line.msg === 'stopping'), 'stop that has begun')
    return { ...program, process: program.process, gone }
  }

  test('ends by itself, before those that watch over it lose patience', async () => {
    const { gone, lines } = await aHangingStop()
    const [code] = await gone
    expect(code).toBe(1)
    expect(lines.at(-1)?.msg).toBe('ended before all was done: stopping took too long')
  })

  test('ends at once by a second signal, but not by the same one that arrives twice', async () => {
    const { process, gone, lines } = await aHangingStop()
    await pause(1_500)
    expect(process.exitCode).toBeNull()
    process.kill('SIGINT')
    expect((await gone)[0]).toBe(1)
    expect(lines.at(-1)?.msg).toBe('ended before all was done: a second signal')
  })
})
