import { z } from 'zod'

export const dnsCheckNames = ['spf', 'dkim', 'dmarc', 'mx'] as const
export type DnsCheckName = (typeof dnsCheckNames)[number]

/** The findings; the text of each, with advice, is `config.mail.dns.findings.<finding>` in `i18n`. */
const senderFindings = [
  'unknown',
  'spfMissing',
  'spfSeveral',
  'spfBroken',
  'spfTooMany',
  'spfAnybody',
  'spfNotCovered',
  'spfNotSeen',
  'spfCovers',
  'spfFound',
  'dkimNoSelector',
  'dkimMissing',
  'dkimBroken',
  'dkimFound',
  'dmarcMissing',
  'dmarcSeveral',
  'dmarcNone',
  'dmarcEnforced',
  'mxMissing',
  'mxRefuses',
  'mxFound',
] as const

const checkOutcomes = ['ok', 'warning', 'failed', 'unknown'] as const

const dnsCheck = z.object({
  name: z.enum(dnsCheckNames),
  outcome: z.enum(checkOutcomes).describe('`unknown`: the DNS did not tell'),
  finding: z.enum(senderFindings),
  found: z.array(z.string()).describe('The records that are there'),
  lookups: z.int().optional().describe('Only with SPF: the look-ups of a receiver, of which ten are allowed'),
  record: z
    .object({ name: z.string(), type: z.enum(['TXT', 'MX']), value: z.string() })
    .optional()
    .describe('What to put into the DNS; an empty value comes from the provider'),
})
export type DnsCheck = z.infer<typeof dnsCheck>

export const senderChecks = z.object({ domain: z.string(), checks: z.array(dnsCheck) }).meta({ id: 'SenderChecks' })
export type SenderChecks = z.infer<typeof senderChecks>

const authentication = z.string().nullable().describe('Such as `pass` or `fail`; null: it does not say')

/** The receiving server's results for the sender of an email (RFC 8601). */
export const authenticationResults = z.object({
  at: z.iso.datetime(),
  spf: authentication,
  dkim: authentication,
  dmarc: authentication,
})
export type AuthenticationResults = z.infer<typeof authenticationResults>

export function outcomeOfAuthentication(result: string | null): (typeof checkOutcomes)[number] {
  if (result === 'pass') return 'ok'
  return result === null || result === 'temperror' ? 'unknown' : 'failed'
}
