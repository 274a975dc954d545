import type { AuthenticationResults } from '../../contract/mail-checks.ts'

/** The part of a delivery report (RFC 3464) about one recipient. */
export interface DeliveryReport {
  /** `Message-ID` of the email that it is about, with its brackets. */
  messageId: string
  /** In lower case; the address that was written to, and the one that it was forwarded to. */
  recipients: string[]
  action: 'failed' | 'delayed'
  /** Such as 5.1.1. */
  status: string
  /** The answer of the receiving server. */
  reason: string
}

export const isReport = (contentType: string): boolean =>
  /^multipart\/report\b/i.test(contentType) && /delivery-status/i.test(contentType)

const reasonChars = 500
/** Anybody can send a report: no control characters, which a database may refuse. */
const messageIdForm = /<[^<>\s\p{Cc}]{1,250}>/u
const statusForm = /^[245]\.\d{1,3}\.\d{1,3}$/
/** Our emails have one recipient each, so a report with many groups is malformed or an attack. */
const groupsMax = 20

/** The reports of a message: those of recipients to whom it was not delivered. */
export async function readReports(raw: Buffer): Promise<DeliveryReport[]> {
  const { simpleParser } = await import('mailparser')
  // A message that cannot be parsed must not stop the reading of the next ones.
  const parsed = await simpleParser(raw, {
    keepDeliveryStatus: true,
    // Nobody reads the text, and converting it takes long.
    skipHtmlToText: true,
    skipTextToHtml: true,
    skipTextLinks: true,
    skipImageLinks: true,
  }).catch(() => undefined)
  if (!parsed) return []
  const { attachments, inReplyTo } = parsed
  const part = (type: RegExp) => attachments.find(({ contentType }) => type.test(contentType))?.content.toString('utf8')
  const original = part(/^(message\/(rfc822|global)(-headers)?|text\/rfc822-headers)$/i) ?? ''
  const named = [fieldOf(original.split(/\r?\n\r?\n/)[0] as string, 'message-id'), inReplyTo ?? '']
  const messageId = named.flatMap((text) => messageIdForm.exec(text)?.[0] ?? [])[0]
  const groups = part(/^message\/(global-)?delivery-status$/i)
  if (!messageId || !groups) return []
  const reported = new Set<string>()
  // The first group is about the report as a whole.
  return groups.split(/(?:\r?\n){2,}/, groupsMax + 1).flatMap((group) => {
    const action = fieldOf(group, 'action').toLowerCase()
    if (action !== 'failed' && action !== 'delayed') return []
    const recipients = ['original-recipient', 'final-recipient'].flatMap((name) => {
      const address = fieldOf(group, name).split(';').at(-1)?.trim().toLowerCase()
      return address ? [address] : []
    })
    const reason = fieldOf(group, 'diagnostic-code').replace(/^[\w-]+;\s*/, '')
    const key = String(recipients)
    if (recipients.length === 0 || reported.has(key)) return []
    reported.add(key)
    const status = fieldOf(group, 'status').split(' ')[0] as string
    const result = { status: statusForm.test(status) ? status : '', reason: reason.slice(0, reasonChars) }
    return [{ messageId, recipients, action, ...result }]
  })
}

/** A field, unfolded. */
const fieldOf = (text: string, name: string): string =>
  new RegExp(`^${name}:[ \\t]*((?:.*)(?:\\r?\\n[ \\t]+.*)*)`, 'im').exec(text)?.[1]?.replace(/\s+/g, ' ').trim() ?? ''

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
