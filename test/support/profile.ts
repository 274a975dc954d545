import type { ParsedMail } from 'mailparser'
import { Secret, TOTP } from 'otpauth'
import type { TestApp } from './test-app.ts'
import { until } from './until.ts'

/** Makes it eleven minutes since anybody gave a password, in every session. */
export async function timePasses(site: TestApp): Promise<void> {
  const then = new Date(Date.now() - 11 * 60_000).toISOString()
  await site.db.updateTable('session').set({ created_at: then, confirmed_at: null }).execute()
}

/** What the audit log says that happened, oldest first, as one text that can be searched for secrets. */
export async function audited(site: TestApp): Promise<{ actions: string[]; whole: string }> {
  const rows = await site.db.selectFrom('audit').selectAll().orderBy('id').execute()
  return { actions: rows.map(({ action }) => action), whole: JSON.stringify(rows) }
}

/** Waits for the letters to an address. @returns those to it, newest last */
export const lettersTo = (site: TestApp, address: string, count = 1): Promise<ParsedMail[]> =>
  until(async () => {
    const found = (await site.letters()).filter((letter) => addresses(letter).includes(address))
    return found.length >= count && found
  }, `letter number ${count} to ${address}`)

export const addresses = (letter: ParsedMail): string[] =>
  [letter.to ?? []].flat().flatMap(({ value }) => value.map(({ address }) => address ?? ''))

/** The path of the link in a letter. */
export function linkIn(letter: ParsedMail | undefined): string {
  const found = /https?:\/\/[^\s"]+token=[\w-]+/.exec(letter?.text ?? '')?.[0]
  if (!found) throw new Error(`there is no link in: ${letter?.text}`)
  const { pathname, search } = new URL(found)
  return pathname + search
}

export interface AuthenticatorApp {
  /** What it shows; `stepsOff` steps of half a minute before or after now. The one to come counts already. */
  code(stepsOff?: number): string
}

/** An authenticator app that was set up with a secret. */
export function anApp(secret: string): AuthenticatorApp {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  return { code: (stepsOff = 0) => totp.generate({ timestamp: Date.now() + stepsOff * 30_000 }) }
}
