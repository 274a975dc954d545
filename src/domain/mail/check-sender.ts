import { setTimeout as pause } from 'node:timers/promises'
import type { SenderCheck, SenderCheckName, SenderChecks } from '../../contract/mail-checks.ts'
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

type Check = (sender: Sender, resolve: Resolve) => Promise<Omit<SenderCheck, 'name'>>

/** The checks by name. Each rejects when the DNS does not answer. */
const checks: Record<SenderCheckName, Check> = { spf: checkSpf, dkim: checkDkim, dmarc: checkDmarc, mx: checkMx }

/** Checks the DNS of the domain that emails come from. */
export async function checkSender(ctx: Context): Promise<SenderChecks> {
  allow(ctx, ['config.write'])
  const sender = await findSender(ctx)
  const found = await Promise.all(
    Object.keys(checks).map((name) => runSenderCheck(name as SenderCheckName, sender, ctx.mail.resolve)),
  )
  return { domain: sender.domain, checks: found }
}

export async function findSender(
  ctx: Pick<Context, 'db' | 'secret' | 'site'> & { mail: Pick<Context['mail'], 'server'> },
): Promise<Sender> {
  const { server } = ctx.mail
  const address = ctx.site.sender.email
  const host = typeof server === 'string' ? new URL(server).hostname : server?.host
  const { value } = await findSmtpSettings(ctx.db, ctx.secret)
  const named = value?.selectors.split(/\s+/).filter(Boolean) ?? []
  const provider = host === undefined ? undefined : mailProviderOf({ host })
  return {
    address,
    domain: address.slice(address.lastIndexOf('@') + 1).toLowerCase(),
    host,
    provider,
    selectors: named.length > 0 ? named : (provider?.selectors ?? []),
  }
}

/** The timeout of one check, for all its DNS queries together. */
const checkMs = 20_000

/** Runs one check within `withinMs`; the outcome is `unknown` when the DNS does not answer in time. */
export async function runSenderCheck(
  name: SenderCheckName,
  sender: Sender,
  resolve: Resolve,
  withinMs = checkMs,
): Promise<SenderCheck> {
  const ended = new AbortController()
  const late = pause(withinMs, undefined, { signal: ended.signal }).then((): never => {
    throw new DnsUnanswered('The DNS took too long')
  })
  late.catch(() => {})
  const unknown = (error: unknown): Omit<SenderCheck, 'name'> => {
    if (!(error instanceof DnsUnanswered) && !isDnsError(error)) throw error
    return { outcome: 'unknown', finding: 'unknown', found: [] }
  }
  const found = await Promise.race([checks[name](sender, resolve), late])
    .catch(unknown)
    .finally(() => ended.abort())
  return { name, ...found }
}

class DnsUnanswered extends Error {}

/** A documentation address (RFC 5737) that no SPF record contains, so that the whole record is evaluated. */
const nobodysAddress = '192.0.2.1'
const spfLookupLimit = 10
/** Lookups are counted up to this number, to report by how many they exceed the limit. */
const spfCountedLookups = 60

