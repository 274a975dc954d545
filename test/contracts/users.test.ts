import { describe, expect, test } from 'vitest'
import type { User } from '../../src/contract/users.ts'
import { databases } from '../support/databases.ts'
import { as, aUser, json, password, signInWithPassword, staff } from '../support/staff.ts'
import { aTestApp } from '../support/test-app.ts'

const noor = { name: 'Noor Jansen', email: 'noor@example.nl' }
const whole = {
  username: noor.email,
  email: noor.email,
  name: noor.name,
  password: 'welkom-123',
  confirmed: true,
  role: { connect: [1] },
  user_role: { set: [3] },
}

describe.each(databases)('on %s', (database) => {
  test('spec 7 GET users: lists users with the role populated, with a filter on role ids', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    await aUser(site, staff.redacteur)
    await aUser(site, staff.roya)

    const all = await (await bente.get('/api/users')).json()
    expect(all.data.map((user: User) => [user.name, user.role.id, user.user_role?.name])).toEqual([
      ['Bente de Beheerder', 1, 'Beheerder'],
      ['Rik Redacteur', 1, 'Redacteur'],
      ['رویا مرادی', 1, undefined],
    ])
    expect(all.meta).toEqual({ page: 1, pageSize: 25, total: 3 })

    const names = async (query: string) =>
      ((await (await bente.get(`/api/users?${query}`)).json()).data as User[]).map((user) => user.email)
    expect(await names('roleId=3')).toEqual(['rik@example.nl'])
    expect(await names('roleId=2&roleId=3')).toEqual(['bente@example.nl', 'rik@example.nl'])
    // Everyone has the base role.
    expect(await names('roleId=1')).toHaveLength(3)
    expect(await names('blocked=true')).toEqual([])
    expect(await names('search=redact')).toEqual(['rik@example.nl'])
    expect(await names('search=EXAMPLE.nl+rik')).toEqual(['rik@example.nl'])
    expect(await names('search=مراد')).toEqual(['roya@example.nl'])
    expect(await names('search=%25')).toEqual([])
    expect(await names('sort=-email&pageSize=2')).toEqual(['roya@example.nl', 'rik@example.nl'])
    expect(await names('sort=-email&pageSize=2&page=2')).toEqual(['bente@example.nl'])
  })

  test('spec 7 GET users/{id}: one user with the role populated', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const rik = await aUser(site, staff.redacteur)

    const answer = await bente.get(`/api/users/${rik}`)

    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({
      id: rik,
      username: 'rik@example.nl',
      email: 'rik@example.nl',
      confirmed: true,
      blocked: false,
      role: { id: 1, name: 'Geregistreerd', rights: [] },
      user_role: { id: 3, name: 'Redacteur', rights: ['pages.write', 'pages.publish', 'files.write'] },
      can: { change: true, block: true, delete: true },
    })
    expect((await bente.get('/api/users/99999')).status).toBe(404)
  })

  test('spec 3 user: id, email that is also the username, optional password, name, confirmed, role, blocked', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const { password: _password, user_role: _role, ...rest } = whole

    const made = await (await bente.post('/api/users', { ...rest, blocked: true, locale: 'fa' })).json()

    expect(made).toEqual({
      id: expect.any(Number),
      username: noor.email,
      email: noor.email,
      name: noor.name,
      confirmed: true,
      blocked: true,
      locale: 'fa',
      role: { id: 1, name: 'Geregistreerd', rights: [] },
      user_role: null,
      twoFactor: false,
      hasPassword: false,
      lastSignedInAt: null,
      version: 1,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      can: { change: true, block: true, delete: true },
    })
    expect(await (await bente.get(`/api/users/${made.id}`)).json()).toEqual(made)
    const { data } = await (await bente.get('/api/users?search=noor')).json()
    expect(data).toEqual([made])
  })

  test('spec 7 POST /users: username, email, password, confirmed, role connect, user_role set; the response has the id', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')

    const answer = await bente.post('/api/users', whole)

    expect(answer.status).toBe(201)
    const made = await answer.json()
    expect(made).toMatchObject({
      id: expect.any(Number),
      username: noor.email,
      user_role: { id: 3 },
      hasPassword: true,
    })
    expect(answer.headers.get('location')).toBe(`/api/users/${made.id}`)
    expect((await (await signInWithPassword(site, noor.email, 'welkom-123')).get('/api/me')).status).toBe(200)

    // The specification has no name.
    const email = 'noortje@example.nl'
    const { name: _name, ...without } = { ...whole, username: email, email }
    expect(await (await bente.post('/api/users', without)).json()).toMatchObject({ name: 'noortje', email })
  })

  test('spec 5 saving a user: an empty password counts as none, and without a role the relation is removed', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const made = await (await bente.post('/api/users', whole)).json()
    const { user_role, ...without } = whole

    const answer = await bente.put(`/api/users/${made.id}`, { ...without, password: '' })

    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ user_role: null, hasPassword: true })
    expect((await signInWithPassword(site, noor.email, 'welkom-123')).cookie).not.toBe('')
    const fresh = await (await bente.post('/api/users', { email: 'leeg@example.nl', password: '' })).json()
    expect(fresh).toMatchObject({ hasPassword: false, user_role: null, role: { id: 1 } })
  })

  test('spec 6 new users are linked to the base role with id 1, and not to another role of that name', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')

    expect((await bente.post('/api/users', { ...whole, role: { connect: [2] } })).status).toBe(422)
    expect((await bente.post('/api/users', { ...whole, role: { connect: [] } })).status).toBe(422)
    expect((await bente.post('/api/users', { ...whole, role: { connect: [1, 2] } })).status).toBe(422)
    expect((await bente.post('/api/users', { ...whole, confirmed: false })).status).toBe(422)
    expect((await (await bente.post('/api/users', whole)).json()).role.id).toBe(1)
  })

  test('spec 7 PUT /users/{id}: the same fields; a field that is left out does not change', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const { id } = await (await bente.post('/api/users', { ...whole, blocked: true, locale: 'fa' })).json()
    const { name: _name, ...without } = whole

    const saved = await (await bente.put(`/api/users/${id}`, { ...without, password: '' })).json()

    expect(saved).toMatchObject({ name: noor.name, blocked: true, locale: 'fa', user_role: { id: 3 } })
  })

  test('spec 7 DELETE users/{id}: no payload, and the user is deleted with their sessions, passkeys and links', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const rik = await as(site, 'redacteur')

    const answer = await bente.delete(`/api/users/${rik.id}`)

    expect([answer.status, await answer.text()]).toEqual([204, ''])
    expect((await rik.get('/api/me')).status).toBe(401)
    expect((await bente.get(`/api/users/${rik.id}`)).status).toBe(404)
    for (const table of ['session', 'account'] as const) {
      expect(await site.db.selectFrom(table).where('user_id', '=', rik.id).select('id').execute()).toEqual([])
    }
  })

  test('an email address belongs to one user, whatever its capitals', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    await aUser(site, staff.roya)

    const answer = await bente.post('/api/users', { name: 'Nog een', email: ' ROYA@Example.NL ' })

    expect(answer.status).toBe(422)
    expect((await answer.json()).errors).toEqual([{ path: 'email', message: 'Deze waarde is al in gebruik.' }])
    const other = await bente.put(`/api/users/${bente.id}`, { email: 'roya@example.nl', user_role: { set: [2] } })
    expect((await other.json()).errors[0].path).toBe('email')
  })

  test('errors are reported at their field, in words', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')

    const answer = await bente.post('/api/users', {
      username: 'iemand@anders.nl',
      email: 'geen adres',
      name: ' ',
      password: '12345',
      user_role: { set: [99999] },
      rights: ['users.write'],
    })

    expect(answer.status).toBe(422)
    expect((await answer.json()).errors).toEqual(
      expect.arrayContaining([
        { path: 'email', message: 'Dit e-mailadres is niet geldig!' },
        { path: 'name', message: 'Dit is een verplicht veld!' },
        { path: 'password', message: 'Wachtwoord moet bestaan uit minstens 6 karakters!' },
        { path: 'rights', message: 'Dit veld bestaat niet.' },
      ]),
    )
    const role = await bente.post('/api/users', { email: 'a@example.nl', user_role: { set: [99999] } })
    expect((await role.json()).errors).toEqual([{ path: 'user_role.set.0', message: 'Deze rol bestaat niet.' }])
    const username = await bente.post('/api/users', { email: 'a@example.nl', username: 'b@example.nl' })
    expect((await username.json()).errors[0].path).toBe('username')
  })

  test('saving over a newer version is refused with the current version', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const made = await (await bente.post('/api/users', noor)).json()
    await bente.put(`/api/users/${made.id}`, { ...noor, name: 'Noor de Boer', version: made.version })

    const late = await bente.put(`/api/users/${made.id}`, { ...noor, name: 'Noortje', version: made.version })

    expect(late.status).toBe(409)
    expect(await late.json()).toMatchObject({ code: 'stale', current: { name: 'Noor de Boer', version: 2 } })
    expect((await (await bente.get(`/api/users/${made.id}`)).json()).name).toBe('Noor de Boer')
    // Without a version the last save wins, as the specification says.
    expect((await bente.put(`/api/users/${made.id}`, noor)).status).toBe(200)
  })

  test('spec 4 a user can be blocked: signed out in every browser, refused at sign-in, and unblocked again', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const [phone, laptop] = [await as(site, 'roya'), await as(site, 'roya')]

    await bente.put(`/api/users/${phone.id}`, { email: staff.roya.email, blocked: true })

    expect((await phone.get('/api/me')).status).toBe(401)
    expect((await laptop.get('/api/me')).status).toBe(401)
    expect(await site.db.selectFrom('session').where('user_id', '=', phone.id).select('id').execute()).toEqual([])
    await expect(signInWithPassword(site, staff.roya.email)).rejects.toThrow('401')
    expect(await (await bente.get(`/api/users/${phone.id}`)).json()).toMatchObject({ blocked: true })

    await bente.put(`/api/users/${phone.id}`, { email: staff.roya.email, blocked: false })
    expect((await phone.get('/api/me')).status).toBe(401)
    expect((await (await signInWithPassword(site, staff.roya.email)).get('/api/me')).status).toBe(200)
  })

  test('a new password ends every session of that user, and a new address ends their open links too', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const roya = await as(site, 'roya')
    await bente.post(`/api/users/${roya.id}/password-link`, { by: 'show' })

    await bente.put(`/api/users/${roya.id}`, { email: 'roya@anders.nl' })
    expect((await roya.get('/api/me')).status).toBe(401)
    expect(await site.db.selectFrom('user_link').select('id').execute()).toEqual([])

    const again = await signInWithPassword(site, 'roya@anders.nl')
    await bente.put(`/api/users/${roya.id}`, { email: 'roya@anders.nl', password: 'heel-anders' })
    expect((await again.get('/api/me')).status).toBe(401)
    expect((await (await signInWithPassword(site, 'roya@anders.nl', 'heel-anders')).get('/api/me')).status).toBe(200)
  })

  test('changing the own password ends every session but the current one', async () => {
    const site = await aTestApp({ database })
    const [here, there] = [await as(site, 'beheerder'), await as(site, 'beheerder')]

    const saved = await here.put(`/api/users/${here.id}`, {
      email: staff.beheerder.email,
      user_role: { set: [2] },
      password: 'nieuw-123',
    })

    expect(saved.status).toBe(200)
    expect((await here.get('/api/me')).status).toBe(200)
    expect((await there.get('/api/me')).status).toBe(401)
  })

  test('no response contains a password, a hash or a token', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const made = await bente.post('/api/users', { ...noor, password: 'welkom-123' })
    const { id } = await made.clone().json()

    const answers = [
      made,
      await bente.put(`/api/users/${id}`, { ...noor, password: 'welkom-456' }),
      await bente.get(`/api/users/${id}`),
      await bente.get('/api/users'),
      await bente.get('/api/audit'),
      await bente.get('/api/users/export'),
    ]

    const texts = [...(await Promise.all(answers.map((answer) => answer.text()))), JSON.stringify(site.lines)]
    const audit = await site.db.selectFrom('audit').selectAll().execute()
    for (const text of [...texts, JSON.stringify(audit)]) {
      expect(text).not.toMatch(/welkom-\d|argon2|token_hash|\$ba\$/)
    }
  })

  test('when two users take one address at once, one of them gets it', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')

    const both = await Promise.all([bente.post('/api/users', noor), bente.post('/api/users', noor)])

    expect(both.map((answer) => answer.status).sort()).toEqual([201, 422])
  })

  test('a search does not match hidden fields', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const { password: hash } = await site.db.selectFrom('account').select('password').executeTakeFirstOrThrow()

    for (const text of ['argon2', String(hash).slice(-12), 'Beheerder rol', password]) {
      expect((await (await bente.get(`/api/users?search=${encodeURIComponent(text)}`)).json()).data).toEqual([])
    }
  })

  test('an id in a path has one spelling, and a different id in the body is refused', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const roya = await aUser(site, staff.roya)

    for (const id of [
      '0',
      '-1',
      `0${roya}`,
      '1e0',
      '0x1',
      `${roya}.0`,
      '%20',
      'null',
      '9999999999',
      `${roya}%2F..%2F1`,
    ]) {
      expect([id, (await bente.get(`/api/users/${id}`)).status]).toEqual([id, 404])
    }
    const smuggled = await bente.put(`/api/users/${roya}`, { id: bente.id, email: staff.roya.email })
    expect((await smuggled.json()).errors).toEqual([{ path: 'id', message: 'Dit veld bestaat niet.' }])
    expect((await bente.get(`/api/users/${roya}?id=${bente.id}`)).status).toBe(200)
    expect((await (await bente.get(`/api/users/${roya}?id=${bente.id}`)).json()).id).toBe(roya)
  })
})

