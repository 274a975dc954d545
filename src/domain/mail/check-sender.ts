import { isIP } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { DnsCheck, DnsCheckName, SenderChecks } from '../../contract/mail-checks.ts'
import { mailProviderOf } from '../../contract/mail-providers.ts'
import type { Context } from '../../platform/context.ts'
import { findSmtpSettings } from '../../platform/mail/mail-settings.ts'
import { isDnsError, isNoRecord, type Resolve } from '../../platform/net/resolver.ts'
import { allow } from '../allow.ts'

/** The sender whose domain is checked. */
export interface Sender {
  domain: string
  address: string
  /** The host name of the mail server; undefined without one. */
  host: string | undefined
  provider: ReturnType<typeof mailProviderOf>
  /** DKIM selectors to look for. */
  selectors: readonly string[]
}

type Check = (sender: Sender, resolve: Resolve) => Promise<Omit<DnsCheck, 'name'>>

/** The checks by name. Each rejects when the DNS does not answer. */
const checks: Record<DnsCheckName, Check> = { spf: checkSpf, dkim: checkDkim, dmarc: checkDmarc, mx: checkMx }

/** Checks the DNS records of the sender's domain, all at the same time. */
export async function checkSender(ctx: Context): Promise<SenderChecks> {
  allow(ctx, ['config.write'])
  const sender = await senderFromSettings(ctx)
  const results = await Promise.all(
    Object.keys(checks).map((name) => runDnsCheck(name as DnsCheckName, sender, ctx.mail.resolve)),
  )
  return { domain: sender.domain, checks: results }
}

/**
 * The site's sender. The provider that staff chose counts only for their own server. Selectors that they set replace
 * those of the provider.
 */
export async function senderFromSettings(
  ctx: Pick<Context, 'db' | 'secret' | 'site'> & { mail: Pick<Context['mail'], 'server'> },
): Promise<Sender> {
  const { server } = ctx.mail
  const address = ctx.site.sender.email
  // A string is the URL of the setting SMTP_URL.
  const host = typeof server === 'string' ? new URL(server).hostname : server?.host
  const { value } = await findSmtpSettings(ctx.db, ctx.secret)
  const ownSelectors = value?.selectors.split(/\s+/).filter(Boolean) ?? []
  const chosenProvider = typeof server === 'string' ? undefined : value?.provider
  const provider = host === undefined ? undefined : mailProviderOf({ provider: chosenProvider, host })
  return {
    address,
    domain: address.slice(address.lastIndexOf('@') + 1).toLowerCase(),
    host,
    provider,
    selectors: ownSelectors.length > 0 ? ownSelectors : (provider?.selectors ?? []),
  }
}

/** The timeout of one check, for all its DNS queries together. */
const checkTimeoutMs = 20_000

/** Runs one check. Its outcome is `unknown` when the DNS fails, or has not answered all queries after `withinMs`. */
export async function runDnsCheck(
  name: DnsCheckName,
  sender: Sender,
  resolve: Resolve,
  withinMs = checkTimeoutMs,
): Promise<DnsCheck> {
  const ended = new AbortController()
  const timeout = pause(withinMs, undefined, { signal: ended.signal }).then((): never => {
    throw new DnsUnanswered('The DNS took too long')
  })
  timeout.catch(() => {})
  const resolveInTime: Resolve = async (...query) => {
    ended.signal.throwIfAborted()
    return resolve(...query)
  }
  const unknownUnlessBug = (error: unknown): Omit<DnsCheck, 'name'> => {
    if (!(error instanceof DnsUnanswered) && !isDnsError(error)) throw error
    return { outcome: 'unknown', finding: 'unknown', found: [] }
  }
  const result = await Promise.race([checks[name](sender, resolveInTime), timeout])
    .catch(unknownUnlessBug)
    .finally(() => ended.abort())
  return { name, ...result }
}

/** The DNS did not answer in time, or failed temporarily. */
class DnsUnanswered extends Error {}

/** A documentation address (RFC 5737): no record lists it by itself, so the whole record is evaluated. */
const unlistedAddress = '192.0.2.1'
const spfLookupLimit = 10
/** Of void lookups, which find no record (RFC 7208, 4.6.4). */
const spfVoidLimit = 2
/** Lookups are counted up to this number, to report by how many they exceed their limit. */
const spfCountedLookups = 60

