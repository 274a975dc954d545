import type { ParsedMail } from 'mailparser'
import type { TestApp } from './test-app.ts'
import { waitUntil } from './wait-until.ts'

/** Waits until an app without a mail server has written this number of emails to an address. @returns all of those, newest last */
export const emailsTo = (site: TestApp, address: string, count = 1): Promise<ParsedMail[]> =>
  waitUntil(async () => {
    const emails = (await site.writtenEmails()).filter((email) => recipientsOf(email).includes(address))
    return emails.length >= count && emails
  }, `email number ${count} to ${address}`)

/** The addresses in the `To` header. */
export const recipientsOf = (email: ParsedMail): string[] =>
  [email.to ?? []].flat().flatMap(({ value }) => value.map(({ address }) => address ?? ''))

/** The path and query of the first link with a token in the text of an email. @throws when there is none */
export function linkInEmail(email: ParsedMail | undefined): string {
  const link = /https?:\/\/[^\s"]+token=[\w-]+/.exec(email?.text ?? '')?.[0]
  if (!link) throw new Error(`there is no link in: ${email?.text}`)
  const { pathname, search } = new URL(link)
  return pathname + search
}
