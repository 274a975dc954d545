import { generateKeyPairSync } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { DnsCheck, SenderChecks } from '../../src/contract/mail-checks.ts'
import { mailProviderOf } from '../../src/contract/mail-providers.ts'
import { runDnsCheck, type Sender } from '../../src/domain/mail/check-sender.ts'
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
async function checked(name: DnsCheck['name'], records: DnsRecords, different: Partial<Sender> = {}) {
  const { address } = await aDnsServer(records)
  return runDnsCheck(name, { ...at, ...different }, createResolve(address), 60_000)
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

test('the mail provider is the chosen one, whatever its server, or else the one that the server belongs to', () => {
  const ses = { provider: 'ses', host: 'email-smtp.eu-central-1.amazonaws.com' }
  expect(mailProviderOf(ses)?.id).toBe('ses')
  expect(mailProviderOf({ ...ses, host: 'smtp.gmail.com' })?.id).toBe('ses')
  expect(mailProviderOf({ provider: 'other', host: 'SMTP.gmail.com' })?.id).toBe('google')
  expect(mailProviderOf({ provider: 'other', host: 'mail.maaslicht.example' })).toBeUndefined()
})

test('SPF: no record, several records, a mistake, or a record that allows everybody', async () => {
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

test('SPF: a mail server by its address is proposed as an address', async () => {
  const none = { [domain]: { TXT: ['iets anders'] } }
  for (const [host, source] of [
    ['203.0.113.5', 'ip4:203.0.113.5'],
    ['[2001:db8::5]', 'ip6:2001:db8::5'],
    ['2001:db8::5', 'ip6:2001:db8::5'],
  ] as const) {
    expect(await checked('spf', none, { host })).toMatchObject({ record: { value: `v=spf1 ${source} ~all` } })
    expect(await spfOf('v=spf1 ip4:192.0.2.7 -all', {}, { host })).toMatchObject({
      finding: 'spfNotSeen',
      record: { value: `v=spf1 ip4:192.0.2.7 ${source} -all` },
    })
  }
})

test('SPF: a redirect of several records becomes an include, because `all` cancels a redirect', async () => {
  expect(
    await checked('spf', { [domain]: { TXT: ['v=spf1 mx -all', 'v=spf1 redirect=_spf.maaslicht.example'] } }),
  ).toMatchObject({ finding: 'spfSeveral', record: { value: 'v=spf1 mx include:_spf.maaslicht.example ~all' } })
})

test('SPF: two look-ups without an answer are allowed, a third breaks the record', async () => {
  const host = { 'mail.maaslicht.example': { A: ['192.0.2.25'] } }
  const record = (...gone: string[]) =>
    `v=spf1 ${gone.map((name) => `a:${name}.example`).join(' ')} ip4:192.0.2.25 -all`
  expect(await spfOf(record('een', 'twee'), host)).toMatchObject({ finding: 'spfCovers' })
  expect(await spfOf(record('een', 'twee', 'drie'), host)).toMatchObject({ outcome: 'failed', finding: 'spfBroken' })
})

test('SPF: a record that allows everybody by an address or another record gets no proposal, because `~all` would not help', async () => {
  for (const record of [
    'v=spf1 ip4:0.0.0.0/0 ~all',
    'v=spf1 include:open.example ~all',
    'v=spf1 redirect=open.example',
  ]) {
    const found = await spfOf(record, { 'open.example': { TXT: ['v=spf1 +all'] } })
    expect(found).toMatchObject({ outcome: 'warning', finding: 'spfAnybody' })
    expect(found.record).toBeUndefined()
  }
})

test('DMARC: when there are several records, none counts', async () => {
  const records = ['v=DMARC1; p=none', 'v=DMARC1; p=reject']
  expect(await checked('dmarc', { [`_dmarc.${domain}`]: { TXT: ['iets anders', ...records] } })).toEqual({
    name: 'dmarc',
    outcome: 'failed',
    finding: 'dmarcSeveral',
    found: records,
  })
})

test('DKIM: looks up the selectors that are configured, and reports a key that is missing or withdrawn', async () => {
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

test('DMARC and its policy, also of the parent domain; MX, also one that refuses mail', async () => {
  const dmarc = (text: string) => ({ [`_dmarc.${domain}`]: { TXT: [text] } })
  expect(await checked('dmarc', {})).toMatchObject({
    finding: 'dmarcMissing',
    record: { name: `_dmarc.${domain}`, value: `v=DMARC1; p=none; rua=mailto:website@${domain}` },
  })
  expect(await checked('dmarc', dmarc('v=DMARC1; p=none'))).toMatchObject({ outcome: 'warning', finding: 'dmarcNone' })
  expect(await checked('dmarc', dmarc('v=DMARC1; p=reject'), { domain: `post.${domain}` })).toMatchObject({
    outcome: 'ok',
  })
  const below = { domain: `post.${domain}` }
  expect(await checked('dmarc', dmarc('v=DMARC1; p=reject; sp=none'), below)).toMatchObject({ finding: 'dmarcNone' })
  expect(await checked('dmarc', dmarc('v=DMARC1; p=none; sp=reject'), below)).toMatchObject({ outcome: 'ok' })
  expect(await checked('mx', { [domain]: {} }, { provider: google })).toMatchObject({
    finding: 'mxMissing',
    record: { type: 'MX', value: '1 smtp.google.com' },
  })
  expect(await checked('mx', { [domain]: { MX: ['10 mail.example'] } })).toMatchObject({ found: ['10 mail.example'] })
  expect(await checked('mx', { [domain]: { MX: ['0 '] } })).toMatchObject({ finding: 'mxRefuses', found: ['0 .'] })
})

test('a DNS server that does not answer gives "could not tell", within a time limit', async () => {
  const dns = await aDnsServer({})
  dns.fallSilent()
  const names = ['spf', 'dkim', 'dmarc', 'mx'] as const
  const found = await Promise.all(
    names.map((name) => runDnsCheck(name, { ...at, selectors: ['a'] }, createResolve(dns.address), 1_000)),
  )
  expect(found.map(({ outcome, finding }) => [outcome, finding])).toEqual(names.map(() => ['unknown', 'unknown']))
})

test('after its time limit a check sends no more DNS queries', async () => {
  // Loaded before, so that the first question is asked at once.
  await import('mailauth/lib/tools.js')
  const asked: string[] = []
  const answered = Promise.withResolvers<never>()
  answered.promise.catch(() => {})
  const resolve = (name: string) => {
    asked.push(name)
    return answered.promise
  }
  const found = await runDnsCheck('dkim', { ...at, selectors: ['a', 'b'] }, resolve, 100)
  expect(found).toMatchObject({ outcome: 'unknown' })
  answered.reject(Object.assign(new Error('none'), { code: 'ENOTFOUND' }))
  await setImmediate()
  expect(asked).toEqual(['a._domainkey.maaslicht.example'])
})
