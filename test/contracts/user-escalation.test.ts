import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { createPasswordLinkForEmail } from '../../src/domain/sign-in/administrators.ts'
import { databases } from '../support/databases.ts'
import { aRole, signInWithRights } from '../support/roles.ts'
import { as, aUser, signInWithPassword, staff } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'
import { aVisitor } from '../support/visitor.ts'
import { waitUntil } from '../support/wait-until.ts'

const codeOf = async (answer: Response) => [answer.status, (await answer.json()).code]
const notHeld = [403, 'right_not_held']
const userNow = (site: TestApp, id: number) =>
  site.db.selectFrom('user').where('id', '=', id).select(['email', 'blocked', 'role_id']).executeTakeFirst()

describe.each(databases)('on %s', (database) => {
  test('a user cannot grant a right that they do not have, by any call', async () => {
    const site = await aTestApp({ database })
    await as(site, 'beheerder')
    const hans = await signInWithRights(site, 'Hans', ['users.read', 'users.write', 'roles.write'])
    const roya = await aUser(site, staff.roya)
    const empty = await aRole(site, 'Leeg', [])
    const email = staff.roya.email

    const tries: [string, Promise<Response>][] = [
      ['a new user', hans.post('/api/users', { email: 'x@example.nl', user_role: { set: [2] } })],
      ['a known user', hans.put(`/api/users/${roya}`, { email, user_role: { set: [3] } })],
      ['oneself', hans.put(`/api/users/${hans.id}`, { email: 'hans@example.nl', user_role: { set: [2] } })],
      ['many', hans.post('/api/users/role', { ids: [roya], roleId: 3 })],
      ['oneself among many', hans.post('/api/users/role', { ids: [roya, hans.id], roleId: 2 })],
      ['a new role', hans.post('/api/roles', { name: 'Nieuw', rights: ['audit.read'] })],
      ['a known role', hans.put(`/api/roles/${empty}`, { name: 'Leeg', rights: ['users.read', 'pages.write'] })],
      ['the base role', hans.put('/api/roles/1', { name: 'Geregistreerd', rights: ['config.write'] })],
    ]
    for (const [what, answer] of tries) expect([what, ...(await codeOf(await answer))]).toEqual([what, ...notHeld])

    expect(await userNow(site, roya)).toMatchObject({ role_id: null })
    expect(
      await site.db.selectFrom('role_right').where('role_id', 'in', [1, empty]).select('role_id').execute(),
    ).toEqual([])
    expect(await site.db.selectFrom('user').where('email', '=', 'x@example.nl').select('id').execute()).toEqual([])
  })

  test('editing the own role cannot add rights, and can remove them', async () => {
    const site = await aTestApp({ database })
    await as(site, 'beheerder')
    const hans = await signInWithRights(site, 'Hans', ['users.read', 'roles.write'])
    const { role_id: own } = (await userNow(site, hans.id)) as { role_id: number }

    const more = await hans.put(`/api/roles/${own}`, {
      name: 'x',
      rights: ['users.read', 'users.write', 'roles.write'],
    })
    expect(await codeOf(more)).toEqual(notHeld)
    const less = await hans.put(`/api/roles/${own}`, { name: 'x', rights: ['roles.write'] })
    expect(less.status).toBe(200)
    expect((await hans.get('/api/users')).status).toBe(403)
  })

  test('a user cannot change another user with more rights, by any call', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const hans = await signInWithRights(site, 'Hans', ['users.read', 'users.write'])
    const { email } = staff.beheerder
    const before = await userNow(site, bente.id)

    const tries: [string, Promise<Response>][] = [
      ['a name', hans.put(`/api/users/${bente.id}`, { email, name: 'x', user_role: { set: [2] } })],
      ['no role', hans.put(`/api/users/${bente.id}`, { email })],
      ['a password', hans.put(`/api/users/${bente.id}`, { email, password: 'anders-1', user_role: { set: [2] } })],
      ['an address', hans.put(`/api/users/${bente.id}`, { email: 'x@example.nl', user_role: { set: [2] } })],
      ['blocked', hans.put(`/api/users/${bente.id}`, { email, blocked: true, user_role: { set: [2] } })],
      ['deleted', hans.delete(`/api/users/${bente.id}`)],
      ['blocked with others', hans.post('/api/users/block', { ids: [hans.id, bente.id] })],
      ['unblocked', hans.post('/api/users/unblock', { ids: [bente.id] })],
      ['a role taken away', hans.post('/api/users/role', { ids: [bente.id], roleId: null })],
      ['a link shown', hans.post(`/api/users/${bente.id}/password-link`, { by: 'show' })],
      ['a link mailed', hans.post(`/api/users/${bente.id}/password-link`, { by: 'mail' })],
      ['an email', hans.post('/api/notification/email', { brandingId: 1, templateId: 'updatedUser', to: email })],
    ]
    for (const [what, answer] of tries) expect([what, ...(await codeOf(await answer))]).toEqual([what, ...notHeld])

    expect(await userNow(site, bente.id)).toEqual(before)
    expect((await bente.get('/api/me')).status).toBe(200)
    expect(await site.db.selectFrom('outbox').select('id').execute()).toEqual([])
    expect(await site.db.selectFrom('user_link').select('id').execute()).toEqual([])
  })

  test('a user cannot change a role with more rights than they have', async () => {
    const site = await aTestApp({ database })
    await as(site, 'beheerder')
    const hans = await signInWithRights(site, 'Hans', ['roles.write', 'pages.write'])

    const answers = [
      await hans.put('/api/roles/2', { name: 'Beheerder', rights: [] }),
      await hans.put('/api/roles/3', { name: 'Redacteur', rights: ['pages.write'] }),
      await hans.delete('/api/roles/3'),
    ]

    for (const answer of answers) expect(await codeOf(answer)).toEqual(notHeld)
    const rights = await site.db.selectFrom('role_right').where('role_id', '=', 3).select('right_name').execute()
    expect(rights).toHaveLength(3)
  })

  test('a right of the base role counts for everyone', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const roya = await as(site, 'roya')
    expect((await roya.get('/api/audit')).status).toBe(403)

    await bente.put('/api/roles/1', { name: 'Geregistreerd', rights: ['audit.read'] })

    const again = await as(site, 'roya')
    expect((await again.get('/api/audit')).status).toBe(200)
    expect((await (await again.get('/api/me')).json()).rights).toEqual(['audit.read'])
  })

  test('the last user who can manage users cannot be deleted, blocked or lose that right', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const blocked = await aUser(site, { name: 'Bas', email: 'bas@example.nl', roleId: 2, blocked: true })
    const { email } = staff.beheerder

    expect(await codeOf(await bente.delete(`/api/users/${bente.id}`))).toEqual([409, 'own_account'])
    expect(
      await codeOf(await bente.put(`/api/users/${bente.id}`, { email, blocked: true, user_role: { set: [2] } })),
    ).toEqual([409, 'own_account'])
    expect(await codeOf(await bente.post('/api/users/block', { ids: [bente.id] }))).toEqual([409, 'own_account'])
    const stripping: [string, Promise<Response>][] = [
      ['no role', bente.put(`/api/users/${bente.id}`, { email })],
      ['another role', bente.put(`/api/users/${bente.id}`, { email, user_role: { set: [3] } })],
      ['among many', bente.post('/api/users/role', { ids: [bente.id, blocked], roleId: 3 })],
      ['by the role', bente.put('/api/roles/2', { name: 'Beheerder', rights: ['users.read', 'roles.write'] })],
    ]
    for (const [what, answer] of stripping) {
      expect([what, ...(await codeOf(await answer))]).toEqual([what, 409, 'last_manager'])
    }
    expect(await userNow(site, bente.id)).toMatchObject({ role_id: 2, blocked: 0 })
    expect((await bente.get('/api/users')).status).toBe(200)

    await bente.post('/api/users/unblock', { ids: [blocked] })
    expect((await bente.put(`/api/users/${bente.id}`, { email, user_role: { set: [3] } })).status).toBe(200)
    expect((await bente.get('/api/users')).status).toBe(403)
  })

  test('the right to manage may come from the base role', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    await aUser(site, staff.roya)
    await bente.put('/api/roles/1', { name: 'Geregistreerd', rights: ['users.write', 'roles.write'] })

    expect((await bente.put(`/api/users/${bente.id}`, { email: staff.beheerder.email })).status).toBe(200)
    expect((await bente.get('/api/users')).status).toBe(200)
  })

  test('when two managers demote or block each other at once, one of them stays a manager', async () => {
    const site = await aTestApp({ database })
    for (const way of ['strip', 'block', 'themselves'] as const) {
      await site.db.deleteFrom('user').execute()
      const bente = await as(site, 'beheerder')
      const carla = await signInWithRights(site, `Carla${way}`, [])
      await bente.post('/api/users/role', { ids: [carla.id], roleId: 2 })
      const carlaEmail = `carla${way}@example.nl`

      const both = await Promise.all(
        way === 'strip'
          ? [
              bente.put(`/api/users/${carla.id}`, { email: carlaEmail }),
              carla.put(`/api/users/${bente.id}`, { email: staff.beheerder.email }),
            ]
          : way === 'block'
            ? [bente.post('/api/users/block', { ids: [carla.id] }), carla.post('/api/users/block', { ids: [bente.id] })]
            : [
                bente.put(`/api/users/${bente.id}`, { email: staff.beheerder.email }),
                carla.put(`/api/users/${carla.id}`, { email: carlaEmail }),
              ],
      )

      const [first, second] = both.map((answer) => answer.status).sort()
      expect([way, first]).toEqual([way, 200])
      expect([401, 403, 409]).toContain(second)
      const managers = await site.db
        .selectFrom('user')
        .where('role_id', '=', 2)
        .where('blocked', '=', 0)
        .select('id')
        .execute()
      expect([way, managers.length]).toEqual([way, 1])
    }
  })

  test('a role that is deleted while it is assigned is either in use or not assigned', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const roya = await aUser(site, staff.roya)
    const role = await aRole(site, 'Tijdelijk', ['pages.write'])

    const [given, deleted] = await Promise.all([
      bente.post('/api/users/role', { ids: [roya], roleId: role }),
      bente.delete(`/api/roles/${role}`),
    ])

    expect([
      [200, 409],
      [422, 204],
    ]).toContainEqual([given.status, deleted.status])
  })

  test('a user who loses rights while their request waits can do no more', async () => {
    const site = await aTestApp({ database })
    await as(site, 'beheerder')
    const hans = await signInWithRights(site, 'Hans', ['users.write'])
    const roya = await aUser(site, staff.roya)
    const { transaction, dialect } = site.app.context()
    let late: Promise<Response> | undefined

    await transaction(async (tx) => {
      await dialect.lock(tx, 'people')
      late = hans.delete(`/api/users/${roya}`)
      // On SQLite the request waits before its session is read.
      if (database === 'postgres') await waitUntil(() => waitingForLock(site), 'the call to wait')
      await tx.updateTable('user').set({ role_id: null }).where('id', '=', hans.id).execute()
    })

    expect((await late)?.status).toBe(403)
    expect(await userNow(site, roya)).toBeDefined()
  })

  test('a user who is blocked while their request waits can do no more', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const roya = await aUser(site, staff.roya)
    const { transaction, dialect } = site.app.context()
    let late: Promise<Response> | undefined

    await transaction(async (tx) => {
      await dialect.lock(tx, 'people')
      late = bente.post('/api/roles', { name: 'Nieuw', rights: [] })
      if (database === 'postgres') await waitUntil(() => waitingForLock(site), 'the call to wait')
      await tx.updateTable('user').set({ blocked: 1 }).where('id', '=', bente.id).execute()
    })

    expect((await late)?.status).toBe(401)
    expect(await userNow(site, roya)).toBeDefined()
    expect(await site.db.selectFrom('role').where('name', '=', 'Nieuw').select('id').execute()).toEqual([])
  })
})