async function checkSpf({ domain, address, host, provider }: Sender, resolve: Resolve): ReturnType<Check> {
  const found = (await textsAt(domain, resolve)).filter((text) => /^v=spf1(\s|$)/i.test(text))
  const [spfRecord = ''] = found
  const mechanism = mechanismFor({ host, provider })
  const propose = (value: string) => ({ record: { name: domain, type: 'TXT' as const, value } })
  if (found.length === 0)
    return { outcome: 'failed', finding: 'spfMissing', found, ...propose(`v=spf1 ${mechanism} ~all`) }
  if (found.length > 1) return { outcome: 'failed', finding: 'spfSeveral', found, ...propose(mergeSpf(found)) }

  const includedNames = new Set<string>()
  const evaluate = (ip: string) => evaluateSpf({ domain, address, ip }, resolve, includedNames)
  const { result, lookups, voids } = await evaluate(unlistedAddress)
  if (lookups > spfLookupLimit) return { outcome: 'failed', finding: 'spfTooMany', found, lookups }
  if (result === 'permerror' || voids > spfVoidLimit) return { outcome: 'failed', finding: 'spfBroken', found, lookups }
  if (result === 'pass') {
    const softfail = withSoftfail(spfRecord)
    // Unchanged: not `all` but another mechanism allows every address, so there is nothing to propose.
    const proposal = softfail === spfRecord ? {} : propose(softfail)
    return { outcome: 'warning', finding: 'spfAnybody', found, lookups, ...proposal }
  }
  if (host === undefined) return { outcome: 'ok', finding: 'spfFound', found, lookups }

  if (provider && includedNames.has(provider.spf)) return { outcome: 'ok', finding: 'spfCovers', found, lookups }
  const proposal = propose(withMechanism(spfRecord, mechanism))
  if (provider) return { outcome: 'failed', finding: 'spfNotCovered', found, lookups, ...proposal }
  for (const ip of await addressesOf(host, resolve)) {
    if ((await evaluate(ip)).result === 'pass') return { outcome: 'ok', finding: 'spfCovers', found, lookups }
  }
  // The server may send its emails from other machines than the one that accepts them.
  return { outcome: 'warning', finding: 'spfNotSeen', found, lookups, ...proposal }
}

/**
 * Evaluates the SPF record of the domain for one sending IP address. It adds the names of all TXT queries to
 * `includedNames`.
 */
async function evaluateSpf(
  { domain, address, ip }: { domain: string; address: string; ip: string },
  resolve: Resolve,
  includedNames: Set<string>,
) {
  const { spf } = (await import('mailauth/lib/spf/index.js')).default
  const { status, lookups } = await spf({
    sender: address,
    helo: domain,
    ip,
    maxResolveCount: spfCountedLookups,
    maxVoidCount: spfCountedLookups,
    resolver(name, type) {
      if (type === 'TXT') includedNames.add(name.toLowerCase().replace(/\.$/, ''))
      return resolve(name, type)
    },
  })
  if (status.result === 'temperror') throw new DnsUnanswered(status.comment)
  return { result: status.result, lookups: lookups?.count ?? 0, voids: lookups?.void ?? 0 }
}

/** Inserts a mechanism before `all` or `redirect=`, which apply to all other senders. */
function withMechanism(spfRecord: string, mechanism: string): string {
  const terms = spfRecord.split(/\s+/)
  const end = terms.findIndex((term) => /^([+?~-]?all|redirect=.*)$/i.test(term))
  return terms.toSpliced(end === -1 ? terms.length : end, 0, mechanism).join(' ')
}

/** Replaces `+all`, which lets everybody send, by `~all`, which marks emails from other servers as suspicious. */
const withSoftfail = (record: string) => record.replace(/(^|\s)\+?all(\s|$)/i, '$1~all$2')

/** Merges several SPF records into one. A `redirect=` becomes an include, because `all` cancels it (RFC 7208, 6.1). */
function mergeSpf(records: readonly string[]): string {
  const terms = records.flatMap((record) => record.split(/\s+/).slice(1))
  const mechanisms = terms
    .filter((term) => !/^[+?~-]?all$/i.test(term))
    .map((term) => term.replace(/^redirect=/i, 'include:'))
  return ['v=spf1', ...new Set(mechanisms), '~all'].join(' ')
}

