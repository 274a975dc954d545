import { describe, expect, test } from 'vitest'
import { limits } from '../../src/contract/limits.ts'
import { addAdministrator, createPasswordLinkForEmail } from '../../src/domain/sign-in/administrators.ts'
import { ensureAdministrator } from '../../src/domain/sign-in/first-administrator.ts'
import { hashPassword } from '../../src/platform/auth/password.ts'
import { databases } from '../support/databases.ts'
import { aUser, password, staff } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'
import { aVisitor } from '../support/visitor.ts'

const bente = { email: 'Bente@Example.nl', name: 'Bente de Beheerder', password: 'geheim-123', repeat: 'geheim-123' }

const start = (site: TestApp, admin?: { email: string; password: string }) =>
  ensureAdministrator(site.app.context(), admin)
const tokenOf = (link = '') => new URL(link).searchParams.get('token') ?? ''

const meAfter = async (site: TestApp, identifier: string, secret: string) => {
  const visitor = aVisitor(site)
  await visitor.post('/api/login', { identifier, password: secret })
  return visitor.get('/api/me')
}

describe.each(databases)('on %s', (database) => {
  test('the first start prints a link, which creates the first administrator once', async () => {
    const site = await aTestApp({ database })
    const { link } = await start(site)
    const token = tokenOf(link)
    expect(link).toBe(`${site.app.context().origin}/setup?token=${token}`)
    const visitor = aVisitor(site)
    const page = await visitor.get(`/setup?token=${token}`)
    expect(page.status).toBe(200)
    expect(page.headers.get('referrer-policy')).toBe('same-origin')
    expect(await page.text()).toContain('Welkom!')

    const made = await visitor.submitForm('/setup', { token, ...bente })
    expect(made.headers.get('location')).toBe('/login?melding=klaar')
    expect((await visitor.get('/api/me')).status).toBe(401)
    const me = await meAfter(site, 'bente@example.nl', 'geheim-123')
    expect(await me.json()).toMatchObject({ name: bente.name, email: 'bente@example.nl', user_role: { id: 2 } })

    expect((await visitor.get(`/setup?token=${token}`)).status).toBe(404)
    const again = await visitor.submitForm('/setup', { token, ...bente, email: 'mallory@example.nl' })
    expect(again.status).toBe(404)
    expect(await site.db.selectFrom('user').select('email').execute()).toEqual([{ email: 'bente@example.nl' }])
    expect(await start(site)).toEqual({})
    expect(await site.db.selectFrom('audit').select('action').execute()).toEqual([{ action: 'user.created' }])
  })

  test('instances that start at once each print a working link, and one of them creates the administrator', async () => {
    const site = await aTestApp({ database })
    const links = await Promise.all([start(site), start(site), start(site)])
    const tokens = links.map(({ link }) => tokenOf(link))
    const answers = await Promise.all(
      tokens.map((token, index) =>
        aVisitor(site).submitForm('/setup', { token, ...bente, email: `b${index}@example.nl` }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 404, 404])
    expect(await site.db.selectFrom('user').select('id').execute()).toHaveLength(1)
    expect(await site.db.selectFrom('user_link').select('id').execute()).toEqual([])
  })

  test('a made-up link and an expired link are refused', async () => {
    let offset = 0
    const site = await aTestApp({ database, now: () => new Date(Date.now() + offset) })
    const token = tokenOf((await start(site)).link)
    for (const other of ['', 'onzin', `${token}x`]) {
      expect((await aVisitor(site).submitForm('/setup', { token: other, ...bente })).status).toBe(404)
    }
    offset = limits.setupMinutes * 60_000 + 1_000
    expect((await aVisitor(site).get(`/setup?token=${token}`)).status).toBe(404)
    expect((await aVisitor(site).submitForm('/setup', { token, ...bente })).status).toBe(404)
    expect(await site.db.selectFrom('user').select('id').execute()).toEqual([])
  })

  test('ADMIN_EMAIL and ADMIN_PASSWORD create the first administrator, and change nothing later', async () => {
    const site = await aTestApp({ database })
    const admin = { email: 'Bente@example.nl', password: 'geheim-123' }
    const made = await Promise.all([start(site, admin), start(site, admin)])
    expect(made).toContainEqual({ isCreated: true })
    expect(await (await meAfter(site, 'bente@example.nl', 'geheim-123')).json()).toMatchObject({
      name: 'bente',
      user_role: { id: 2 },
    })
    expect(await start(site, { email: 'ander@example.nl', password: 'anders-123' })).toEqual({})
    expect(await start(site, { ...admin, password: 'anders-123' })).toEqual({})
    expect((await meAfter(site, 'bente@example.nl', 'geheim-123')).status).toBe(200)
    expect(await site.db.selectFrom('user').select('id').execute()).toHaveLength(1)
  })

  test('a blocked administrator and users without the right do not count as an administrator', async () => {
    const site = await aTestApp({ database })
    await aUser(site, staff.redacteur)
    await aUser(site, { ...staff.beheerder, blocked: true })
    expect((await start(site)).link).toContain('/setup?token=')
    await site.db.updateTable('user').set({ blocked: 0 }).execute()
    expect(await start(site)).toEqual({})
  })

  test('an operator creates an administrator, with a password or by a link', async () => {
    const site = await aTestApp({ database })
    const ctx = site.app.context()
    const one = await addAdministrator(ctx, {
      email: 'een@example.nl',
      name: 'Een',
      hash: await hashPassword('een-een-een'),
    })
    expect(one).toEqual({ existingName: undefined, link: undefined })
    expect((await meAfter(site, 'een@example.nl', 'een-een-een')).status).toBe(200)

    const two = await addAdministrator(ctx, { email: 'twee@example.nl', name: 'Twee', hash: undefined })
    const token = tokenOf(two.link)
    await aVisitor(site).submitForm('/wachtwoord', { token, password: 'twee-twee', repeat: 'twee-twee' })
    expect(await (await meAfter(site, 'twee@example.nl', 'twee-twee')).json()).toMatchObject({ user_role: { id: 2 } })
  })

  test('an operator restores an existing administrator: role, unblocked, sessions ended by a new password', async () => {
    const site = await aTestApp({ database })
    await aUser(site, { ...staff.roya, blocked: true })
    const added = await addAdministrator(site.app.context(), {
      email: staff.roya.email,
      name: 'iets anders',
      hash: undefined,
    })
    expect(added.existingName).toBe(staff.roya.name)
    const me = await meAfter(site, staff.roya.email, password)
    expect(await me.json()).toMatchObject({ name: staff.roya.name, user_role: { id: 2 } })
    await addAdministrator(site.app.context(), {
      email: staff.roya.email,
      name: '',
      hash: await hashPassword('nieuw-1'),
    })
    expect(await site.db.selectFrom('session').select('id').execute()).toEqual([])
    expect((await meAfter(site, staff.roya.email, 'nieuw-1')).status).toBe(200)
  })

  test('an operator gets a link for a user who may sign in, and for nobody else', async () => {
    const site = await aTestApp({ database })
    await aUser(site, staff.roya)
    await aUser(site, { name: 'Blok', email: 'blok@example.nl', blocked: true })
    const ctx = site.app.context()
    const link = await createPasswordLinkForEmail(ctx, staff.roya.email)
    expect((await aVisitor(site).get(`/wachtwoord?token=${tokenOf(link)}`)).status).toBe(200)
    expect(await createPasswordLinkForEmail(ctx, 'blok@example.nl')).toBeUndefined()
    expect(await createPasswordLinkForEmail(ctx, 'niemand@example.nl')).toBeUndefined()
  })

  test('a role with an outdated right instead of a current one does not count as a role with every right', async () => {
    const site = await aTestApp({ database })
    await site.db
      .updateTable('role_right')
      .set({ right_name: 'old.right' })
      .where('right_name', '=', 'audit.read')
      .execute()
    await addAdministrator(site.app.context(), {
      email: 'een@example.nl',
      name: 'Een',
      hash: await hashPassword('een-een'),
    })
    const me = await (await meAfter(site, 'een@example.nl', 'een-een')).json()
    expect(me.rights).toContain('audit.read')
  })

  test('when no role manages users any more, the command creates one', async () => {
    const site = await aTestApp({ database })
    await site.db.deleteFrom('role_right').execute()
    await site.db.deleteFrom('role').where('id', '>', 1).execute()
    await addAdministrator(site.app.context(), {
      email: 'een@example.nl',
      name: 'Een',
      hash: await hashPassword('een-een'),
    })
    const me = await (await meAfter(site, 'een@example.nl', 'een-een')).json()
    expect(me.rights).toContain('users.write')
    expect(await start(site)).toEqual({})
  })
})

test('errors are reported at their field, and the form keeps its values except passwords', async () => {
  const site = await aTestApp()
  const token = tokenOf((await start(site)).link)
  const answer = await aVisitor(site).submitForm('/setup', {
    token,
    email: 'bente@',
    name: ' ',
    password: 'kort',
    repeat: 'kort',
  })
  expect(answer.status).toBe(422)
  const html = await answer.text()
  expect(html).toContain('Dit e-mailadres is niet geldig!')
  expect(html).toContain('Dit is een verplicht veld!')
  expect(html).toContain('Wachtwoord moet bestaan uit minstens 6 karakters!')
  expect(html).toContain('value="bente@"')
  expect(html).not.toContain('"kort"')
  const differ = await aVisitor(site).submitForm('/setup', { token, ...bente, repeat: 'anders-123' })
  expect(await differ.text()).toContain('De ingevoerde wachtwoorden komen niet overeen!')
})
