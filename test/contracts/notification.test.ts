import { describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { signInWithRights } from '../support/roles.ts'
import { as, aUser, staff } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'
import { waitUntil } from '../support/wait-until.ts'

const noor = { name: 'Noor Jansen', email: 'noor@example.nl' }
const secret = 'wëlkom "123"'
const email = {
  brandingId: 1,
  templateId: 'newUser',
  to: noor.email,
  replyTo: 'info@maaslicht.example',
  name: noor.name,
  password: secret,
}

/** Waits until this many emails have arrived. */
const received = (site: TestApp, count: number) =>
  waitUntil(async () => {
    const emails = await site.writtenEmails()
    return emails.length >= count && emails
  }, `email number ${count}`)

const problemsOf = async (answer: Response) => [answer.status, (await answer.json()).errors]

describe.each(databases)('on %s', (database) => {
  test('spec 7 notification: a new user gets the email with the password, in their language and with the branding of brandingId', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    await bente.post('/api/users', { ...noor, password: secret })

    const answer = await bente.post('/api/notification/email', { ...email, brandingId: '1' })

    expect([answer.status, await answer.json()]).toEqual([200, { to: noor.email }])
    const [mail] = await received(site, 1)
    expect(mail?.subject).toBe('Uw account is klaar | Maaslicht')
    expect(mail?.to).toMatchObject({ text: '"Noor Jansen" <noor@example.nl>' })
    expect(mail?.from?.text).toContain('noreply@maaslicht.example')
    expect(mail?.replyTo?.text).toBe('info@maaslicht.example')
    expect(mail?.text).toContain(`Wachtwoord: ${secret}`)
    expect(mail?.text).toContain(`Inloggen met: ${noor.email}`)
    expect(mail?.text).toContain('/login')
    expect(mail?.html).toContain('wëlkom &quot;123&quot;')
    expect(mail?.html).not.toContain('<script')
    expect(mail?.html).toContain('href="https://maaslicht.example/disclaimer"')
    expect(mail?.text).toContain('https://maaslicht.example/privacy-verklaring')
  })

  test('the password is removed from the database once the email is sent, and is in no log or audit row', async () => {
    const site = await aTestApp({ database, settings: { metricsToken: 'alleen-voor-tests' } })
    const bente = await as(site, 'beheerder')
    await bente.post('/api/users', { ...noor, password: secret })

    await bente.post('/api/notification/email', email)
    await received(site, 1)
    const row = await waitUntil(async () => {
      const found = await site.db.selectFrom('outbox').selectAll().executeTakeFirst()
      return found?.state === 'file' && found
    }, 'the email to be settled')

    expect(row.secret).toBe('')
    const metrics = await site.request('/metrics', { headers: { Authorization: 'Bearer alleen-voor-tests' } })
    expect(metrics.status).toBe(200)
    const storedTexts = [
      JSON.stringify(row),
      JSON.stringify(await site.db.selectFrom('audit').selectAll().execute()),
      JSON.stringify(site.lines),
      await metrics.text(),
    ]
    for (const text of storedTexts) expect(text).not.toContain('lkom')
  })

  test('the notification call cannot be used as a mail relay: it only sends to users, with true facts, and replies to our own addresses', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    await bente.post('/api/users', { ...noor, password: secret })
    const send = (different: object) => bente.post('/api/notification/email', { ...email, ...different })

    expect(await problemsOf(await send({ to: 'vreemde@elders.example' }))).toEqual([
      422,
      [{ path: 'to', message: 'Deze gebruiker bestaat niet.' }],
    ])
    expect(await problemsOf(await send({ to: 'vreemde@elders.example', password: undefined }))).toMatchObject([
      422,
      [{ path: 'to' }],
    ])
    expect(await problemsOf(await send({ replyTo: 'evil@elders.example' }))).toMatchObject([422, [{ path: 'replyTo' }]])
    expect(await problemsOf(await send({ password: 'Klik op http://evil.example' }))).toEqual([
      422,
      [{ path: 'password', message: 'Dit wachtwoord is niet juist.' }],
    ])
    expect(await problemsOf(await send({ brandingId: 7 }))).toEqual([
      422,
      [{ path: 'brandingId', message: 'Deze huisstijl bestaat niet.' }],
    ])
    for (const different of [
      { to: [noor.email, 'evil@elders.example'] },
      { to: `${noor.email}, evil@elders.example` },
      { to: `${noor.email}\r\nBcc: evil@elders.example` },
      { replyTo: 'info@maaslicht.example\r\nBcc: evil@elders.example' },
      { templateId: 'contactMessage' },
      { templateId: '__proto__' },
      { brandingId: { $ne: 1 } },
      { brandingId: 2 },
      { name: 'x'.repeat(201) },
      { password: 'x'.repeat(1_001) },
    ]) {
      expect((await send(different)).status).toBe(422)
    }
    expect(await site.db.selectFrom('outbox').select('id').execute()).toEqual([])
  })

  test('the notification call cannot be used to guess passwords or to flood a mailbox', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    await bente.post('/api/users', { ...noor, password: secret })

    const guesses: number[] = []
    for (let at = 0; at < 12; at++) {
      guesses.push((await bente.post('/api/notification/email', { ...email, password: `gok-${at}-gok` })).status)
    }
    expect(guesses).toEqual([...Array(10).fill(422), 429, 429])

    const { password: _password, ...plain } = email
    const emails: Response[] = []
    for (let at = 0; at < 11; at++) emails.push(await bente.post('/api/notification/email', plain))
    expect(emails.map((answer) => answer.status)).toEqual([...Array(10).fill(200), 429])
    expect(Number(emails.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(3_000)
  })

  test('a queued email is not sent when its user is deleted or changes address', async () => {
    const site = await aTestApp({ database, settings: { smtpUrl: 'smtp://127.0.0.1:9' } })
    const bente = await as(site, 'beheerder')
    const { id } = await (await bente.post('/api/users', { ...noor, password: secret })).json()
    await bente.post('/api/notification/email', email)
    expect(await site.db.selectFrom('outbox').select('recipient').execute()).toEqual([{ recipient: noor.email }])

    await bente.put(`/api/users/${id}`, { email: 'noor.jansen@example.nl' })
    expect(await site.db.selectFrom('outbox').select('id').execute()).toEqual([])
    await bente.post(`/api/users/${id}/password-link`, { by: 'mail' })
    await bente.delete(`/api/users/${id}`)
    expect(await site.db.selectFrom('outbox').select('id').execute()).toEqual([])
  })

  test('a link to set a password is shown when there is no mail server, and works once', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const { id } = await (await bente.post('/api/users', noor)).json()

    const shown = await (await bente.post(`/api/users/${id}/password-link`, { by: 'show' })).json()

    expect(shown.url).toMatch(/^https?:\/\/[^/]+\/wachtwoord\?token=[\w-]{43}$/)
    // A first password may be set after a weekend.
    expect(Date.parse(shown.expiresAt) - Date.now()).toBeGreaterThan(6 * 86_400_000)
    const token = new URL(shown.url).searchParams.get('token') as string
    const texts = [JSON.stringify(site.lines), JSON.stringify(await site.db.selectFrom('audit').selectAll().execute())]
    for (const text of texts) expect(text).not.toContain(token)
    const { token_hash } = await site.db.selectFrom('user_link').select('token_hash').executeTakeFirstOrThrow()
    expect(token_hash).not.toBe(token)

    const again = await (await bente.post(`/api/users/${id}/password-link`, { by: 'show' })).json()
    expect(again.url).not.toBe(shown.url)
    expect(await site.db.selectFrom('user_link').select('id').execute()).toHaveLength(1)
  })

  test('an emailed link to set a password is in the email and nowhere else', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const { id } = await (await bente.post('/api/users', noor)).json()

    const answer = await bente.post(`/api/users/${id}/password-link`, { by: 'mail' })

    expect(await answer.json()).toEqual({ expiresAt: expect.any(String) })
    const [mail] = await received(site, 1)
    expect(mail?.subject).toBe('Kies uw wachtwoord | Maaslicht')
    const token = /token=([\w-]{43})/.exec(mail?.text ?? '')?.[1] as string
    expect(token).toBeTruthy()
    expect(JSON.stringify(await site.db.selectFrom('outbox').selectAll().execute())).not.toContain(token)
  })

  test('without the right to manage users no email is sent and no link is created', async () => {
    const site = await aTestApp({ database })
    await as(site, 'beheerder')
    const roya = await aUser(site, staff.roya)
    const reader = await signInWithRights(site, 'Lezer', ['users.read', 'mail.read'])

    expect((await reader.post('/api/notification/email', { ...email, to: staff.roya.email })).status).toBe(403)
    expect((await reader.post(`/api/users/${roya}/password-link`, { by: 'show' })).status).toBe(403)
    expect(await site.db.selectFrom('outbox').select('id').execute()).toEqual([])
  })
})