async function checkDkim({ domain, selectors }: Sender, resolve: Resolve): ReturnType<Check> {
  if (selectors.length === 0) return { outcome: 'unknown', finding: 'dkimNoSelector', found: [] }
  const { getPublicKey } = (await import('mailauth/lib/tools.js')).default
  const found: string[] = []
  let isBroken = false
  for (const selector of selectors) {
    try {
      const { rr } = await getPublicKey('DKIM', `${selector}._domainkey.${domain}`, undefined, resolve)
      found.push(`${selector}: ${rr}`)
    } catch (error) {
      if (isNoRecord(error)) continue
      if (!/^E(INVALID|SHORT)/.test((error as { code?: string }).code ?? '')) throw error
      isBroken = true
    }
  }
  if (found.length > 0) return { outcome: 'ok', finding: 'dkimFound', found }
  const record = { name: `${selectors[0]}._domainkey.${domain}`, type: 'TXT' as const, value: '' }
  return { outcome: 'failed', finding: isBroken ? 'dkimBroken' : 'dkimMissing', found, record }
}

async function checkDmarc({ domain, address }: Sender, resolve: Resolve): ReturnType<Check> {
  const { default: getDmarcRecord } = await import('mailauth/lib/dmarc/get-dmarc-record.js')
  const texts = await textsAt(`_dmarc.${domain}`, resolve)
  const domainRecords = texts.filter((text) => /^v\s*=\s*DMARC1\s*(;|$)/.test(text))
  if (domainRecords.length > 1) return { outcome: 'failed', finding: 'dmarcSeveral', found: domainRecords }
  const dmarc = await getDmarcRecord(domain, resolve)
  const propose = (policy: string) => ({
    record: { name: `_dmarc.${domain}`, type: 'TXT' as const, value: `v=DMARC1; p=${policy}; rua=mailto:${address}` },
  })
  if (!dmarc) return { outcome: 'failed', finding: 'dmarcMissing', found: [], ...propose('none') }
  // The record of the organizational domain may have another policy for its subdomains.
  const policy = (dmarc.isOrgRecord && dmarc.sp) || dmarc.p
  if (policy !== 'quarantine' && policy !== 'reject')
    return { outcome: 'warning', finding: 'dmarcNone', found: [dmarc.rr], ...propose('quarantine') }
  return { outcome: 'ok', finding: 'dmarcEnforced', found: [dmarc.rr] }
}

async function checkMx({ domain, provider }: Sender, resolve: Resolve): ReturnType<Check> {
  // `Resolve` has no type for MX answers.
  const servers = (await emptyIfNone(resolve(domain, 'MX'))) as unknown as { exchange: string; priority: number }[]
  const found = servers
    .toSorted((a, b) => a.priority - b.priority)
    .map(({ exchange, priority }) => `${priority} ${exchange || '.'}`)
  const proposal = provider?.mx && { record: { name: domain, type: 'MX' as const, value: provider.mx } }
  if (found.length === 0) return { outcome: 'failed', finding: 'mxMissing', found, ...proposal }
  // A null MX (RFC 7505): the domain accepts no email.
  if (servers.every(({ exchange }) => exchange === '' || exchange === '.'))
    return { outcome: 'failed', finding: 'mxRefuses', found, ...proposal }
  return { outcome: 'ok', finding: 'mxFound', found }
}

/** The TXT records at a name; none when there is no such name. DNS splits a long text into strings, which are joined. */
const textsAt = async (name: string, resolve: Resolve): Promise<string[]> =>
  (await emptyIfNone(resolve(name, 'TXT'))).map((strings) => [strings].flat().join(''))

/** An IPv6 address in a URL stands in brackets. */
const withoutBrackets = (host: string) => host.replace(/^\[|\]$/g, '')

/** The SPF mechanism that allows the mail server; `mx` when there is none. */
function mechanismFor({ host, provider }: Pick<Sender, 'host' | 'provider'>): string {
  if (provider) return `include:${provider.spf}`
  if (!host) return 'mx'
  const version = isIP(withoutBrackets(host))
  return version === 0 ? `a:${host}` : `ip${version}:${withoutBrackets(host)}`
}

async function addressesOf(host: string, resolve: Resolve): Promise<string[]> {
  if (isIP(withoutBrackets(host)) !== 0) return [withoutBrackets(host)]
  const [ipv4, ipv6] = await Promise.all([emptyIfNone(resolve(host, 'A')), emptyIfNone(resolve(host, 'AAAA'))])
  return [...ipv4, ...ipv6].flat()
}

const emptyIfNone = async (answers: ReturnType<Resolve>): ReturnType<Resolve> =>
  answers.catch((error) => {
    if (isNoRecord(error)) return []
    throw error
  })
