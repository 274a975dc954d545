import { describe, expect, test } from 'vitest'
import type { MailServer, MailTest } from '../../src/contract/mail-server.ts'
import { testSmtp } from '../../src/platform/mail/check-smtp.ts'
import { databases } from '../support/databases.ts'
import { aMailbox } from '../support/mailbox.ts'
import { sendMessage } from '../support/messages.ts'
import { aRole } from '../support/roles.ts'
import { aHangingSmtpServer, aSmtpServer, smtpStates } from '../support/smtp-server.ts'
import { as, aUser, withSession } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'
import { waitUntil } from '../support/wait-until.ts'

type Server = Awaited<ReturnType<typeof aSmtpServer>>

const settingsOf = ({ host, port, user }: Pick<Server, 'host' | 'port' | 'user'>) => ({
  provider: 'other',
  host,
  port,
  security: 'none',
  user,
  selectors: '',
})
const problemsOf = async (response: Response) => {
  const { code, errors } = await response.json()
  return [response.status, code, ...errors.map(({ path, message }: Record<string, string>) => `${path}: ${message}`)]
}

describe.each(databases)('the mail server that staff set, on %s,', (database) => {
  test('is tried before it is stored, used at once by every instance, and its password never shown', async () => {
    const server = await aSmtpServer()
    const site = await aTestApp({ database, startJobs: false })
    const other = await aTestApp({ beside: site })
    const bente = await as(site, 'beheerder')
    const smtp = settingsOf(server)
    const show = async (of: TestApp) => (await as(of, 'beheerder')).get('/api/mail-server')

    expect(await (await show(site)).json()).toMatchObject({ version: 0, smtp: null, inUse: 'files' })
    const wrong = await bente.put('/api/mail-server', { version: 0, smtp: { ...smtp, password: 'helemaal-fout' } })
    expect(await problemsOf(wrong)).toEqual([
      422,
      'invalid',
      expect.stringMatching(/^smtp\.password: De server accepteert de gebruikersnaam of het wachtwoord niet\./),
    ])
    expect(await (await show(site)).json()).toMatchObject({ version: 0, smtp: null, inUse: 'files' })

    const password = server.password
    const saved = await bente.put('/api/mail-server', { version: 0, smtp: { ...smtp, password } })
    expect(await saved.json()).toMatchObject({ version: 1, smtp, hasPassword: true, inUse: 'settings' })
    // Within the second that the copy asks for changes.
    await waitUntil(
      async () => (await (await show(other)).json()).inUse === 'settings',
      'mail server of the other instance',
    )
    await sendMessage(other, 'roya')
    await waitUntil(() => server.emails.length > 0, 'email by the new server')

    const seen = [
      await (await show(site)).text(),
      JSON.stringify(await site.db.selectFrom('mail_setting').selectAll().execute()),
      JSON.stringify(await site.db.selectFrom('audit').selectAll().execute()),
      await (await bente.get('/api/config/export')).text(),
      JSON.stringify([...site.lines, ...other.lines]),
    ]
    expect(seen.filter((text) => text.includes(password))).toEqual([])
    expect(seen[2]).toContain('mail_server.changed')
  })

  test('keeps its password for the same server only, refuses an outdated change, and can be removed', async () => {
    const [server, another] = [await aSmtpServer(), await aSmtpServer()]
    const site = await aTestApp({ database, startJobs: false })
    const bente = await as(site, 'beheerder')
    const put = (version: number, smtp: object | null) => bente.put('/api/mail-server', { version, smtp })
    const smtp = settingsOf(server)
    expect((await put(0, { ...smtp, password: server.password })).status).toBe(200)

    expect((await put(1, { ...smtp, selectors: 'mail' })).status).toBe(200)
    const elsewhere = await put(2, settingsOf(another))
    expect(await problemsOf(elsewhere)).toEqual([
      422,
      'invalid',
      expect.stringMatching(/^smtp\.password: Vul het wachtwoord opnieuw in/),
    ])
    const stale = await put(1, { ...smtp, password: server.password })
    expect([stale.status, (await stale.json()).current]).toMatchObject([
      409,
      { version: 2, smtp: { selectors: 'mail' } },
    ])
    expect(await (await put(2, null)).json()).toMatchObject({
      version: 3,
      smtp: null,
      hasPassword: false,
      inUse: 'files',
    })
  })
})

test('only a user with every right may change it, because every link to set a password passes through it', async () => {
  const server = await aSmtpServer()
  const site = await aTestApp({ startJobs: false })
  const roleId = await aRole(site, 'instellingen', ['config.write'])
  const rik = await withSession(site, await aUser(site, { name: 'Rik', email: 'rik@example.nl', roleId }))
  const change = { version: 0, smtp: { ...settingsOf(server), password: server.password } }

  const shown: MailServer = await (await rik.get('/api/mail-server')).json()
  expect(shown.can).toEqual({ change: false })
  expect((await rik.put('/api/mail-server', change)).status).toBe(403)

  const bente = await as(site, 'beheerder')
  await site.db.updateTable('session').set({ confirmed_at: '2020-01-01T00:00:00.000Z' }).execute()
  const late = await bente.put('/api/mail-server', change)
  expect([late.status, (await late.json()).code]).toEqual([403, 'password_needed'])
})

