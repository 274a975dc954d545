import { isIP } from 'node:net'
import { dayMs } from '../../contract/limits.ts'
import type { ProbedSite } from '../../platform/net/probe-site.ts'
import { type Check, type CheckContext, type Finding, minutes } from './check.ts'

const everyMs = 10 * minutes
/** Warn when fewer days are left: certificates are usually renewed a month before they expire. */
const certificateSoonDays = 14
const certificateLateDays = 3
/** The headers that `http/security-headers.ts` sends; a proxy in front may remove them. */
const expectedHeaders = [
  'content-security-policy',
  'x-content-type-options',
  'x-frame-options',
  'referrer-policy',
  'strict-transport-security',
]

/** A check of the response at the public URL, which all these checks share. */
const seenFromOutside = (
  run: (site: ProbedSite, context: CheckContext) => Finding,
): Pick<Check, 'everyMs' | 'run'> => ({
  everyMs,
  async run(context) {
    const site = await context.siteProbe()
    if (site === 'private') return { outcome: 'unknown', text: 'addressPrivate', values: { address: context.origin } }
    if (site === 'unreachable') return { outcome: 'unknown', text: 'addressAway', values: { address: context.origin } }
    return run(site, context)
  },
})

export const reachable: Check = seenFromOutside(({ status }, { origin }) =>
  status >= 200 && status < 400
    ? { outcome: 'good', text: 'reachableGood', values: { address: origin } }
    : { outcome: 'failed', text: 'reachableError', values: { address: origin, status: String(status) } },
)

export const certificate: Check = seenFromOutside(({ certificate }, { now }) => {
  if (!certificate) return { outcome: 'attention', text: 'httpsMissing' }
  const values = { at: certificate.validUntil }
  const days = Math.floor((certificate.validUntil.getTime() - now().getTime()) / dayMs)
  if (days < 0) return { outcome: 'failed', text: 'certificateExpired', values }
  if (certificate.problem !== undefined) {
    return { outcome: 'failed', text: 'certificateInvalid', values: { problem: certificate.problem } }
  }
  if (days > certificateSoonDays) return { outcome: 'good', text: 'certificateGood', values }
  return { outcome: days <= certificateLateDays ? 'failed' : 'attention', text: 'certificateSoon', values }
})

export const https: Check = seenFromOutside(({ plain }, { origin }) => {
  if (!origin.startsWith('https://')) return { outcome: 'failed', text: 'httpsMissing' }
  if (!plain) return { outcome: 'attention', text: 'httpsPlainClosed' }
  const target = plain.location === undefined ? null : URL.parse(plain.location, origin)
  const leads = plain.status >= 300 && plain.status < 400 && target?.origin === new URL(origin).origin
  return leads ? { outcome: 'good', text: 'httpsGood' } : { outcome: 'attention', text: 'httpsNotRedirected' }
})

export const headers: Check = seenFromOutside(({ headers }, { origin }) => {
  const missing = expectedHeaders.filter(
    (name) => headers[name] === undefined && (name !== 'strict-transport-security' || origin.startsWith('https://')),
  )
  return missing.length === 0
    ? { outcome: 'good', text: 'headersGood' }
    : { outcome: 'attention', text: 'headersMissing', values: { names: missing.join(', ') } }
})

export const ipv6: Check = seenFromOutside(({ ipv6 }) =>
  ipv6 ? { outcome: 'good', text: 'ipv6Good' } : { outcome: 'attention', text: 'ipv6Missing' },
)

/** Asked by name only, so the result can say where the site cannot be reached from. */
export const dnssec: Check = {
  everyMs: 60 * minutes,
  async run({ origin, isProtected }) {
    const { hostname } = new URL(origin)
    if (hostname === 'localhost' || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) {
      return { outcome: 'unknown', text: 'dnssecNoName', values: { address: origin } }
    }
    const found = await isProtected(hostname)
    if (found === undefined) return { outcome: 'unknown', text: 'dnssecUnknown' }
    return found ? { outcome: 'good', text: 'dnssecGood' } : { outcome: 'attention', text: 'dnssecMissing' }
  },
}

export const securityTxt: Check = {
  ...seenFromOutside(({ securityTxt }, { now }) => {
    const expires = /^expires:\s*(\S+)/im.exec(securityTxt?.text ?? '')?.[1]
    const until = new Date(expires ?? Number.NaN)
    if (securityTxt?.status !== 200 || Number.isNaN(until.getTime())) {
      return { outcome: 'attention', text: 'securityTxtMissing' }
    }
    return until > now()
      ? { outcome: 'good', text: 'securityTxtGood', values: { at: until } }
      : { outcome: 'attention', text: 'securityTxtExpired', values: { at: until } }
  }),
  screen: '/admin/config/legal',
}
