import { describe, expect, test } from 'vitest'
import { queueEmail } from '../../src/platform/mail/outbox.ts'
import { readAuditLog } from '../support/audit-log.ts'
import { databases } from '../support/databases.ts'
import {
  as,
  aUser,
  expireConfirmations,
  json,
  password,
  type SignedIn,
  signInWithPassword,
  staff,
} from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'
import { waitUntil } from '../support/wait-until.ts'
import { emailsTo, linkInEmail, recipientsOf } from '../support/written-emails.ts'

const old = staff.roya.email
const fresh = 'roya.moradi@example.nl'
const roya = { name: staff.roya.name, email: old, locale: 'nl' }

const ask = (person: SignedIn, email = fresh, more = {}) => person.put('/api/profile', { ...roya, email, ...more })

/** Submits the form on the confirmation page. */
const press = (site: TestApp, link: string) => {
  const { pathname, searchParams } = new URL(link, 'http://site.invalid')
  return site.request(pathname, {
    method: 'POST',
    body: new URLSearchParams({ token: searchParams.get('token') ?? '' }),
  })
}

describe.each(databases)('on %s', (database) => {
  test('a new address takes effect when the emailed link is used', async () => {
    const site = await aTestApp({ database })
    const person = await as(site, 'roya')

    const asked = await ask(person, 'Roya.Moradi@Example.NL')
    expect(asked.status).toBe(200)
    expect(await asked.json()).toMatchObject({ email: old, newEmail: fresh })
    const [email] = await emailsTo(site, fresh)
    expect(email?.subject).toBe('Bevestig uw nieuwe e-mailadres | Maaslicht')
    const [notice] = await emailsTo(site, old)
    expect(notice?.subject).toBe('Er is een nieuw e-mailadres aangevraagd | Maaslicht')
    expect(notice?.text).toContain(fresh)
    expect(notice?.text).not.toContain('token=')

    // Opening the link does not use it up, because mail scanners open links.
    const link = linkInEmail(email)
    for (const _time of [1, 2]) {
      const page = await site.request(link)
      expect(page.status).toBe(200)
      expect(await page.text()).toMatch(/<form[^>]* method="post"/)
    }
    await signInWithPassword(site, old)

    const done = await press(site, link)
    expect([done.status, done.headers.get('location')]).toEqual([303, '/login?melding=bevestigd'])
    expect((await site.request(link)).status).toBe(404)

    expect(await (await person.get('/api/profile')).json()).toMatchObject({ email: fresh, newEmail: null })
    await signInWithPassword(site, fresh)
    const before = await site.request('/api/login', json('POST', { identifier: old, password }))
    expect(before.status).toBe(401)
    expect((await emailsTo(site, old, 2)).at(-1)?.subject).toBe('Uw e-mailadres is gewijzigd | Maaslicht')
    const { actions } = await readAuditLog(site)
    expect(actions).toEqual(['profile.email_asked', 'profile.email_changed'])
    const change = await site.db
      .selectFrom('audit')
      .selectAll()
      .where('action', '=', 'profile.email_changed')
      .executeTakeFirstOrThrow()
    expect(change).toMatchObject({ actor_id: person.id, actor_name: staff.roya.name })
    expect(JSON.parse(change.before ?? '')).toEqual({ email: old })
    expect(JSON.parse(change.after ?? '')).toEqual({ email: fresh })
  })

  test('an email about the account that still waits for the previous address is not sent', async () => {
    const site = await aTestApp({ database })
    const person = await as(site, 'roya')
    const waiting = {
      template: 'userAccount',
      locale: 'nl',
      data: { kind: 'newUser', to: { name: roya.name, address: old }, url: 'https://maaslicht.example/login' },
      secret: { password },
      about: `user:${person.id}`,
      recipients: [old],
    }
    const inADay = new Date(Date.now() + 86_400_000)
    await site.db.transaction().execute((tx) => queueEmail(tx, waiting, inADay, 'noreply@maaslicht.example'))
    await ask(person)
    const [email] = await emailsTo(site, fresh)
    expect((await press(site, linkInEmail(email))).status).toBe(303)
    const left = await site.db.selectFrom('outbox').select('recipient').where('template', '=', 'userAccount').execute()
    expect(left).toEqual([])
  })

  test('the link works once, for an hour, and only the newest one', async () => {
    const site = await aTestApp({ database })
    const person = await as(site, 'roya')
    await ask(person, 'eerste@example.nl')
    const first = linkInEmail((await emailsTo(site, 'eerste@example.nl'))[0])
    await ask(person)
    const second = linkInEmail((await emailsTo(site, fresh))[0])

    expect((await press(site, first)).status).toBe(404)
    await site.db
      .updateTable('user_link')
      .set({ expires_at: new Date(Date.now() - 1_000).toISOString() })
      .execute()
    expect((await press(site, second)).status).toBe(404)
    expect((await site.request(second)).status).toBe(404)
    expect((await press(site, '/email-bevestigen?token=niets')).status).toBe(404)

    await ask(person)
    const third = linkInEmail((await emailsTo(site, fresh, 2)).at(-1))
    const presses = await Promise.all([press(site, third), press(site, third)])
    expect(presses.map(({ status }) => status).sort()).toEqual([303, 404])
  })

  test('an address of another user gets the same response, and only its owner is notified', async () => {
    const site = await aTestApp({ database })
    const rik = { email: staff.redacteur.email }
    await aUser(site, staff.redacteur)
    const person = await as(site, 'roya')

    const free = await (await ask(person)).json()
    const freeEmails = await waitForEmails(site, 2)
    const taken = await (await ask(person, rik.email)).json()
    const takenEmails = (await waitForEmails(site, 4)).slice(2)

    expect({ ...taken, newEmail: fresh }).toEqual(free)
    expect(await (await person.get('/api/profile')).json()).toEqual(taken)
    expect(takenEmails).toHaveLength(freeEmails.length)
    const [toOwner] = await emailsTo(site, rik.email)
    expect(toOwner?.subject).toBe('Dit e-mailadres is al in gebruik | Maaslicht')
    expect(`${toOwner?.text}${toOwner?.html}`).not.toMatch(/token=|roya/i)
    const noticed = await emailsTo(site, old, 2)
    expect(new Set(noticed.map(({ subject }) => subject)).size).toBe(1)
  })

  test('an address that another user took meanwhile is refused', async () => {
    const site = await aTestApp({ database })
    const person = await as(site, 'roya')
    await ask(person)
    const link = linkInEmail((await emailsTo(site, fresh))[0])
    await aUser(site, { name: 'Ander', email: fresh })

    expect((await press(site, link)).status).toBe(404)

    expect(await (await person.get('/api/profile')).json()).toMatchObject({ email: old })
  })

  test('when two users confirm the same address at once, one of them gets it', async () => {
    const site = await aTestApp({ database })
    const [person, rik] = [await as(site, 'roya'), await as(site, 'redacteur')]
    await ask(person)
    await rik.put('/api/profile', { name: staff.redacteur.name, email: fresh, locale: 'nl' })
    const links = (await emailsTo(site, fresh, 2)).map(linkInEmail)

    const answers = await Promise.all(links.map((link) => press(site, link)))

    expect(answers.map(({ status }) => status).sort()).toEqual([303, 404])
    const rows = await site.db.selectFrom('user').select('id').where('email', '=', fresh).execute()
    expect(rows).toHaveLength(1)
  })

  test('a sign-in more than ten minutes ago needs the password again, and without it nothing changes', async () => {
    const site = await aTestApp({ database })
    const person = await as(site, 'roya')
    await expireConfirmations(site)

    const answer = await ask(person, fresh, { name: 'Anders' })

    expect(await answer.json()).toMatchObject({ status: 403, code: 'password_needed' })
    expect(await (await person.get('/api/profile')).json()).toMatchObject({ name: staff.roya.name, newEmail: null })
    expect((await ask(person, old, { name: 'Roya M.' })).status).toBe(200)
  })

  test('a user who cancels the change keeps the current address', async () => {
    const site = await aTestApp({ database })
    const person = await as(site, 'roya')
    await ask(person)
    const link = linkInEmail((await emailsTo(site, fresh))[0])
    // Saving the rest of the profile keeps the pending change.
    await ask(person, old, { name: 'Roya M.' })
    expect(await (await person.get('/api/profile')).json()).toMatchObject({ newEmail: fresh })

    expect((await person.delete('/api/profile/new-email')).status).toBe(204)

    expect((await press(site, link)).status).toBe(404)
    expect((await person.delete('/api/profile/new-email')).status).toBe(404)
  })

  test('requests cannot flood the mailbox of another person', async () => {
    const site = await aTestApp({ database })
    const person = await as(site, 'roya')

    const statuses: number[] = []
    for (let times = 0; times < 6; times++) statuses.push((await ask(person)).status)

    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
    const late = await ask(person)
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(3_000)
    // The rest of the profile can still be saved.
    expect((await ask(person, old, { name: 'Roya M.' })).status).toBe(200)
  })

  test('a user who is blocked meanwhile cannot confirm the address', async () => {
    const site = await aTestApp({ database })
    const person = await as(site, 'roya')
    await ask(person)
    const link = linkInEmail((await emailsTo(site, fresh))[0])
    await site.db.updateTable('user').set({ blocked: 1 }).where('id', '=', person.id).execute()

    expect((await press(site, link)).status).toBe(404)

    expect(await site.db.selectFrom('user').select('email').executeTakeFirstOrThrow()).toEqual({ email: old })
  })

  test('the link is in no log and no audit row, and is removed from the outbox once it is sent', async () => {
    const site = await aTestApp({ database })
    const person = await as(site, 'roya')
    await ask(person)
    const link = linkInEmail((await emailsTo(site, fresh))[0])
    const token = new URL(link, 'http://site.invalid').searchParams.get('token') ?? ''
    await site.request(link)
    await press(site, link)

    await waitUntil(
      async () => (await site.db.selectFrom('outbox').select('id').where('state', '!=', 'file').execute()).length === 0,
      'outbox that sent everything',
    )
    const rows = [
      await site.db.selectFrom('outbox').selectAll().execute(),
      await site.db.selectFrom('user_link').selectAll().execute(),
    ]
    for (const text of [JSON.stringify(rows), JSON.stringify(site.lines), (await readAuditLog(site)).whole]) {
      expect(text).not.toContain(token)
    }
  })
})

test('the email is in the language that the user chose', async () => {
  const site = await aTestApp()
  const person = await as(site, 'roya')
  await ask(person, fresh, { locale: 'fa' })

  const [email] = await emailsTo(site, fresh)

  expect(email?.subject).toBe('نشانی ایمیل تازهٔ خود را تأیید کنید | Maaslicht')
  expect(email?.html).toContain('dir="rtl"')
  expect(email?.text).toContain('۶۰ دقیقه')
  expect(linkInEmail(email)).toMatch(/^\/fa\//)
  // The link is alone on its line, so that no direction mark becomes part of it.
  expect(email?.text).toMatch(/\nhttps:\/\/[\w./?=-]+\n/)
  expect((await site.request(linkInEmail(email))).status).toBe(200)
})

async function waitForEmails(site: TestApp, count: number): Promise<string[]> {
  const emails = await waitUntil(async () => {
    const all = await site.writtenEmails()
    return all.length >= count && all
  }, `email number ${count}`)
  return emails.flatMap(recipientsOf)
}