test('SMTP_URL overrides it, and the screen shows that', async () => {
  const [mailbox, server] = [await aMailbox(), await aSmtpServer()]
  const site = await aTestApp({ settings: { smtpUrl: mailbox.url } })
  const bente = await as(site, 'beheerder')
  const change = { version: 0, smtp: { ...settingsOf(server), password: server.password } }
  const saved: MailServer = await (await bente.put('/api/mail-server', change)).json()
  expect(saved).toMatchObject({
    inUse: 'environment',
    environment: { host: mailbox.host, port: mailbox.port },
    smtp: { port: server.port },
  })

  await sendMessage(site, 'roya')
  await mailbox.received(1)
  expect(server.emails).toEqual([])
})

describe('a test email', () => {
  const tried = async (server: Server): Promise<MailTest> => {
    const site = await aTestApp({ startJobs: false })
    const bente = await as(site, 'beheerder')
    const change = { version: 0, smtp: { ...settingsOf(server), password: server.password } }
    expect((await bente.put('/api/mail-server', change)).status).toBe(200)
    const answer = await bente.post('/api/mail-server/test')
    expect(answer.status).toBe(200)
    return answer.json()
  }
  const outcomesOf = ({ steps }: MailTest) => steps.map(({ step, outcome }) => `${step} ${outcome}`)

  test('goes to oneself and shows each step', async () => {
    const server = await aSmtpServer()
    const shown = await tried(server)
    expect(shown).toMatchObject({ recipient: 'bente@example.nl', sent: true })
    expect(outcomesOf(shown)).toEqual([
      'resolve ok',
      'connect ok',
      'greeting ok',
      'encrypt skipped',
      'signIn ok',
      'sender ok',
      'recipient ok',
      'content ok',
    ])
    expect(server.emails).toEqual([expect.stringMatching(/^To: .*<bente@example\.nl>/m)])
  })

  test('says which step failed, what the server answered and what to do', async () => {
    const shown = await tried(await aSmtpServer({ refuse: { recipient: 'no relaying' } }))
    expect(shown.sent).toBe(false)
    expect(outcomesOf(shown).slice(4)).toEqual(['signIn ok', 'sender ok', 'recipient failed', 'content notReached'])
    expect(shown.steps.find(({ outcome }) => outcome === 'failed')).toEqual({
      step: 'recipient',
      outcome: 'failed',
      problem: 'mailRecipient',
      advice: expect.stringMatching(/^De server weigert deze ontvanger/),
      answer: expect.stringContaining('550 no relaying'),
    })
    const sender = await tried(await aSmtpServer({ refuse: { sender: 'not yours' } }))
    expect(sender.steps.find(({ outcome }) => outcome === 'failed')).toMatchObject({ step: 'sender' })
  })
})

describe('a try of a mail server', () => {
  const message = { from: 'website@maaslicht.example', to: 'bente@example.nl', raw: Buffer.from('Subject: x\r\n\r\nx') }
  const connection = { security: 'none', user: 'website', password: 'geheim-123' } as const

  test('ends within its limit wherever the server hangs, and names the state', async () => {
    const found = await Promise.all(
      smtpStates.map(async (state) => {
        const server = { ...connection, ...(await aHangingSmtpServer(state)) }
        const { failed } = await testSmtp(server, { message, stepMs: 20_000 })
        return [state, failed?.step, failed?.problem]
      }),
    )
    expect(found).toEqual([
      ['greeting', 'greeting', 'mailSilent'],
      ['EHLO', 'greeting', 'mailSilent'],
      ['AUTH', 'signIn', 'mailSilent'],
      ['MAIL', 'sender', 'mailSilent'],
      ['RCPT', 'recipient', 'mailSilent'],
      ['DATA', 'content', 'mailSilent'],
      ['content', 'content', 'mailSilent'],
    ])
  })

  test('says what is wrong with the name, the port, the encryption, the certificate and the sign-in', async () => {
    const plain = await aSmtpServer()
    const closed = await aMailbox()
    await closed.stop()
    const failed = async (server: object) => {
      const tried = await testSmtp(
        { ...connection, host: '127.0.0.1', port: plain.port, ...server },
        { stepMs: 20_000 },
      )
      return [tried.failed?.step, tried.failed?.problem]
    }
    expect(await failed({ host: 'bestaat-niet.invalid' })).toEqual(['resolve', 'mailHost'])
    expect(await failed({ port: closed.port })).toEqual(['connect', 'mailConnect'])
    expect(await failed({ security: 'starttls' })).toEqual(['encrypt', 'mailEncrypt'])
    expect(await failed({ security: 'tls' })).toEqual(['encrypt', 'mailEncrypt'])
    const { port } = await aSmtpServer({ security: 'starttls' })
    expect(await failed({ port, security: 'starttls' })).toEqual(['encrypt', 'mailCertificate'])
    const implicit = await aSmtpServer({ security: 'tls' })
    expect(await failed({ port: implicit.port, security: 'tls' })).toEqual(['encrypt', 'mailCertificate'])
    expect(await failed({ port: (await aMailbox()).port })).toEqual(['signIn', 'mailNoSignIn'])
  })

  test('does not repeat a password that the server answers with', async () => {
    const server = await aSmtpServer()
    const tried = await testSmtp({ ...connection, ...server, password: 'geheim-321' }, { stepMs: 20_000 })
    expect(tried.failed).toMatchObject({ step: 'signIn', answer: expect.stringContaining('unknown: [hidden]') })
  })
})