async function waitingForLock(site: TestApp): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_locks where locktype = 'advisory' and not granted
    and database = (select oid from pg_database where datname = current_database())`.execute(site.db)
  return rows.length > 0
}

describe.each(databases)('when the rights of a user grow, on %s', (database) => {
  /** Noor, whose password Hans chose: she may write users and no more. */
  const withNoor = async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const hans = await signInWithRights(site, 'Hans', ['users.read', 'users.write'])
    const noor = { email: 'noor@example.nl', name: 'Noor' }
    const made = await (await hans.post('/api/users', { ...noor, password: 'gekozen-door-hans' })).json()
    return { site, bente, hans, noor: { ...noor, id: made.id as number } }
  }

  test.each(['by changing the user', 'among many', 'by changing their role', 'by changing the base role'] as const)(
    'the existing sessions and links of that user end, %s',
    async (how) => {
      const { site, bente, hans, noor } = await withNoor()
      const small = await aRole(site, 'Klein', [])
      if (how === 'by changing their role') await bente.post('/api/users/role', { ids: [noor.id], roleId: small })
      const session = await signInWithPassword(site, noor.email, 'gekozen-door-hans')
      const { url } = await (await hans.post(`/api/users/${noor.id}/password-link`, { by: 'show' })).json()
      const rights = ['pages.write']

      const answer = await {
        'by changing the user': () =>
          bente.put(`/api/users/${noor.id}`, { email: noor.email, user_role: { set: [2] } }),
        'among many': () => bente.post('/api/users/role', { ids: [noor.id], roleId: 2 }),
        'by changing their role': () => bente.put(`/api/roles/${small}`, { name: 'Klein', rights }),
        'by changing the base role': () => bente.put('/api/roles/1', { name: 'Geregistreerd', rights }),
      }[how]()

      expect(answer.status).toBe(200)
      expect((await session.get('/api/me')).status).toBe(401)
      expect((await site.request(new URL(url).pathname + new URL(url).search)).status).toBe(404)
      // The manager who made the change has those rights already, and stays signed in.
      expect((await bente.get('/api/me')).status).toBe(200)
    },
  )

  test('a password that somebody else chose stops working, and its user gets a link to choose one', async () => {
    const { site, bente, noor } = await withNoor()
    await bente.post('/api/users/role', { ids: [noor.id], roleId: 2 })
    const visitor = aVisitor(site)

    const answer = await visitor.post('/api/login', { identifier: noor.email, password: 'gekozen-door-hans' })

    expect(await codeOf(answer)).toEqual([403, 'password_expired'])
    expect((await visitor.get('/api/me')).status).toBe(401)
    expect(await site.db.selectFrom('session').where('user_id', '=', noor.id).select('id').execute()).toEqual([])
    const [mail] = await waitUntil(async () => {
      const mails = await site.writtenEmails()
      return mails.length > 0 && mails
    }, 'the email with the link')
    expect(mail?.to).toMatchObject({ text: expect.stringContaining(noor.email) })
    const token = /token=([\w-]{43})/.exec(mail?.text ?? '')?.[1] ?? ''
    const mine = { password: 'een eigen zin van Noor', repeat: 'een eigen zin van Noor' }
    expect((await visitor.submitForm('/wachtwoord', { token, ...mine })).status).toBe(303)
    expect((await signInWithPassword(site, noor.email, mine.password)).cookie).toContain('session')
  })

  describe('a password that a manager could know stops working', () => {
    const chosen = 'hans kent deze zin ook'
    const withRoya = async () => {
      const { site, bente, hans } = await withNoor()
      return { site, bente, hans, roya: await aUser(site, staff.roya) }
    }
    const isExpired = async (site: TestApp, password: string, email: string = staff.roya.email) =>
      codeOf(await aVisitor(site).post('/api/login', { identifier: email, password }))

    test('when it was set by a link that was shown to the manager', async () => {
      const { site, bente, hans, roya } = await withRoya()
      const { url } = await (await hans.post(`/api/users/${roya}/password-link`, { by: 'show' })).json()
      await setByLink(site, url, chosen)
      expect((await signInWithPassword(site, staff.roya.email, chosen)).cookie).toContain('session')

      await bente.post('/api/users/role', { ids: [roya], roleId: 2 })

      expect(await isExpired(site, chosen)).toEqual([403, 'password_expired'])
      await setByLink(site, await mailedLink(site), 'een zin die Roya alleen kent')
      expect((await signInWithPassword(site, staff.roya.email, 'een zin die Roya alleen kent')).cookie).toContain(
        'session',
      )
    })

    test('when the user changed a password from the manager in the profile', async () => {
      const { site, bente, noor } = await withNoor()
      const asNoor = await signInWithPassword(site, noor.email, 'gekozen-door-hans')
      const change = { email: noor.email, name: 'Noor', locale: 'nl', currentPassword: 'gekozen-door-hans' }
      expect((await asNoor.put('/api/profile', { ...change, password: chosen })).status).toBe(200)

      await bente.post('/api/users/role', { ids: [noor.id], roleId: 2 })

      expect(await isExpired(site, chosen, noor.email)).toEqual([403, 'password_expired'])
    })

    test('when the user changed a password from a manager by the users API', async () => {
      const { site, bente, noor } = await withNoor()
      const small = await aRole(site, 'Klein', ['users.write'])
      await bente.put(`/api/users/${noor.id}`, {
        email: noor.email,
        password: 'gekozen-door-bente',
        user_role: { set: [small] },
      })
      const asNoor = await signInWithPassword(site, noor.email, 'gekozen-door-bente')
      const change = { email: noor.email, password: chosen, user_role: { set: [small] } }
      expect((await asNoor.put(`/api/users/${noor.id}`, change)).status).toBe(200)

      await bente.post('/api/users/role', { ids: [noor.id], roleId: 2 })

      expect(await isExpired(site, chosen, noor.email)).toEqual([403, 'password_expired'])
    })

    test('when it was set while the manager had changed the address', async () => {
      const { site, bente, hans, roya } = await withRoya()
      await hans.put(`/api/users/${roya}`, { email: 'alias@example.nl' })
      await aVisitor(site).submitForm('/wachtwoord-vergeten', { email: 'alias@example.nl' })
      await setByLink(site, await mailedLink(site), chosen)
      await hans.put(`/api/users/${roya}`, { email: staff.roya.email })

      await bente.post('/api/users/role', { ids: [roya], roleId: 2 })

      expect(await isExpired(site, chosen)).toEqual([403, 'password_expired'])
    })
  })

  test('a password set by an emailed link, or by a link from the operator, stays valid', async () => {
    const { site, bente, hans, noor } = await withNoor()
    const mine = 'een eigen zin van Noor'
    for (const makeLink of [
      async () => {
        await hans.post(`/api/users/${noor.id}/password-link`, { by: 'mail' })
        return mailedLink(site)
      },
      async () => (await createPasswordLinkForEmail(site.app.context(), noor.email)) ?? '',
    ]) {
      await setByLink(site, await makeLink(), mine)
      await bente.post('/api/users/role', { ids: [noor.id], roleId: 2 })
      expect((await signInWithPassword(site, noor.email, mine)).cookie).toContain('session')
      await bente.put(`/api/users/${noor.id}`, { email: noor.email, password: 'gekozen-door-bente' })
    }
  })

  test.each(['by the user', 'by their role'])(
    'passkeys that were added under a password from a manager are deleted, also after the user chose a new one: %s',
    async (how) => {
      const { site, bente, noor } = await withNoor()
      const small = await aRole(site, 'Klein', [])
      await bente.post('/api/users/role', { ids: [noor.id], roleId: small })
      const asNoor = await signInWithPassword(site, noor.email, 'gekozen-door-hans')
      await aStoredPasskey(site, noor.id)
      await aVisitor(site).submitForm('/wachtwoord-vergeten', { email: noor.email })
      await setByLink(site, await mailedLink(site), 'een eigen zin van Noor')
      expect((await asNoor.get('/api/me')).status).toBe(401)
      const passkeys = () => site.db.selectFrom('passkey').select('id').execute()
      expect(await passkeys()).toHaveLength(1)

      if (how === 'by the user') await bente.post('/api/users/role', { ids: [noor.id], roleId: 2 })
      else await bente.put(`/api/roles/${small}`, { name: 'Klein', rights: ['pages.write'] })

      expect(await passkeys()).toEqual([])
      expect((await signInWithPassword(site, noor.email, 'een eigen zin van Noor')).cookie).toContain('session')
    },
  )

  test('the login page explains why, and a wrong password does not reveal it', async () => {
    const { site, bente, noor } = await withNoor()
    await bente.post('/api/users/role', { ids: [noor.id], roleId: 2 })
    const visitor = aVisitor(site)

    const right = await visitor.submitForm('/login', { identifier: noor.email, password: 'gekozen-door-hans' })
    const wrong = await visitor.submitForm('/login', { identifier: noor.email, password: 'geraden-woord' })

    expect(await right.text()).toContain('Kies eerst een nieuw wachtwoord')
    expect(await wrong.text()).toContain('Onjuiste inloggegevens!')
  })

  test('a password that the user chose stays valid, and so does any password when no right is added', async () => {
    const { site, bente, hans, noor } = await withNoor()
    const roya = await as(site, 'roya')
    await bente.post('/api/users/role', { ids: [roya.id], roleId: 3 })
    expect((await signInWithPassword(site, staff.roya.email)).cookie).toContain('session')

    const session = await signInWithPassword(site, noor.email, 'gekozen-door-hans')
    const empty = await aRole(site, 'Leeg', [])
    await bente.post('/api/users/role', { ids: [noor.id], roleId: empty })
    await hans.put(`/api/users/${noor.id}`, { email: noor.email, name: 'Noor Jansen', user_role: { set: [empty] } })
    expect((await session.get('/api/me')).status).toBe(200)
  })

  test('a user who gets rights and a password in one change signs in with that password', async () => {
    const { site, bente, noor } = await withNoor()
    const password = 'samen-gekozen'
    await bente.put(`/api/users/${noor.id}`, { email: noor.email, password, user_role: { set: [3] } })
    expect((await signInWithPassword(site, noor.email, password)).cookie).toContain('session')
  })
})

async function setByLink(site: TestApp, url: string, password: string): Promise<void> {
  const token = new URL(url).searchParams.get('token') ?? ''
  const answer = await aVisitor(site).submitForm('/wachtwoord', { token, password, repeat: password })
  expect(answer.status).toBe(303)
}

/** The password link in the newest email. */
async function mailedLink(site: TestApp): Promise<string> {
  return waitUntil(async () => {
    const links = (await site.writtenEmails()).flatMap(
      ({ text }) => /https?:\/\/\S+\?token=[\w-]{43}/.exec(text ?? '') ?? [],
    )
    return links.at(-1)
  }, 'the email with the link')
}

/** A passkey that is stored without an authenticator. */
async function aStoredPasskey(site: TestApp, userId: number): Promise<void> {
  await site.db
    .insertInto('passkey')
    .values({
      user_id: userId,
      public_key: 'key',
      credential_id: 'credential',
      counter: 0,
      device_type: 'singleDevice',
      backed_up: 0,
    })
    .execute()
}

describe('a sign-in more than ten minutes ago', () => {
  test.each(databases)('on %s: risky actions ask for the password, others do not', async (database) => {
    let now = new Date()
    const site = await aTestApp({ database, now: () => now })
    const bente = await as(site, 'beheerder')
    const roya = await aUser(site, staff.roya)
    const empty = await aRole(site, 'Leeg', [])
    now = new Date(now.getTime() + 11 * 60_000)
    const { email } = staff.roya

    const risky: [string, Promise<Response>][] = [
      ['a new user with rights', bente.post('/api/users', { email: 'x@example.nl', user_role: { set: [2] } })],
      ['a role', bente.put(`/api/users/${roya}`, { email, user_role: { set: [3] } })],
      ['an address', bente.put(`/api/users/${roya}`, { email: 'x@example.nl' })],
      ['a password', bente.put(`/api/users/${roya}`, { email, password: 'anders-1' })],
      ['a role for many', bente.post('/api/users/role', { ids: [roya], roleId: 3 })],
      ['a link', bente.post(`/api/users/${roya}/password-link`, { by: 'show' })],
      ['an export', bente.get('/api/users/export')],
      ['a new role', bente.post('/api/roles', { name: 'x', rights: [] })],
      ['a changed role', bente.put(`/api/roles/${empty}`, { name: 'x', rights: [] })],
      ['a deleted role', bente.delete(`/api/roles/${empty}`)],
    ]
    for (const [what, answer] of risky) {
      expect([what, ...(await codeOf(await answer))]).toEqual([what, 403, 'password_needed'])
    }
    expect((await bente.put(`/api/users/${roya}`, { email, name: 'Roya Moradi' })).status).toBe(200)
    expect((await bente.post('/api/users/block', { ids: [roya] })).status).toBe(200)
    expect(
      (await bente.post('/api/users', { email: 'y@example.nl', password: 'welkom-1', user_role: { set: [empty] } }))
        .status,
    ).toBe(201)
  })
})