test('a filter that the API does not describe is refused, and so is an empty value, instead of matching everybody', async () => {
  const site = await aTestApp()
  const bente = await as(site, 'beheerder')

  for (const [what, query] of [
    ['a hidden column', 'password=a'],
    ['a path into a relation', 'filters[account][password][$startsWith]=a'],
    ['an order by a hidden column', 'sort=password'],
    ['an order that is two', 'sort=name&sort=email'],
    ['an empty role', 'roleId='],
    ['two empty roles', 'roleId=&roleId='],
    ['an empty list of roles', 'roleId=[]'],
    ['an empty role in the way of PHP', 'roleId[]='],
    ['an empty word for true', 'blocked='],
    ['another word for true', 'blocked=1'],
    ['a page that is none', 'page=0'],
    ['too large a page', 'pageSize=101'],
    ['columns to choose', 'fields=password'],
  ] as const) {
    expect([what, (await bente.get(`/api/users?${query}`)).status]).toEqual([what, 422])
    expect([what, (await bente.get(`/api/users/export?${query}`)).status]).toEqual([what, 422])
  }
})

test('errors are in the language of the request', async () => {
  const site = await aTestApp()
  const bente = await as(site, 'beheerder')

  const answer = await bente.request('/api/users', {
    ...json('POST', { email: '' }),
    headers: { 'Content-Type': 'application/json', 'Accept-Language': 'fa' },
  })

  expect((await answer.json()).errors[0]).toEqual({
    path: 'email',
    message: expect.stringMatching(/[\u0600-\u06ff]/),
  })
})
