import type { ParsedMail } from 'mailparser'
import { Secret, TOTP } from 'otpauth'
import type { TestApp } from './test-app.ts'
import { waitUntil } from './wait-until.ts'

/** Moves the last password confirmation of every session back by eleven minutes. */
export async function expireConfirmations(site: TestApp): Promise<void> {
  const then = new Date(Date.now() - 11 * 60_000).toISOString()
  await site.db.updateTable('session').set({ created_at: then, confirmed_at: null }).execute()
}

/** The actions in the audit log, oldest first, and the whole log as one text to search for secrets. */
export async function readAuditLog(site: TestApp): Promise<{ actions: string[]; whole: string }> {
  const rows = await site.db.selectFrom('audit').selectAll().orderBy('id').execute()
  return { actions: rows.map(({ action }) => action), whole: JSON.stringify(rows) }
}

/** Waits for the emails to an address. @returns those emails, newest last */
export const emailsTo = (site: TestApp, address: string, count = 1): Promise<ParsedMail[]> =>
  waitUntil(async () => {
    const found = (await site.writtenEmails()).filter((mail) => recipientsOf(mail).includes(address))
    return found.length >= count && found
  }, `email number ${count} to ${address}`)

export const recipientsOf = (mail: ParsedMail): string[] =>
  [mail.to ?? []].flat().flatMap(({ value }) => value.map(({ address }) => address ?? ''))

/** The path of the link in an email. */
export function linkInEmail(mail: ParsedMail | undefined): string {
  const found = /https?:\/\/[^\s"]+token=[\w-]+/.exec(mail?.text ?? '')?.[0]
  if (!found) throw new Error(`there is no link in: ${mail?.text}`)
  const { pathname, search } = new URL(found)
  return pathname + search
}

export interface AuthenticatorApp {
  /** The current code; `stepsOff` steps of half a minute before or after now. The next code is already valid. */
  code(stepsOff?: number): string
}

/** An authenticator app with this secret. */
export function anAuthenticatorApp(secret: string): AuthenticatorApp {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  return { code: (stepsOff = 0) => totp.generate({ timestamp: Date.now() + stepsOff * 30_000 }) }
}
