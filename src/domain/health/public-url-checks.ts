import { isIP } from 'node:net'
import { dayMs } from '../../contract/limits.ts'
import { siteFingerprint } from '../../platform/config/secret.ts'
import type { ProbedSite } from '../../platform/net/probe-site.ts'
import { type Check, type CheckContext, type Finding, minuteMs } from './check.ts'
import { findReachedAt } from './health.queries.ts'

const everyMs = 10 * minuteMs
/**
 * While any instance reaches the site, the result of `findReachedAt` is more recent than this: an instance stores the time of its check, and
 * repeats the check after `everyMs`.
 */
const stillReachedMs = 3 * everyMs
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

/** The minimum `max-age` of HSTS that internet.nl requires: a year. */
const minHstsSeconds = 365 * 86_400

/**
 * Creates a check of the response at the public URL; one request serves all these checks.
 * @param judge returns the finding about the response
 * @param isLost whether it is a failure that the site does not answer. By default it is not, because a server behind NAT may be
 * unable to reach its own public URL
 */
const createUrlCheck = (
  judge: (site: ProbedSite, context: CheckContext) => Finding,
  isLost: (context: CheckContext) => Promise<boolean> = async () => false,
): Pick<Check, 'everyMs' | 'run'> => ({
  everyMs,
  async run(context) {
    const site = await context.siteProbe()
    const values = { address: context.origin }
    if (site === 'private') return { outcome: 'unknown', text: 'addressPrivate', values }
    if (site !== 'unreachable') return judge(site, context)
    return (await isLost(context))
      ? { outcome: 'failed', text: 'reachableLost', values }
      : { outcome: 'unknown', text: 'addressAway', values }
  },
})

export const reachable: Check = createUrlCheck(
  ({ status, mark }, { origin, secret }) => {
    const values = { address: origin, status: String(status) }
    if (status < 200 || status >= 400) return { outcome: 'failed', text: 'reachableError', values }
    // The mark is a fingerprint of the site. A response with any other status may be that of a proxy, or of another version of
    // the program during an update.
    const isOtherSite = mark?.status === 404 || (mark?.status === 200 && mark.text !== siteFingerprint(secret))
    return isOtherSite
      ? { outcome: 'failed', text: 'reachableForeign', values }
      : { outcome: 'good', text: 'reachableGood', values }
  },
  async ({ db, now, origin, previous }) => {
    const reachedAt = await findReachedAt(db, origin)
    const previousHere = previous?.values?.address === origin ? previous : undefined
    // If another instance has reached the site since, only this one cannot.
    if (previousHere?.text === 'reachableLost') return !(reachedAt && reachedAt > previousHere.checkedAt)
    // This instance received a response before.
    if (previousHere?.outcome === 'good' || previousHere?.outcome === 'failed') return true
    return reachedAt !== undefined && now().getTime() - reachedAt.getTime() > stillReachedMs
  },
)

export const certificate: Check = createUrlCheck(({ certificate }, { now }) => {
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

export const https: Check = createUrlCheck(({ plain: plainHttp, acceptsOldTls }, { origin }) => {
  if (!origin.startsWith('https://')) return { outcome: 'failed', text: 'httpsMissing' }
  if (acceptsOldTls) return { outcome: 'attention', text: 'httpsOldTls' }
  if (!plainHttp) return { outcome: 'attention', text: 'httpsPlainClosed' }
  const target = plainHttp.location === undefined ? null : URL.parse(plainHttp.location, origin)
  const redirectsToSite = plainHttp.status >= 300 && plainHttp.status < 400 && target?.origin === new URL(origin).origin
  return redirectsToSite ? { outcome: 'good', text: 'httpsGood' } : { outcome: 'attention', text: 'httpsNotRedirected' }
})

export const headers: Check = createUrlCheck(({ headers }, { origin }) => {
  const isExpected = (name: string) => name !== 'strict-transport-security' || origin.startsWith('https://')
  const missing = expectedHeaders.filter((name) => headers[name] === undefined && isExpected(name))
  if (missing.length > 0) return { outcome: 'attention', text: 'headersMissing', values: { names: missing.join(', ') } }
  const hsts = headers['strict-transport-security']
  const maxAgeSeconds = Number(/max-age\s*=\s*"?(\d+)/i.exec(hsts ?? '')?.[1] ?? 0)
  return hsts !== undefined && maxAgeSeconds < minHstsSeconds
    ? { outcome: 'attention', text: 'hstsShort' }
    : { outcome: 'good', text: 'headersGood' }
})

const ipv6Findings = {
  none: { outcome: 'attention', text: 'ipv6Missing' },
  found: { outcome: 'good', text: 'ipv6Good' },
  answers: { outcome: 'good', text: 'ipv6Answers' },
  silent: { outcome: 'attention', text: 'ipv6Silent' },
} satisfies Record<ProbedSite['ipv6'], Finding>

export const ipv6: Check = createUrlCheck(({ ipv6 }) => ipv6Findings[ipv6])

/** Whether DNSSEC protects the host name. It asks only the DNS, so it works even if the server cannot reach the site. */
export const dnssec: Check = {
  everyMs: 60 * minuteMs,
  async run({ origin, hasDnssec }) {
    const { hostname } = new URL(origin)
    if (hostname === 'localhost' || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) {
      return { outcome: 'unknown', text: 'dnssecNoName', values: { address: origin } }
    }
    const isSigned = await hasDnssec(hostname)
    if (isSigned === undefined) return { outcome: 'unknown', text: 'dnssecUnknown' }
    return isSigned ? { outcome: 'good', text: 'dnssecGood' } : { outcome: 'attention', text: 'dnssecMissing' }
  },
}

export const securityTxt: Check = {
  ...createUrlCheck(({ securityTxt }, { now }) => {
    const expires = /^expires:\s*(\S+)/im.exec(securityTxt?.text ?? '')?.[1]
    const expiresAt = new Date(expires ?? Number.NaN)
    if (securityTxt?.status !== 200 || Number.isNaN(expiresAt.getTime())) {
      return { outcome: 'attention', text: 'securityTxtMissing' }
    }
    return expiresAt > now()
      ? { outcome: 'good', text: 'securityTxtGood', values: { at: expiresAt } }
      : { outcome: 'attention', text: 'securityTxtExpired', values: { at: expiresAt } }
  }),
  screen: '/admin/config/legal',
}
