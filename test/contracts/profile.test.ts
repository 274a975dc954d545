import { describe, expect, test } from 'vitest'
import { readAuditLog } from '../support/audit-log.ts'
import { databases } from '../support/databases.ts'
import { as, aUser, expireConfirmations, json, password, signInWithPassword, staff } from '../support/staff.ts'
import { aTestApp } from '../support/test-app.ts'
import { emailsTo } from '../support/written-emails.ts'

const roya = { name: staff.roya.name, email: staff.roya.email, locale: 'nl' }

describe.each(databases)('on %s', (database) => {
  test('spec 3: the profile shows the user, and nothing of their password', async () => {
    const site = await aTestApp({ database })
    const rik = await as(site, 'redacteur')

    const answer = await rik.get('/api/profile')

    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({
      id: rik.id,
      name: staff.redacteur.name,
      email: staff.redacteur.email,
      locale: 'nl',
      role: { id: 1, name: 'Geregistreerd', rights: [] },
      user_role: { id: 3, name: 'Redacteur', rights: ['pages.write', 'pages.publish', 'files.write'] },
      newEmail: null,
      twoFactor: false,
      reviewEmails: false,
      hasPassword: true,
      passkeys: [],
      version: 1,
    })
  })

  test('name and language change at once, and the audit log has the values before and after', async () => {
    const site = await aTestApp({ database })
    const person = await as(site, 'roya')

    const answer = await person.put('/api/profile', { ...roya, name: 'رویا احمدی', locale: 'fa' })

    expect(await answer.json()).toMatchObject({ name: 'رویا احمدی', locale: 'fa', version: 2 })
    expect(await (await person.get('/api/me')).json()).toMatchObject({ name: 'رویا احمدی', locale: 'fa' })
    const row = await site.db.selectFrom('audit').selectAll().executeTakeFirstOrThrow()
    expect(row).toMatchObject({ action: 'profile.changed', actor_id: person.id, subject_id: String(person.id) })
    expect(JSON.parse(row.before ?? '')).toEqual({ name: 'رویا مرادی', locale: 'nl' })
    expect(JSON.parse(row.after ?? '')).toEqual({ name: 'رویا احمدی', locale: 'fa' })
  })

  test('an outdated version is refused', async () => {
    const site = await aTestApp({ database })
    const person = await as(site, 'roya')
    await person.put('/api/profile', { ...roya, name: 'Roya M.', version: 1 })

    const late = await person.put('/api/profile', { ...roya, name: 'Roya Moradi', version: 1 })

    expect(late.status).toBe(409)
    expect(await late.json()).toMatchObject({ code: 'stale', current: { name: 'Roya M.', version: 2 } })
    expect(await (await person.get('/api/profile')).json()).toMatchObject({ name: 'Roya M.' })
  })

  test('an empty password counts as none', async () => {
    const site = await aTestApp({ database })
    const person = await as(site, 'roya')
    expect((await person.put('/api/profile', { ...roya, password: '', currentPassword: '' })).status).toBe(200)
    await signInWithPassword(site, roya.email, password)
  })

  test('a new password needs the current one, ends the other sessions and the open links, and is reported by email', async () => {
    const site = await aTestApp({ database })
    const laptop = await as(site, 'roya')
    const phone = await as(site, 'roya')
    await laptop.put('/api/profile', { ...roya, email: 'nieuw@example.nl' })
    const secret = 'een-heel-nieuw-wachtwoord'

    const without = await laptop.put('/api/profile', { ...roya, password: secret })
    expect((await without.json()).errors).toEqual([{ path: 'currentPassword', message: 'Dit is een verplicht veld!' }])
    const wrong = await laptop.put('/api/profile', { ...roya, password: secret, currentPassword: 'geheim-124' })
    expect((await wrong.json()).errors).toEqual([{ path: 'currentPassword', message: 'Dit wachtwoord is niet juist.' }])
    expect((await phone.get('/api/me')).status).toBe(200)

    const right = await laptop.put('/api/profile', { ...roya, password: secret, currentPassword: password })

    expect(right.status).toBe(200)
    expect(await right.json()).toMatchObject({ newEmail: null })
    expect((await laptop.get('/api/me')).status).toBe(200)
    expect((await phone.get('/api/me')).status).toBe(401)
    await signInWithPassword(site, roya.email, secret)
    const old = await site.request('/api/login', json('POST', { identifier: roya.email, password }))
    expect(old.status).toBe(401)
    expect(await site.db.selectFrom('user_link').select('id').execute()).toEqual([])
    const emails = await emailsTo(site, roya.email, 2)
    expect(emails.map(({ subject }) => subject)).toContain('Uw wachtwoord is gewijzigd | Maaslicht')
    expect((await readAuditLog(site)).actions).toEqual(['profile.email_asked', 'profile.password_changed'])
  })

  test('a user without a password sets one right after a sign-in', async () => {
    const site = await aTestApp({ database })
    const person = await as(site, 'roya')
    await site.db.deleteFrom('account').execute()
    expect(await (await person.get('/api/profile')).json()).toMatchObject({ hasPassword: false })

    await expireConfirmations(site)
    const late = await person.put('/api/profile', { ...roya, password: 'mijn-eerste' })
    expect(await late.json()).toMatchObject({ status: 403, code: 'password_needed' })

    await site.db.updateTable('session').set({ confirmed_at: new Date().toISOString() }).execute()
    expect((await person.put('/api/profile', { ...roya, password: 'mijn-eerste' })).status).toBe(200)
    await signInWithPassword(site, roya.email, 'mijn-eerste')
  })

  test('guesses of the current password are limited like guesses at sign-in', async () => {
    const site = await aTestApp({ database })
    const person = await as(site, 'roya')
    const guess = () => person.put('/api/profile', { ...roya, password: 'nieuw-456', currentPassword: 'geheim-000' })

    const statuses: number[] = []
    for (let tries = 0; tries < 12; tries++) statuses.push((await guess()).status)

    expect(statuses[0]).toBe(422)
    expect(statuses.at(-1)).toBe(429)
  })

  test('when two requests change a password at once, one of them succeeds', async () => {
    const site = await aTestApp({ database })
    const laptop = await as(site, 'roya')
    const change = (secret: string) =>
      laptop.put('/api/profile', { ...roya, password: secret, currentPassword: password })

    const answers = await Promise.all([change('eerste-123'), change('tweede-123')])

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    // The current password of the other request is wrong by now, or was right a moment ago.
    expect(answers.map(({ status }) => status).filter((status) => status === 409 || status === 422)).toHaveLength(1)
  })

  test('no response, log line, email or audit row contains a password or its hash', async () => {
    const site = await aTestApp({ database })
    const person = await as(site, 'roya')
    const secret = 'zeer-geheim-789'
    const answers = [
      await person.put('/api/profile', { ...roya, name: 'Roya', password: secret, currentPassword: password }),
      await person.put('/api/profile', { ...roya, password: secret, currentPassword: password }),
      await person.get('/api/profile'),
      await person.get('/api/profile/sessions'),
    ]
    const emails = await emailsTo(site, roya.email)

    const seen = [
      ...(await Promise.all(answers.map((answer) => answer.text()))),
      JSON.stringify(site.lines),
      (await readAuditLog(site)).whole,
      emails.map(({ text, html }) => `${text}${html}`).join(),
      JSON.stringify(await site.db.selectFrom('outbox').selectAll().execute()),
    ].join('\n')
    expect(seen).toContain('Roya')
    expect(seen).not.toContain(secret)
    expect(seen).not.toContain(password)
    expect(seen).not.toContain('$argon2id$')
  })
})

