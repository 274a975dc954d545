import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { simpleParser } from 'mailparser'
import { describe, expect, test } from 'vitest'
import { parseConfiguration } from '../../src/domain/configuration/configuration.ts'
import { renderEmail } from '../../src/domain/email-templates.ts'
import { type MessageEmail, messageTemplate } from '../../src/domain/messages/message-email.ts'
import { createTransport, type OutgoingEmail, type Transport } from '../../src/platform/mail/transport.ts'
import { closeAfterTest } from '../support/close-after-test.ts'
import { aTempFolder } from '../support/databases.ts'
import { aMailbox } from '../support/mailbox.ts'
import { aMessageOf, type PersonName } from '../support/people.ts'
import { aHangingSmtpServer, smtpStates } from '../support/smtp-server.ts'
import { patienceMs } from '../support/wait-until.ts'

const site = parseConfiguration(readFileSync('site.config.json', 'utf8'), 'site.config.json')
const [first, second] = site.contact.recipients as [string, string]

async function anEmail(
  name: PersonName,
  more: Partial<OutgoingEmail> = {},
  locale: 'nl' | 'fa' = 'nl',
): Promise<OutgoingEmail> {
  const data: MessageEmail = { id: 41, message: aMessageOf(name), receivedAt: '2026-03-02T09:30:00.000Z' }
  return {
    ...(await renderEmail(site, locale, messageTemplate, data)),
    id: 7,
    messageId: '<0c9b9f1e-1111-4222-8333-abcdefabcdef@maaslicht.example>',
    recipient: first,
    date: new Date('2026-03-02T09:30:00.000Z'),
    signal: AbortSignal.timeout(patienceMs),
    ...more,
  }
}

/** Sends by SMTP or to a file. @returns the raw message */
const ways = {
  async smtp() {
    const mailbox = await aMailbox()
    return {
      transport: aTransport({ smtpUrl: mailbox.url }),
      arrived: async () => mailbox.emails.map(({ raw }) => raw),
    }
  },
  async files() {
    const dataDir = aTempFolder()
    const folder = join(dataDir, 'mail')
    return {
      transport: aTransport({ dataDir }),
      arrived: async () => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8')),
    }
  },
}

function aTransport(settings: { smtpUrl?: string; dataDir?: string }): Transport {
  const transport = createTransport({ dataDir: 'unused', ...settings })
  closeAfterTest(() => transport.close())
  return transport
}

