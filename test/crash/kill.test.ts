import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/platform/db/database.ts'
import { aCopyOfProgramTemplate, databases } from '../support/databases.ts'
import { aMailbox, type ReceivedEmail } from '../support/mailbox.ts'
import { aMessageOf } from '../support/people.ts'
import { aProgram, type Program } from '../support/program.ts'
import { waitUntil } from '../support/wait-until.ts'

const kills = 5
const visitors = 3

/** A text that can be found in an email, unique for each message. */
const textOf = (number: number) => `Vraag nummer ${number} van velen.`
const numberOf = (text: string) => Number(/Vraag nummer (\d+) van velen\./.exec(text)?.[1])

/**
 * Visitors who keep writing, and send a message again when there was no response.
 * @returns a function that stops them and gives the reference of each acknowledged message
 */
function startVisitors(url: string) {
  const acknowledged = new Map<number, number>()
  let next = 0
  let writing = true
  const send = async (bericht: string): Promise<{ id: number } | undefined> => {
    try {
      const response = await fetch(`${url}/api/contact`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(aMessageOf('sanne', { bericht })),
      })
      if (response.status !== 201) throw new Error(`answered ${response.status}: ${await response.text()}`)
      return (await response.json()) as { id: number }
    } catch (error) {
      // `fetch failed`, or a truncated response: the program was killed.
      if (error instanceof TypeError || error instanceof SyntaxError) return undefined
      throw error
    }
  }
  const visitor = async () => {
    while (writing) {
      const number = next++
      for (let answer = await send(textOf(number)); ; answer = await send(textOf(number))) {
        if (answer) {
          acknowledged.set(number, answer.id)
          break
        }
        await pause(20)
      }
      await pause(40)
    }
  }
  const all = Promise.all(Array.from({ length: visitors }, visitor))
  // Awaited when the visitors stop; until then a rejection is not unhandled.
  all.catch(() => {})
  return {
    acknowledged,
    async finish() {
      writing = false
      await all
      return acknowledged
    },
  }
}

/** Each run lasts until it has acknowledged a message, and a random time after that. */
async function killAgainAndAgain(program: Program, acknowledged: Map<number, number>) {
  for (let count = 0; count < kills; count++) {
    const before = acknowledged.size
    await waitUntil(() => acknowledged.size > before, 'acknowledged message')
    await pause(Math.random() * 600)
    await program.kill()
    await program.start()
  }
}

/** The Message-IDs with which each recipient received each message. */
function deliveries(emails: ReceivedEmail[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const { to, parsed } of emails) {
    for (const recipient of to) {
      const key = `${numberOf(parsed.text ?? '')} to ${recipient}`
      found.set(key, (found.get(key) ?? new Set()).add(parsed.messageId ?? ''))
    }
  }
  return found
}

describe.each(databases)('killed repeatedly on %s', (kind) => {
  test('the program keeps every message it acknowledged, once, and sends each', async () => {
    const mailbox = await aMailbox()
    const settings = await aCopyOfProgramTemplate('empty', kind)
    const program = await aProgram({
      DATA_DIR: settings.dataDir,
      SMTP_URL: mailbox.url,
      CONTACT_RATE: 'off',
      ...(settings.databaseUrl ? { DATABASE_URL: settings.databaseUrl } : {}),
    })
    const visitors = startVisitors(program.url)
    await killAgainAndAgain(program, visitors.acknowledged)
    const acknowledged = await visitors.finish()
    expect(acknowledged.size).toBeGreaterThan(kills)

    const { db } = await openDatabase(settings)
    const waiting = async () => {
      const rows = await db.selectFrom('outbox').select('id').where('state', '!=', 'sent').execute()
      return rows.length === 0
    }
    // What the killed process had claimed is due again when its lease ends.
    await waitUntil(waiting, 'empty outbox')
    const stored = await db.selectFrom('message').select(['reference', 'bericht']).orderBy('id').execute()
    const recipients = await db.selectFrom('outbox').select('recipient').distinct().execute()
    await db.destroy()
    expect(await program.stop()).toBe(0)

    const numbers = stored.map((message) => numberOf(message.bericht))
    expect(new Set(numbers).size, 'a message twice in the database').toBe(numbers.length)
    expect(new Map(stored.map((message) => [numberOf(message.bericht), message.reference]))).toEqual(acknowledged)

    const delivered = deliveries(mailbox.emails)
    expect(recipients).toHaveLength(2)
    const promised = numbers.flatMap((number) => recipients.map(({ recipient }) => `${number} to ${recipient}`))
    expect([...delivered.keys()].sort()).toEqual(promised.sort())
    expect([...delivered].filter(([, messageIds]) => messageIds.size !== 1)).toEqual([])
  })
})
