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

/** Checks the DNS of the domain that emails come from. */
export async function checkSender(ctx: Context): Promise<SenderChecks> {
  allow(ctx, ['config.write'])
  const sender = await senderFromSettings(ctx)
  const found = await Promise.all(
    Object.keys(checks).map((name) => runDnsCheck(name as DnsCheckName, sender, ctx.mail.resolve)),
  )
  return { domain: sender.domain, checks: found }
}

export async function senderFromSettings(
  ctx: Pick<Context, 'db' | 'secret' | 'site'> & { mail: Pick<Context['mail'], 'server'> },
): Promise<Sender> {
  const { server } = ctx.mail
  const address = ctx.site.sender.email
  const host = typeof server === 'string' ? new URL(server).hostname : server?.host
  const { value } = await findSmtpSettings(ctx.db, ctx.secret)
  const named = value?.selectors.split(/\s+/).filter(Boolean) ?? []
  const chosen = typeof server === 'string' ? undefined : value?.provider
  const provider = host === undefined ? undefined : mailProviderOf({ provider: chosen, host })
  return {
    address,
    domain: address.slice(address.lastIndexOf('@') + 1).toLowerCase(),
    host,
    provider,
    selectors: named.length > 0 ? named : (provider?.selectors ?? []),
  }
}

/** The timeout of one check, for all its DNS queries together. */
const checkTimeoutMs = 20_000

/** Runs one check within `withinMs`; the outcome is `unknown` when the DNS does not answer in time, and no more is asked. */
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
  const resolveInTime: Resolve = async (...question) => {
    ended.signal.throwIfAborted()
    return resolve(...question)
  }
  const unknown = (error: unknown): Omit<DnsCheck, 'name'> => {
    if (!(error instanceof DnsUnanswered) && !isDnsError(error)) throw error
    return { outcome: 'unknown', finding: 'unknown', found: [] }
  }
  const found = await Promise.race([checks[name](sender, resolveInTime), timeout])
    .catch(unknown)
    .finally(() => ended.abort())
  return { name, ...found }
}

class DnsUnanswered extends Error {}

/** A documentation address (RFC 5737) that no SPF record contains, so that the whole record is evaluated. */
const unlistedAddress = '192.0.2.1'
const spfLookupLimit = 10
/** Of lookups that find nothing (RFC 7208, 4.6.4). */
const spfVoidLimit = 2
/** Lookups are counted up to this number, to report by how many they exceed their limit. */
const spfCountedLookups = 60

async function checkSpf({ domain, address, host, provider }: Sender, resolve: Resolve): ReturnType<Check> {
  const found = (await textsAt(domain, resolve)).filter((text) => /^v=spf1(\s|$)/i.test(text))
  const [record = ''] = found
  const sourceOfServer = provider ? `include:${provider.spf}` : host ? spfSourceOf(host) : 'mx'
  const propose = (value: string) => ({ record: { name: domain, type: 'TXT' as const, value } })
  if (found.length === 0)
    return { outcome: 'failed', finding: 'spfMissing', found, ...propose(`v=spf1 ${sourceOfServer} ~all`) }
  if (found.length > 1) return { outcome: 'failed', finding: 'spfSeveral', found, ...propose(mergeSpf(found)) }

  const { spf } = (await import('mailauth/lib/spf/index.js')).default
  const resolvedNames = new Set<string>()
  const evaluate = async (ip: string) => {
    const { status, lookups } = await spf({
      sender: address,
      helo: domain,
      ip,
      maxResolveCount: spfCountedLookups,
      maxVoidCount: spfCountedLookups,
      resolver(name, type) {
        if (type === 'TXT') resolvedNames.add(name.toLowerCase().replace(/\.$/, ''))
        return resolve(name, type)
      },
    })
    if (status.result === 'temperror') throw new DnsUnanswered(status.comment)
    return { result: status.result, lookups: lookups?.count ?? 0, voids: lookups?.void ?? 0 }
  }
  const { result, lookups, voids } = await evaluate(unlistedAddress)
  if (lookups > spfLookupLimit) return { outcome: 'failed', finding: 'spfTooMany', found, lookups }
  if (result === 'permerror' || voids > spfVoidLimit) return { outcome: 'failed', finding: 'spfBroken', found, lookups }
  if (result === 'pass') {
    const strict = withSoftfail(record)
    // Where another part of the record allows every address, its last part changes nothing.
    const proposal = strict === record ? {} : propose(strict)
    return { outcome: 'warning', finding: 'spfAnybody', found, lookups, ...proposal }
  }
  if (host === undefined) return { outcome: 'ok', finding: 'spfFound', found, lookups }

  if (provider && resolvedNames.has(provider.spf)) return { outcome: 'ok', finding: 'spfCovers', found, lookups }
  const proposal = propose(withSource(record, sourceOfServer))
  if (provider) return { outcome: 'failed', finding: 'spfNotCovered', found, lookups, ...proposal }
  for (const ip of await addressesOf(host, resolve)) {
    if ((await evaluate(ip)).result === 'pass') return { outcome: 'ok', finding: 'spfCovers', found, lookups }
  }
  // The server may send its emails from other machines than the one that accepts them.
  return { outcome: 'warning', finding: 'spfNotSeen', found, lookups, ...proposal }
}