describe.each(['smtp', 'files'] as const)('an email sent by %s', (way) => {
  const sent = async (email: OutgoingEmail) => {
    const { transport, arrived } = await ways[way]()
    await transport.send(email)
    const [raw] = await arrived()
    return { raw: raw as string, mail: await simpleParser(raw as string) }
  }

  test('has both recipients, the sender of the configuration, and the visitor as Reply-To', async () => {
    const { mail } = await sent(await anEmail('sanne'))
    expect(mail.subject).toBe('Nieuw contactbericht via Maaslicht')
    expect([mail.to].flat().flatMap((to) => to?.value.map((one) => one.address))).toEqual([first, second])
    expect(mail.from?.value).toEqual([{ name: 'Maaslicht', address: site.sender.email }])
    expect(mail.replyTo?.value).toEqual([{ name: "Sanne d'Hondt-Gübbels", address: 'sanne@bakkerij-hondt.example' }])
    expect(mail.messageId).toBe('<0c9b9f1e-1111-4222-8333-abcdefabcdef@maaslicht.example>')
    expect(mail.date).toEqual(new Date('2026-03-02T09:30:00.000Z'))
  })

  test('has the whole text in both parts, with the line breaks of the visitor', async () => {
    const { mail } = await sent(await anEmail('roya'))
    for (const text of ['Roya Karimi', 'roya@karimi.example', '043 325 1234', '41', 'maandag 2 maart 2026 om 10:30']) {
      expect(mail.text).toContain(text)
      expect(mail.html).toContain(text)
    }
    expect(mail.text).toContain('\n    Ik wil een website voor mijn atelier.\n    Kunt u mij bellen?\n')
    expect(mail.html).toMatch(/atelier\.<br\s*\/?>Kunt u/)
    expect(mail.html).toContain('href="mailto:roya@karimi.example"')
    expect(mail.html).toContain('href="tel:0433251234"')
    expect(mail.text).toContain('KvK')
  })

  test('keeps Persian text unchanged, right to left', async () => {
    const { mail } = await sent(await anEmail('parisa', {}, 'fa'))
    expect(mail.replyTo?.value).toEqual([{ name: 'پریسا احمدی', address: 'parisa@ahmadi.example' }])
    expect(mail.text).toContain('\n    سلام، می‌خواهم برای فروشگاهم یک وب‌سایت بسازم.\n    لطفاً با من تماس بگیرید.\n')
    expect(mail.text).toContain('دوشنبه ۱۱ اسفند ۱۴۰۴، ساعت ۱۰:۳۰')
    expect(mail.html).toMatch(/<html[^>]*dir="rtl"[^>]*lang="fa"|<html[^>]*lang="fa"[^>]*dir="rtl"/)
  })

  test('is plain ASCII with lines of at most 998 characters', async () => {
    const { raw } = await sent(await anEmail('parisa', {}, 'fa'))
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the test is about control characters
    expect(raw).toMatch(/^[\x00-\x7f]*$/)
    expect(Math.max(...raw.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(998)
  })

  test.each([
    ['a name with a header', { name: 'Eve\r\nBcc: eve@evil.example', address: 'eve@visitor.example' }],
    ['a name that closes the quotes', { name: 'Eve" <eve@evil.example>, "x', address: 'eve@visitor.example' }],
    [
      'a name with an encoded header',
      { name: '=?utf-8?Q?Eve=0D=0ABcc:_eve@evil.example?=', address: 'eve@visitor.example' },
    ],
    ['an address with a header', { name: 'Eve', address: 'eve@visitor.example\r\nBcc: eve@evil.example' }],
    ['an address that is two', { name: 'Eve', address: 'eve@visitor.example, eve@evil.example' }],
  ])('%s stays inside Reply-To, and the email goes nowhere else', async (_, replyTo) => {
    const { mail } = await sent(await anEmail('roya', { replyTo }))
    expect([...mail.headers.keys()]).not.toContain('bcc')
    expect([...mail.headers.keys()]).not.toContain('cc')
    expect([mail.to].flat().flatMap((to) => to?.value.map((one) => one.address))).toEqual([first, second])
    expect(mail.replyTo?.value.map((one) => one.address)).not.toContain('eve@evil.example')
  })
})

test('markup and bidi control characters in a message are shown as text', async () => {
  const data: MessageEmail = {
    id: 1,
    message: aMessageOf('daan', {
      naam: '<b>Daan</b>',
      bericht: '<script>alert(1)</script>\n<img src=https://evil.example/x.png>',
    }),
    receivedAt: '2026-03-02T09:30:00.000Z',
  }
  const { html } = await renderEmail(site, 'nl', messageTemplate, data)
  expect(html).not.toMatch(/<script|<img|<b>Daan/)
  expect(html).toMatch(/<bdi dir="auto"[^>]*>&lt;b&gt;Daan/)
  expect(html).toMatch(/<div[^>]*dir="auto"[^>]*unicode-bidi:plaintext/)
})

test.each([
  ['nl', 'E-mail'],
  ['fa', 'ایمیل'],
] as const)('no line of what a visitor wrote looks like a row of the plain text, in %s', async (locale, label) => {
  const forged = `${label}: bank@evil.example`
  const lines = ['\n', '\n\n', '\u0085', '\u2028', '\u2029'].map((end) => `Dag!${end}${forged}`)
  const data: MessageEmail = {
    id: 1,
    message: aMessageOf('daan', { naam: `Daan\n${forged}`, bericht: [forged, ...lines].join('\n') }),
    receivedAt: '2026-03-02T09:30:00.000Z',
  }
  const { text } = await renderEmail(site, locale, messageTemplate, data)
  const found = text.split(/[\n\u0085\u2028\u2029]/).filter((line) => line.includes(`${label}: `))
  expect(found.filter((line) => line.startsWith(label))).toEqual([expect.not.stringContaining('evil')])
  expect(found.filter((line) => line === `    ${forged}`)).toHaveLength(lines.length + 2)
})

test('an email goes only to its own envelope recipient, whatever its headers say', async () => {
  const mailbox = await aMailbox()
  await aTransport({ smtpUrl: mailbox.url }).send(await anEmail('roya', { recipient: second }))
  expect(mailbox.emails.map(({ to, from }) => ({ to, from }))).toEqual([{ to: [second], from: site.sender.email }])
})

test('without a mail server an email is one complete file, which a second try overwrites', async () => {
  const dataDir = aTempFolder()
  const transport = aTransport({ dataDir })
  const email = await anEmail('roya')
  await transport.send(email)
  await transport.send(email)
  const names = readdirSync(join(dataDir, 'mail'))
  expect(names).toEqual(['7-0c9b9f1e-1111-4222-8333-abcdefabcdef@maaslicht.example.eml'])
  expect(statSync(join(dataDir, 'mail', names[0] as string)).mode & 0o077).toBe(0)
})

test.each([
  [451, 'try later'],
  [550, 'no such user'],
])('a response of %i is an error with the text of the server', async (code, message) => {
  const mailbox = await aMailbox()
  mailbox.rejectWith({ code, message, recipients: [first] })
  await expect(aTransport({ smtpUrl: mailbox.url }).send(await anEmail('roya'))).rejects.toThrow(`${code} ${message}`)
})

test('a server that is down causes an error, and sending works when it is back', async () => {
  const mailbox = await aMailbox()
  const transport = aTransport({ smtpUrl: mailbox.url })
  await mailbox.stop()
  await expect(transport.send(await anEmail('roya'))).rejects.toThrow('ECONNREFUSED')
  await mailbox.start()
  await transport.send(await anEmail('roya'))
  expect(mailbox.emails).toHaveLength(1)
})

test('a server that hangs, in whichever state, causes a timeout', async () => {
  const outcomes = await Promise.allSettled(
    smtpStates.map(async (state) => {
      const { host, port } = await aHangingSmtpServer(state)
      const email = await anEmail('roya', { signal: AbortSignal.timeout(1_000) })
      await aTransport({ smtpUrl: `smtp://website:geheim-123@${host}:${port}?ignoreTLS=true` }).send(email)
    }),
  )
  for (const outcome of outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason: { message: /abort/i } })
})

test('the failure reason never contains the password of the mail server', async () => {
  const mailbox = await aMailbox()
  mailbox.rejectWith({ code: 535, message: 'wrong: hu!zen by kantoor', recipients: [first] })
  const url = mailbox.url.replace('//', '//kantoor:hu!zen@')
  const sending = aTransport({ smtpUrl: url }).send(await anEmail('roya'))
  await expect(sending).rejects.toThrow('535 wrong: [hidden] by kantoor')
})
