import { aMessageOf, type PersonName } from './people.ts'
import { json } from './staff.ts'

interface Site {
  request: (path: string, init: RequestInit) => Promise<Response> | Response
}

/**
 * A message that came in by the door.
 * @param more what is different this time: other words, `taal`, or `website` that makes it spam
 * @returns the reference number
 */
export async function aStoredMessage(site: Site, name: PersonName, more: Record<string, string> = {}): Promise<number> {
  const message = { ...aMessageOf(name), bericht: `${aMessageOf(name).bericht} (${counted++})` }
  const answer = await site.request('/api/contact', json('POST', { ...message, ...more }))
  if (answer.status !== 201) throw new Error(`The message of ${name} was not taken: ${await answer.text()}`)
  return (await answer.json()).id
}

/** The same message again would be the same message. */
let counted = 1