describe.each(databases)('sessions on %s', (database) => {
  test('are listed with the current one, and can be ended one by one', async () => {
    const site = await aTestApp({ database })
    const laptop = await as(site, 'roya')
    const phone = await as(site, 'roya')

    const devices = await (await laptop.get('/api/profile/sessions')).json()
    expect(devices).toHaveLength(2)
    expect(devices.filter((one: { current: boolean }) => one.current)).toHaveLength(1)
    expect(JSON.stringify(devices)).not.toMatch(/token|hash|address/i)
    const other = devices.find((one: { current: boolean }) => !one.current)

    expect((await laptop.delete(`/api/profile/sessions/${other.id}`)).status).toBe(204)

    expect((await phone.get('/api/me')).status).toBe(401)
    expect((await laptop.get('/api/me')).status).toBe(200)
    expect((await readAuditLog(site)).actions).toEqual(['profile.session_ended'])
  })

  test('all others can be ended at once', async () => {
    const site = await aTestApp({ database })
    const laptop = await as(site, 'roya')
    const phone = await as(site, 'roya')
    const rik = await as(site, 'redacteur')

    expect((await laptop.delete('/api/profile/sessions')).status).toBe(204)

    expect((await phone.get('/api/me')).status).toBe(401)
    expect((await laptop.get('/api/me')).status).toBe(200)
    expect((await rik.get('/api/me')).status).toBe(200)
  })

  test('of other users give 404, also for a user manager', async () => {
    const site = await aTestApp({ database })
    const person = await as(site, 'roya')
    const bente = await as(site, 'beheerder')
    const [device] = await (await person.get('/api/profile/sessions')).json()

    const theirs = await bente.delete(`/api/profile/sessions/${device.id}`)
    const nobodys = await bente.delete('/api/profile/sessions/999999')

    expect([theirs.status, nobodys.status]).toEqual([404, 404])
    expect(await theirs.text()).toBe(await nobodys.text())
    expect((await person.get('/api/me')).status).toBe(200)
    expect((await readAuditLog(site)).actions).toEqual([])
  })
})

