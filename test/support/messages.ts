import { aMessageOf, type PersonName } from './people.ts'
import { json } from './staff.ts'
import type { TestApp } from './test-app.ts'

interface Site extends Partial<Pick<TestApp, 'db'>> {
  request: (path: string, init: RequestInit) => Promise<Response> | Response
}

/**
 * Sends a message of one of `people` through the endpoint of the contact form.
 * @param overrides fields of the form: another text, `taal`, or `website`, which makes it spam
 * @returns its id; without `site.db` its reference, which the API accepts in place of the id
 */
export async function sendMessage(
  site: Site,
  name: PersonName,
  overrides: Record<string, string> = {},
): Promise<number> {
  const message = { ...aMessageOf(name), bericht: `${aMessageOf(name).bericht} (${nextMessageNumber++})` }
  const response = await site.request('/api/contact', json('POST', { ...message, ...overrides }))
  if (response.status !== 201) throw new Error(`The message of ${name} was not taken: ${await response.text()}`)
  const { id: reference } = await response.json()
  const row = await site.db
    ?.selectFrom('message')
    .select('id')
    .where('reference', '=', reference)
    .executeTakeFirstOrThrow()
  return row?.id ?? reference
}

/** The number that makes each text unique: an identical message would count as a repetition. */
let nextMessageNumber = 1
