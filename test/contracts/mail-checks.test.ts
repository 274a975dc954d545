import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import type { SenderCheck, SenderChecks } from '../../src/contract/mail-checks.ts'
import { mailProviderOf } from '../../src/contract/mail-providers.ts'
import { runSenderCheck, type Sender } from '../../src/domain/mail/check-sender.ts'
import { createResolve } from '../../src/platform/net/resolver.ts'
import { aDnsServer, type DnsRecords } from '../support/dns-server.ts'
import { as } from '../support/staff.ts'
import { aTestApp } from '../support/test-app.ts'

const key = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  .publicKey.export({ type: 'spki', format: 'der' })
  .toString('base64')
const domain = 'maaslicht.example'
const google = mailProviderOf({ host: 'smtp.gmail.com' })
const at: Sender = {
  domain,
  address: `website@${domain}`,
  host: 'mail.maaslicht.example',
  provider: undefined,
  selectors: [],
}

/** One check against these records. */
async function checked(name: SenderCheck['name'], records: DnsRecords, different: Partial<Sender> = {}) {
  const { address } = await aDnsServer(records)
  return runSenderCheck(name, { ...at, ...different }, createResolve(address), 60_000)
}
const spfOf = (spf: string, more: DnsRecords = {}, different: Partial<Sender> = {}) =>
  checked('spf', { [domain]: { TXT: ['iets anders', spf] }, ...more }, different)

test('the API checks the domain of the sender, by the DNS server of the setting', async () => {
  const dns = await aDnsServer({
    [domain]: { TXT: ['v=spf1 mx ~all'], MX: [`10 mail.${domain}`] },
    [`mail.${domain}`]: { A: ['192.0.2.25'] },
    [`_dmarc.${domain}`]: { TXT: ['v=DMARC1; p=quarantine'] },
  })
  const site = await aTestApp({
    startJobs: false,
    settings: { dnsServer: dns.address },
    site: (config) => {
      config.sender.email = `website@${domain}`
    },
  })
  const bente = await as(site, 'beheerder')
  const shown: SenderChecks = await (await bente.get('/api/mail-server/checks')).json()
  expect(shown.domain).toBe(domain)
  expect(shown.checks.map(({ name, outcome, finding }) => [name, outcome, finding])).toEqual([
    ['spf', 'ok', 'spfFound'],
    ['dkim', 'unknown', 'dkimNoSelector'],
    ['dmarc', 'ok', 'dmarcEnforced'],
    ['mx', 'ok', 'mxFound'],
  ])
})

test('SPF: none, several, a mistake, everybody', async () => {
  expect(await checked('spf', { [domain]: { TXT: ['iets anders'] } }, { provider: google })).toMatchObject({
    outcome: 'failed',
    finding: 'spfMissing',
    record: { name: domain, type: 'TXT', value: 'v=spf1 include:_spf.google.com ~all' },
  })
  expect(await checked('spf', { [domain]: { TXT: ['v=spf1 mx -all', 'v=spf1 a mx ~all'] } })).toMatchObject({
    finding: 'spfSeveral',
    record: { value: 'v=spf1 mx a ~all' },
  })
  expect(await spfOf('v=spf1 onzin:1 -all')).toMatchObject({ outcome: 'failed', finding: 'spfBroken' })
  expect(await spfOf('v=spf1 +all')).toMatchObject({ finding: 'spfAnybody', record: { value: 'v=spf1 ~all' } })
})