/** Adds a mechanism before `all` or `redirect=`, which apply to all other senders. */
function withSource(record: string, source: string): string {
  const parts = record.split(/\s+/)
  const end = parts.findIndex((part) => /^([+?~-]?all|redirect=.*)$/i.test(part))
  return parts.toSpliced(end === -1 ? parts.length : end, 0, source).join(' ')
}

/** `+all` lets everybody send; `~all` marks the emails of others as suspicious. */
const withSoftfail = (record: string) => record.replace(/(^|\s)\+?all(\s|$)/i, '$1~all$2')

/** Merges several SPF records into one. A `redirect=` becomes an include, because `all` cancels it (RFC 7208, 6.1). */
function mergeSpf(records: readonly string[]): string {
  const parts = records.flatMap((record) => record.split(/\s+/).slice(1))
  const sources = parts
    .filter((part) => !/^[+?~-]?all$/i.test(part))
    .map((part) => part.replace(/^redirect=/i, 'include:'))
  return ['v=spf1', ...new Set(sources), '~all'].join(' ')
}

async function checkDkim({ domain, selectors }: Sender, resolve: Resolve): ReturnType<Check> {
  if (selectors.length === 0) return { outcome: 'unknown', finding: 'dkimNoSelector', found: [] }
  const { getPublicKey } = (await import('mailauth/lib/tools.js')).default
  const found: string[] = []
  let broken = false
  for (const selector of selectors) {
    try {
      const { rr } = await getPublicKey('DKIM', `${selector}._domainkey.${domain}`, undefined, resolve)
      found.push(`${selector}: ${rr}`)
    } catch (error) {
      if (isNoRecord(error)) continue
      if (!/^E(INVALID|SHORT)/.test((error as { code?: string }).code ?? '')) throw error
      broken = true
    }
  }
  if (found.length > 0) return { outcome: 'ok', finding: 'dkimFound', found }
  const record = { name: `${selectors[0]}._domainkey.${domain}`, type: 'TXT' as const, value: '' }
  return { outcome: 'failed', finding: broken ? 'dkimBroken' : 'dkimMissing', found, record }
}

async function checkDmarc({ domain, address }: Sender, resolve: Resolve): ReturnType<Check> {
  const { default: getDmarcRecord } = await import('mailauth/lib/dmarc/get-dmarc-record.js')
  const own = (await textsAt(`_dmarc.${domain}`, resolve)).filter((text) => /^v\s*=\s*DMARC1\s*(;|$)/.test(text))
  if (own.length > 1) return { outcome: 'failed', finding: 'dmarcSeveral', found: own }
  const found = await getDmarcRecord(domain, resolve)
  const record = (policy: string) => ({
    record: { name: `_dmarc.${domain}`, type: 'TXT' as const, value: `v=DMARC1; p=${policy}; rua=mailto:${address}` },
  })
  if (!found) return { outcome: 'failed', finding: 'dmarcMissing', found: [], ...record('none') }
  // The record of the domain above may have another policy for the domains below it.
  const policy = (found.isOrgRecord && found.sp) || found.p
  if (policy !== 'quarantine' && policy !== 'reject')
    return { outcome: 'warning', finding: 'dmarcNone', found: [found.rr], ...record('quarantine') }
  return { outcome: 'ok', finding: 'dmarcEnforced', found: [found.rr] }
}

async function checkMx({ domain, provider }: Sender, resolve: Resolve): ReturnType<Check> {
  const answers = (await emptyIfNone(resolve(domain, 'MX'))) as unknown as { exchange: string; priority: number }[]
  const found = answers
    .toSorted((one, other) => one.priority - other.priority)
    .map(({ exchange, priority }) => `${priority} ${exchange || '.'}`)
  const record = provider?.mx && { record: { name: domain, type: 'MX' as const, value: provider.mx } }
  if (found.length === 0) return { outcome: 'failed', finding: 'mxMissing', found, ...record }
  if (answers.every(({ exchange }) => exchange === '' || exchange === '.'))
    return { outcome: 'failed', finding: 'mxRefuses', found, ...record }
  return { outcome: 'ok', finding: 'mxFound', found }
}

const textsAt = async (name: string, resolve: Resolve): Promise<string[]> =>
  (await emptyIfNone(resolve(name, 'TXT'))).map((parts) => [parts].flat().join(''))

/** An IPv6 address in a URL stands in brackets. */
const withoutBrackets = (host: string) => host.replace(/^\[|\]$/g, '')

/** The part of an SPF record that allows the mail server. */
function spfSourceOf(host: string): string {
  const version = isIP(withoutBrackets(host))
  return version === 0 ? `a:${host}` : `ip${version}:${withoutBrackets(host)}`
}

async function addressesOf(host: string, resolve: Resolve): Promise<string[]> {
  if (isIP(withoutBrackets(host)) !== 0) return [withoutBrackets(host)]
  const [four, six] = await Promise.all([emptyIfNone(resolve(host, 'A')), emptyIfNone(resolve(host, 'AAAA'))])
  return [...four, ...six].flat()
}

const emptyIfNone = async (answers: ReturnType<Resolve>): ReturnType<Resolve> =>
  answers.catch((error) => {
    if (isNoRecord(error)) return []
    throw error
  })