async function checkSpf({ domain, address, host, provider }: Sender, resolve: Resolve): ReturnType<Check> {
  const found = (await textsAt(domain, resolve)).filter((text) => /^v=spf1(\s|$)/i.test(text))
  const [record = ''] = found
  const sourceOfServer = provider ? `include:${provider.spf}` : host ? `a:${host}` : 'mx'
  const put = (value: string) => ({ record: { name: domain, type: 'TXT' as const, value } })
  if (found.length === 0)
    return { outcome: 'failed', finding: 'spfMissing', found, ...put(`v=spf1 ${sourceOfServer} ~all`) }
  if (found.length > 1) return { outcome: 'failed', finding: 'spfSeveral', found, ...put(joined(found)) }

  const { spf } = (await import('mailauth/lib/spf/index.js')).default
  const asked = new Set<string>()
  const evaluate = async (ip: string) => {
    const { status, lookups } = await spf({
      sender: address,
      helo: domain,
      ip,
      maxResolveCount: spfCountedLookups,
      maxVoidCount: spfCountedLookups,
      maxElapsedTime: checkMs,
      resolver(name, type) {
        if (type === 'TXT') asked.add(name.toLowerCase().replace(/\.$/, ''))
        return resolve(name, type)
      },
    })
    if (status.result === 'temperror') throw new DnsUnanswered(status.comment)
    return { result: status.result, lookups: lookups?.count ?? 0 }
  }
  const { result, lookups } = await evaluate(nobodysAddress)
  if (lookups > spfLookupLimit) return { outcome: 'failed', finding: 'spfTooMany', found, lookups }
  if (result === 'permerror') return { outcome: 'failed', finding: 'spfBroken', found, lookups }
  if (result === 'pass') return { outcome: 'warning', finding: 'spfAnybody', found, lookups, ...put(strict(record)) }
  if (host === undefined) return { outcome: 'ok', finding: 'spfFound', found, lookups }

  if (provider && asked.has(provider.spf)) return { outcome: 'ok', finding: 'spfCovers', found, lookups }
  const more = put(withSource(record, sourceOfServer))
  if (provider) return { outcome: 'failed', finding: 'spfNotCovered', found, lookups, ...more }
  for (const ip of await addressesOf(host, resolve)) {
    if ((await evaluate(ip)).result === 'pass') return { outcome: 'ok', finding: 'spfCovers', found, lookups }
  }
  // The server may send its emails from other machines than the one that accepts them.
  return { outcome: 'warning', finding: 'spfNotSeen', found, lookups, ...more }
}

/** Adds a mechanism before `all` or `redirect=`, which apply to all other senders. */
function withSource(record: string, source: string): string {
  const parts = record.split(/\s+/)
  const end = parts.findIndex((part) => /^([+?~-]?all|redirect=.*)$/i.test(part))
  return parts.toSpliced(end === -1 ? parts.length : end, 0, source).join(' ')
}

const strict = (record: string) => record.replace(/(^|\s)\+?all(\s|$)/i, '$1~all$2')

/** Merges several SPF records into one. */
function joined(records: readonly string[]): string {
  const parts = records.flatMap((record) => record.split(/\s+/).slice(1))
  const sources = parts.filter((part) => !/^[+?~-]?all$/i.test(part))
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
  const found = await getDmarcRecord(domain, resolve)
  const record = (policy: string) => ({
    record: { name: `_dmarc.${domain}`, type: 'TXT' as const, value: `v=DMARC1; p=${policy}; rua=mailto:${address}` },
  })
  if (!found) return { outcome: 'failed', finding: 'dmarcMissing', found: [], ...record('none') }
  if (found.p !== 'quarantine' && found.p !== 'reject')
    return { outcome: 'warning', finding: 'dmarcNone', found: [found.rr], ...record('quarantine') }
  return { outcome: 'ok', finding: 'dmarcEnforced', found: [found.rr] }
}

async function checkMx({ domain, provider }: Sender, resolve: Resolve): ReturnType<Check> {
  const answers = (await orNone(resolve(domain, 'MX'))) as unknown as { exchange: string; priority: number }[]
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
  (await orNone(resolve(name, 'TXT'))).map((parts) => [parts].flat().join(''))

async function addressesOf(host: string, resolve: Resolve): Promise<string[]> {
  if (/^[\d.]+$|:/.test(host)) return [host.replace(/^\[|\]$/g, '')]
  const [four, six] = await Promise.all([orNone(resolve(host, 'A')), orNone(resolve(host, 'AAAA'))])
  return [...four, ...six].flat()
}

const orNone = async (answers: ReturnType<Resolve>): ReturnType<Resolve> =>
  answers.catch((error) => {
    if (isNoRecord(error)) return []
    throw error
  })