test('an anonymous visitor and a blocked user have no profile', async () => {
  const site = await aTestApp()
  const id = await aUser(site, { name: 'Blok', email: 'blok@example.nl' })
  const blok = await signInWithPassword(site, 'blok@example.nl')
  await site.db.updateTable('user').set({ blocked: 1 }).where('id', '=', id).execute()

  for (const ask of [site.request, blok.request]) {
    expect((await ask('/api/profile')).status).toBe(401)
    expect((await ask('/api/profile', json('PUT', roya))).status).toBe(401)
    expect((await ask('/api/profile/sessions')).status).toBe(401)
  }
})

test('the profile refuses a role, rights and other fields that it does not have', async () => {
  const site = await aTestApp()
  const person = await as(site, 'roya')

  for (const [field, more] of [
    ['user_role', { user_role: { set: [2] } }],
    ['role', { role: { connect: [2] } }],
    ['rights', { rights: ['users.write'] }],
    ['blocked', { blocked: false }],
    ['confirmed', { confirmed: true }],
    ['id', { id: 1 }],
    ['twoFactor', { twoFactor: true }],
    ['hash', { hash: '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA' }],
  ] as const) {
    const answer = await person.put('/api/profile', { ...roya, name: 'Roya', ...more })

    expect([field, answer.status]).toEqual([field, 422])
    expect((await answer.json()).errors).toEqual([{ path: field, message: 'Dit veld bestaat niet.' }])
  }
  expect(await (await person.get('/api/profile')).json()).toMatchObject({ name: roya.name, user_role: null })
  expect((await readAuditLog(site)).actions).toEqual([])
})

test('spec 5: errors are reported at their field', async () => {
  const site = await aTestApp()
  const person = await as(site, 'roya')

  const answer = await person.put('/api/profile', { name: ' ', email: 'roya', locale: 'de', password: 'kort' })

  expect(answer.status).toBe(422)
  expect((await answer.json()).errors).toEqual(
    expect.arrayContaining([
      { path: 'name', message: 'Dit is een verplicht veld!' },
      { path: 'email', message: 'Dit e-mailadres is niet geldig!' },
      { path: 'password', message: 'Wachtwoord moet bestaan uit minstens 6 karakters!' },
    ]),
  )
})
