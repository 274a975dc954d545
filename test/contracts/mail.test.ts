import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { simpleParser } from 'mailparser'
import { describe, expect, test } from 'vitest'
import { readConfiguration } from '../../src/domain/configuration/configuration.ts'
import { renderLetter } from '../../src/domain/letters.ts'
import { type MessageLetter, messageTemplate } from '../../src/domain/messages/message-letter.ts'
import { createTransport, type Sending, type Transport } from '../../src/platform/mail/transport.ts'
import { closeAtEnd } from '../support/closing.ts'
import { aFolder } from '../support/databases.ts'
import { aMailbox } from '../support/mailbox.ts'
import { aMessageOf, type PersonName } from '../support/people.ts'

const site = readConfiguration(readFileSync('site.config.json', 'utf8'), 'site.config.json')
const [first, second] = site.contact.recipients as [string, string]

async function aLetter(name: PersonName, more: Partial<Sending> = {}, locale: 'nl' | 'fa' = 'nl'): Promise<Sending> {
  const data: MessageLetter = { id: 41, message: aMessageOf(name), receivedAt: '2026-03-02T09:30:00.000Z' }
  return {
    ...(await renderLetter(site, locale, messageTemplate, data)),
    id: 7,
    messageId: '<0c9b9f1e-1111-4222-8333-abcdefabcdef@maaslicht.example>',
    recipient: first,
    date: new Date('2026-03-02T09:30:00.000Z'),
    signal: AbortSignal.timeout(10_000),
    ...more,
  }
}

/** Sends by one of the two ways. @returns what came out at the other end, as it was on the wire */
const ways = {
  async smtp() {
    const mailbox = await aMailbox()
    return {
      transport: aTransport({ smtpUrl: mailbox.url }),
      arrived: async () => mailbox.letters.map(({ raw }) => raw),
    }
  },
  async files() {
    const dataDir = aFolder()
    const folder = join(dataDir, 'mail')
    return {
      transport: aTransport({ dataDir }),
      arrived: async () => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8')),
    }
  },
}

function aTransport(settings: { smtpUrl?: string; dataDir?: string }): Transport {
  const transport = createTransport({ dataDir: 'unused', ...settings })
  closeAtEnd(() => transport.close())
  return transport
}

describe.each(['smtp', 'files'] as const)('a letter sent by %s', (way) => {
  const sent = async (letter: Sending) => {
    const { transport, arrived } = await ways[way]()
    await transport.send(letter)
    const [raw] = await arrived()
    return { raw: raw as string, mail: await simpleParser(raw as string) }
  }

  test('names both recipients, comes from the sender of the configuration, and is answered to the visitor', async () => {
    const { mail } = await sent(await aLetter('sanne'))
    expect(mail.subject).toBe('Nieuw contactbericht via Maaslicht')
    expect([mail.to].flat().flatMap((to) => to?.value.map((one) => one.address))).toEqual([first, second])
    expect(mail.from?.value).toEqual([{ name: 'Maaslicht', address: site.sender.email }])
    expect(mail.replyTo?.value).toEqual([{ name: "Sanne d'Hondt-Gübbels", address: 'sanne@bakkerij-hondt.example' }])
    expect(mail.messageId).toBe('<0c9b9f1e-1111-4222-8333-abcdefabcdef@maaslicht.example>')
    expect(mail.date).toEqual(new Date('2026-03-02T09:30:00.000Z'))
  })

  test('says everything in both parts, with the line ends that were typed', async () => {
    const { mail } = await sent(await aLetter('roya'))
    for (const said of ['Roya Karimi', 'roya@karimi.example', '043 325 1234', '41', 'maandag 2 maart 2026 om 10:30']) {
      expect(mail.text).toContain(said)
      expect(mail.html).toContain(said)
    }
    expect(mail.text).toContain('Ik wil een website voor mijn atelier.\nKunt u mij bellen?')
    expect(mail.html).toMatch(/atelier\.<br\s*\/?>Kunt u/)
    expect(mail.html).toContain('href="mailto:roya@karimi.example"')
    expect(mail.html).toContain('href="tel:0433251234"')
    expect(mail.text).toContain('KvK')
  })

  test('keeps Persian as it was written, right to left', async () => {
    const { mail } = await sent(await aLetter('parisa', {}, 'fa'))
    expect(mail.replyTo?.value).toEqual([{ name: 'پریسا احمدی', address: 'parisa@ahmadi.example' }])
    expect(mail.text).toContain('سلام، می‌خواهم برای فروشگاهم یک وب‌سایت بسازم.\nلطفاً با من تماس بگیرید.')
    expect(mail.text).toContain('دوشنبه ۱۱ اسفند ۱۴۰۴، ساعت ۱۰:۳۰')
    expect(mail.html).toMatch(/<html[^>]*dir="rtl"[^>]*lang="fa"|<html[^>]*lang="fa"[^>]*dir="rtl"/)
  })

  test('is plain ASCII on the wire, no line longer than mail allows', async () => {
    const { raw } = await sent(await aLetter('parisa', {}, 'fa'))
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the point is which bytes go out
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
  ])('%s stays inside Reply-To, and the letter goes nowhere else', async (_, replyTo) => {
    const { mail } = await sent(await aLetter('roya', { replyTo }))
    expect([...mail.headers.keys()]).not.toContain('bcc')
    expect([...mail.headers.keys()]).not.toContain('cc')
    expect([mail.to].flat().flatMap((to) => to?.value.map((one) => one.address))).toEqual([first, second])
    expect(mail.replyTo?.value.map((one) => one.address)).not.toContain('eve@evil.example')
  })

  test('markup and direction tricks in a message are shown as text', async () => {
    const data: MessageLetter = {
      id: 1,
      message: aMessageOf('daan', {
        naam: '<b>Daan</b>',
        bericht: '<script>alert(1)</script>\n<img src=https://evil.example/x.png>',
      }),
      receivedAt: '2026-03-02T09:30:00.000Z',
    }
    const { html } = await renderLetter(site, 'nl', messageTemplate, data)
    expect(html).not.toMatch(/<script|<img|<b>Daan/)
    expect(html).toMatch(/<bdi dir="auto"[^>]*>&lt;b&gt;Daan/)
    expect(html).toMatch(/<div[^>]*dir="auto"[^>]*unicode-bidi:plaintext/)
  })
})

