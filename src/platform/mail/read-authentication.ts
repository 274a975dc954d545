/** What a receiving server found about the sender of an email, such as `pass` and `fail`; undefined: it does not say. */
export interface AuthenticationResults {
  at: string
  spf: string | undefined
  dkim: string | undefined
  dmarc: string | undefined
}

/** Reads the topmost `Authentication-Results`, which is that of the receiving server: others may come with the email. */
export async function readAuthentication(raw: Buffer, now: Date): Promise<AuthenticationResults> {
  const { default: parseHeader } = await import('mailauth/lib/parse-dkim-headers.js')
  const head = (raw.toString('utf8').split(/\r?\n\r?\n/)[0] as string).replace(/\r?\n[ \t]+/g, ' ')
  const field = /^authentication-results:.*$/im.exec(head)?.[0] ?? ''
  const { spf, dkim = [], dmarc } = field === '' ? {} : parseHeader(field).parsed
  const signature = dkim.find(({ value }) => value === 'pass') ?? dkim[0]
  return { at: now.toISOString(), spf: spf?.value, dkim: signature?.value, dmarc: dmarc?.value }
}
