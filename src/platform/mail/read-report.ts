import type { AuthenticationResults } from '../../contract/mail-checks.ts'

/** The part of a delivery report (RFC 3464) about one recipient. */
export interface DeliveryReport {
  /** `Message-ID` of the email that was reported on, with its brackets. */
  messageId: string
  /** In lower case: the original recipient, and the final one after forwarding; one of them may be missing. */
  recipients: string[]
  action: 'failed' | 'delayed'
  /** The enhanced status code (RFC 3463) such as 5.1.1, or empty. */
  status: string
  /** The diagnostic code: what the receiving server said, or empty. */
  reason: string
}

export const isReport = (contentType: string): boolean =>
  /^multipart\/report\b/i.test(contentType) && /delivery-status/i.test(contentType)

const maxReasonChars = 500
/** Without control characters, which a database may refuse: anybody can send a report. */
const messageIdForm = /<[^<>\s\p{Cc}]{1,250}>/u
const statusForm = /^[245]\.\d{1,3}\.\d{1,3}$/
/** Our emails have one recipient each, so a report with many groups is malformed or an attack. */
const maxGroups = 20

/** Parses a delivery status notification (RFC 3464): a report for each failed or delayed recipient; none if it is malformed. */
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
  const partOf = (type: RegExp) =>
    attachments.find(({ contentType }) => type.test(contentType))?.content.toString('utf8')
  const original = partOf(/^(message\/(rfc822|global)(-headers)?|text\/rfc822-headers)$/i) ?? ''
  const originalHead = original.split(/\r?\n\r?\n/)[0] as string
  const candidates = [fieldOf(originalHead, 'message-id'), inReplyTo ?? '']
  const messageId = candidates.flatMap((text) => messageIdForm.exec(text)?.[0] ?? [])[0]
  const groups = partOf(/^message\/(global-)?delivery-status$/i)
  if (!messageId || !groups) return []
  const reported = new Set<string>()
  // The first group describes the whole report; it has no `action`, so it is skipped.
  return groups.split(/(?:\r?\n){2,}/, maxGroups + 1).flatMap((group) => {
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
    const result = { status: statusForm.test(status) ? status : '', reason: reason.slice(0, maxReasonChars) }
    return [{ messageId, recipients, action, ...result }]
  })
}

/**
 * The value of a header field on one line; empty when it is missing.
 * @param name in lower case; part of a regular expression
 */
const fieldOf = (text: string, name: string): string =>
  new RegExp(`^${name}:[ \\t]*((?:.*)(?:\\r?\\n[ \\t]+.*)*)`, 'im').exec(text)?.[1]?.replace(/\s+/g, ' ').trim() ?? ''

/** Reads SPF, DKIM and DMARC (RFC 8601) from the topmost `Authentication-Results`: the sender may have forged lower ones. */
export async function readAuthenticationResults(raw: Buffer, now: Date): Promise<AuthenticationResults> {
  const { default: parseHeader } = await import('mailauth/lib/parse-dkim-headers.js')
  const head = (raw.toString('utf8').split(/\r?\n\r?\n/)[0] as string).replace(/\r?\n[ \t]+/g, ' ')
  const field = /^authentication-results:.*$/im.exec(head)?.[0] ?? ''
  const { spf, dkim = [], dmarc } = field === '' ? {} : parseHeader(field).parsed
  const bestSignature = dkim.find(({ value }) => /^pass$/i.test(value)) ?? dkim[0]
  const resultOf = (result: { value: string } | undefined) => result?.value.toLowerCase() || null
  return { at: now.toISOString(), spf: resultOf(spf), dkim: resultOf(bestSignature), dmarc: resultOf(dmarc) }
}