test('spec 7 notification: a changed user gets the other template, in Persian from right to left', async () => {
  const site = await aTestApp()
  const bente = await as(site, 'beheerder')
  const { id } = await (await bente.post('/api/users', { ...noor, locale: 'fa' })).json()
  await bente.put(`/api/users/${id}`, { ...noor, password: secret })

  await bente.post('/api/notification/email', { ...email, templateId: 'updatedUser' })

  const [mail] = await received(site, 1)
  expect(mail?.subject).toBe('حساب شما تغییر کرد | Maaslicht')
  expect(mail?.html).toContain('dir="rtl"')
  expect(mail?.text).toContain(secret)
  expect(mail?.text).toContain('/fa/login')
  // The links of the footer lead to the pages in the language of the email.
  expect(mail?.html).toContain('href="https://maaslicht.example/fa/privacy-verklaring"')
})

test('spec 7 notification: extra fields are accepted, fields that the template does not use are ignored, and so is another name', async () => {
  const site = await aTestApp()
  const bente = await as(site, 'beheerder')
  await bente.post('/api/users', { ...noor, password: secret })
  const extra = {
    name: 'U hebt gewonnen, bel 0900-1234',
    subject: 'Gratis geld',
    html: '<b>gratis</b>',
    text: 'gratis',
    cc: 'evil@elders.example',
    bcc: ['evil@elders.example'],
    company: { name: 'Gratis BV' },
  }

  const answer = await bente.post('/api/notification/email', { ...email, ...extra })

  expect(answer.status).toBe(200)
  const [mail] = await received(site, 1)
  expect(mail?.subject).toBe('Uw account is klaar | Maaslicht')
  expect(JSON.stringify(mail)).not.toMatch(/gratis|elders|gewonnen/i)
  expect(mail?.text).toContain(noor.name)
  expect(await site.db.selectFrom('outbox').select('recipient').execute()).toEqual([{ recipient: noor.email }])
})
