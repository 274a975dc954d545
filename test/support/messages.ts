import { aMessageOf, type PersonName } from './people.ts'
import { json } from './staff.ts'
import type { TestApp } from './test-app.ts'

interface Site extends Partial<Pick<TestApp, 'db'>> {
  request: (path: string, init: RequestInit) => Promise<Response> | Response
}

/**
 * Sends a message through the contact form endpoint.
 * @param more fields to override: another text, `taal`, or `website`, which makes it spam
 * @returns the id; for the program as a process the reference, which calls about one message take too
 */
export async function sendMessage(site: Site, name: PersonName, more: Record<string, string> = {}): Promise<number> {
  const message = { ...aMessageOf(name), bericht: `${aMessageOf(name).bericht} (${counted++})` }
  const answer = await site.request('/api/contact', json('POST', { ...message, ...more }))
  if (answer.status !== 201) throw new Error(`The message of ${name} was not taken: ${await answer.text()}`)
  const { id: reference } = await answer.json()
  const row = await site.db
    ?.selectFrom('message')
    .select('id')
    .where('reference', '=', reference)
    .executeTakeFirstOrThrow()
  return row?.id ?? reference
}

/** An identical message would count as a repetition. */
let counted = 1
