import type { AuthenticationResults } from '../../contract/mail-checks.ts'

/** Reads the topmost `Authentication-Results`, which is that of the receiving server: others may come with the email. */
export async function readAuthentication(raw: Buffer, now: Date): Promise<AuthenticationResults> {
  const { default: parseHeader } = await import('mailauth/lib/parse-dkim-headers.js')
  const head = (raw.toString('utf8').split(/\r?\n\r?\n/)[0] as string).replace(/\r?\n[ \t]+/g, ' ')
  const field = /^authentication-results:.*$/im.exec(head)?.[0] ?? ''
  const { spf, dkim = [], dmarc } = field === '' ? {} : parseHeader(field).parsed
  const signature = dkim.find(({ value }) => /^pass$/i.test(value)) ?? dkim[0]
  const resultOf = (result: { value: string } | undefined) => result?.value.toLowerCase() || null
  return { at: now.toISOString(), spf: resultOf(spf), dkim: resultOf(signature), dmarc: resultOf(dmarc) }
}