test('SPF: whether it covers the mail server, by its provider or by its address', async () => {
  const includes = { '_spf.google.com': { TXT: ['v=spf1 ip4:192.0.2.200 ~all'] } }
  expect(await spfOf('v=spf1 include:_spf.google.com ~all', includes, { provider: google })).toMatchObject({
    outcome: 'ok',
    finding: 'spfCovers',
    lookups: 1,
  })
  expect(await spfOf('v=spf1 ip4:192.0.2.7 -all', {}, { provider: google })).toMatchObject({
    outcome: 'failed',
    finding: 'spfNotCovered',
    record: { value: 'v=spf1 ip4:192.0.2.7 include:_spf.google.com -all' },
  })
  const host = { 'mail.maaslicht.example': { A: ['192.0.2.25'] } }
  expect(await spfOf('v=spf1 ip4:192.0.2.25 -all', host)).toMatchObject({ outcome: 'ok', finding: 'spfCovers' })
  expect(await spfOf('v=spf1 ip4:192.0.2.7 -all', host)).toMatchObject({
    outcome: 'warning',
    finding: 'spfNotSeen',
    record: { value: 'v=spf1 ip4:192.0.2.7 a:mail.maaslicht.example -all' },
  })
})

test('SPF: ten look-ups are allowed, the eleventh is one too many', async () => {
  const includes = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`s${at}.example`, { TXT: [`v=spf1 ip4:203.0.113.${at} -all`] }]),
    )
  const record = (count: number) =>
    `v=spf1 ${Object.keys(includes(count))
      .map((name) => `include:${name}`)
      .join(' ')} ip4:192.0.2.25 -all`
  const host = { 'mail.maaslicht.example': { A: ['192.0.2.25'] } }
  expect(await spfOf(record(10), { ...includes(10), ...host })).toMatchObject({ finding: 'spfCovers', lookups: 10 })
  expect(await spfOf(record(11), { ...includes(11), ...host })).toMatchObject({ finding: 'spfTooMany', lookups: 11 })
})

test('DKIM: the selectors that are named or known', async () => {
  const records = { [`b._domainkey.${domain}`]: { TXT: [`v=DKIM1; k=rsa; p=${key}`] } }
  expect(await checked('dkim', records, { selectors: ['a', 'b'] })).toMatchObject({
    outcome: 'ok',
    finding: 'dkimFound',
  })
  expect(await checked('dkim', {}, { selectors: ['a'] })).toMatchObject({
    outcome: 'failed',
    finding: 'dkimMissing',
    record: { name: `a._domainkey.${domain}`, type: 'TXT', value: '' },
  })
  const withdrawn = { [`a._domainkey.${domain}`]: { TXT: ['v=DKIM1; p='] } }
  expect(await checked('dkim', withdrawn, { selectors: ['a'] })).toMatchObject({ finding: 'dkimBroken' })
})

test('DMARC and its policy, also that of the domain above; MX, and the one that refuses', async () => {
  const dmarc = (text: string) => ({ [`_dmarc.${domain}`]: { TXT: [text] } })
  expect(await checked('dmarc', {})).toMatchObject({
    finding: 'dmarcMissing',
    record: { name: `_dmarc.${domain}`, value: `v=DMARC1; p=none; rua=mailto:website@${domain}` },
  })
  expect(await checked('dmarc', dmarc('v=DMARC1; p=none'))).toMatchObject({ outcome: 'warning', finding: 'dmarcNone' })
  expect(await checked('dmarc', dmarc('v=DMARC1; p=reject'), { domain: `post.${domain}` })).toMatchObject({
    outcome: 'ok',
  })
  expect(await checked('mx', { [domain]: {} }, { provider: google })).toMatchObject({
    finding: 'mxMissing',
    record: { type: 'MX', value: '1 smtp.google.com' },
  })
  expect(await checked('mx', { [domain]: { MX: ['10 mail.example'] } })).toMatchObject({ found: ['10 mail.example'] })
  expect(await checked('mx', { [domain]: { MX: ['0 '] } })).toMatchObject({ finding: 'mxRefuses', found: ['0 .'] })
})

test('a DNS that answers nothing gives "could not tell", within a limit', async () => {
  const dns = await aDnsServer({})
  dns.fallSilent()
  const names = ['spf', 'dkim', 'dmarc', 'mx'] as const
  const found = await Promise.all(
    names.map((name) => runSenderCheck(name, { ...at, selectors: ['a'] }, createResolve(dns.address), 1_000)),
  )
  expect(found.map(({ outcome, finding }) => [outcome, finding])).toEqual(names.map(() => ['unknown', 'unknown']))
})