test('a letter goes to the one recipient that it is for, whoever its header names', async () => {
  const mailbox = await aMailbox()
  await aTransport({ smtpUrl: mailbox.url }).send(await aLetter('roya', { recipient: second }))
  expect(mailbox.letters.map(({ to, from }) => ({ to, from }))).toEqual([{ to: [second], from: site.sender.email }])
})

test('without a mail server a letter is one whole file, which a second try overwrites', async () => {
  const dataDir = aFolder()
  const transport = aTransport({ dataDir })
  const letter = await aLetter('roya')
  await transport.send(letter)
  await transport.send(letter)
  const names = readdirSync(join(dataDir, 'mail'))
  expect(names).toEqual(['7-0c9b9f1e-1111-4222-8333-abcdefabcdef@maaslicht.example.eml'])
  expect(statSync(join(dataDir, 'mail', names[0] as string)).mode & 0o077).toBe(0)
})

test.each([
  [451, 'try later'],
  [550, 'no such user'],
])('an answer of %i is an error with the server’s words', async (code, message) => {
  const mailbox = await aMailbox()
  mailbox.refuse({ code, message, recipients: [first] })
  await expect(aTransport({ smtpUrl: mailbox.url }).send(await aLetter('roya'))).rejects.toThrow(`${code} ${message}`)
})

test('a server that is off is an error, and its return is noticed', async () => {
  const mailbox = await aMailbox()
  const transport = aTransport({ smtpUrl: mailbox.url })
  await mailbox.stop()
  await expect(transport.send(await aLetter('roya'))).rejects.toThrow('ECONNREFUSED')
  await mailbox.start()
  await transport.send(await aLetter('roya'))
  expect(mailbox.letters).toHaveLength(1)
})

test('a server that says nothing is left when the try has taken too long', async () => {
  const silent = createServer()
  const sockets = new Set<Socket>()
  silent.on('connection', (socket) => sockets.add(socket))
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  closeAtEnd(() => {
    for (const socket of sockets) socket.destroy()
    silent.close()
  })
  const { port } = silent.address() as { port: number }
  const letter = await aLetter('roya', { signal: AbortSignal.timeout(100) })
  await expect(aTransport({ smtpUrl: `smtp://127.0.0.1:${port}` }).send(letter)).rejects.toThrow(/abort/i)
})

test('the reason of a failure never holds the password of the mail server', async () => {
  const mailbox = await aMailbox()
  mailbox.refuse({ code: 535, message: 'wrong: hu!zen by kantoor', recipients: [first] })
  const url = mailbox.url.replace('//', '//kantoor:hu!zen@')
  const sending = aTransport({ smtpUrl: url }).send(await aLetter('roya'))
  await expect(sending).rejects.toThrow('535 wrong: [hidden] by kantoor')
})
