import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { aRole, someoneWith } from '../support/roles.ts'
import { as, aUser, staff } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'
import { until } from '../support/until.ts'

const codeOf = async (answer: Response) => [answer.status, (await answer.json()).code]
const notHeld = [403, 'right_not_held']
const userNow = (site: TestApp, id: number) =>
  site.db.selectFrom('user').where('id', '=', id).select(['email', 'blocked', 'role_id']).executeTakeFirst()

describe.each(databases)('on %s', (database) => {
  test('nobody gives a right that they do not hold, by any call', async () => {
    const site = await aTestApp({ database })
    await as(site, 'beheerder')
    const hans = await someoneWith(site, 'Hans', ['users.read', 'users.write', 'roles.write'])
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

  test('a role that one has oneself gains nothing by being edited, and loses what one holds', async () => {
    const site = await aTestApp({ database })
    await as(site, 'beheerder')
    const hans = await someoneWith(site, 'Hans', ['users.read', 'roles.write'])
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

  test('nobody changes a user who holds more than they do, by any call', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const hans = await someoneWith(site, 'Hans', ['users.read', 'users.write'])
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
      ['a letter', hans.post('/api/notification/email', { brandingId: 1, templateId: 'updatedUser', to: email })],
    ]
    for (const [what, answer] of tries) expect([what, ...(await codeOf(await answer))]).toEqual([what, ...notHeld])

    expect(await userNow(site, bente.id)).toEqual(before)
    expect((await bente.get('/api/me')).status).toBe(200)
    expect(await site.db.selectFrom('outbox').select('id').execute()).toEqual([])
    expect(await site.db.selectFrom('user_link').select('id').execute()).toEqual([])
  })

  test('nobody changes a role that holds more than they do', async () => {
    const site = await aTestApp({ database })
    await as(site, 'beheerder')
    const hans = await someoneWith(site, 'Hans', ['roles.write', 'pages.write'])

    const answers = [
      await hans.put('/api/roles/2', { name: 'Beheerder', rights: [] }),
      await hans.put('/api/roles/3', { name: 'Redacteur', rights: ['pages.write'] }),
      await hans.delete('/api/roles/3'),
    ]

    for (const answer of answers) expect(await codeOf(answer)).toEqual(notHeld)
    const rights = await site.db.selectFrom('role_right').where('role_id', '=', 3).select('right_name').execute()
    expect(rights).toHaveLength(3)
  })

  test('a right that the base role gives counts as held by everyone', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const roya = await as(site, 'roya')
    expect((await roya.get('/api/audit')).status).toBe(403)

    await bente.put('/api/roles/1', { name: 'Geregistreerd', rights: ['audit.read'] })

    expect((await roya.get('/api/audit')).status).toBe(200)
    expect((await (await roya.get('/api/me')).json()).rights).toEqual(['audit.read'])
  })

  test('the last user who can manage users is not deleted, blocked or stripped', async () => {
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

  test('two managers who strip or block each other at once: one of them stays', async () => {
    const site = await aTestApp({ database })
    for (const way of ['strip', 'block', 'themselves'] as const) {
      await site.db.deleteFrom('user').execute()
      const bente = await as(site, 'beheerder')
      const carla = await someoneWith(site, `Carla${way}`, [])
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

  test('a role that is deleted while it is given: it is in use, or it is not given', async () => {
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

  test('who is stripped while their call waits its turn can do no more', async () => {
    const site = await aTestApp({ database })
    await as(site, 'beheerder')
    const hans = await someoneWith(site, 'Hans', ['users.write'])
    const roya = await aUser(site, staff.roya)
    const { transaction, dialect } = site.app.context()
    let late: Promise<Response> | undefined

    await transaction(async (tx) => {
      await dialect.lock(tx, 'people')
      late = hans.delete(`/api/users/${roya}`)
      // On SQLite the call waits before its session is looked up.
      if (database === 'postgres') await until(() => waitingForLock(site), 'the call to wait')
      await tx.updateTable('user').set({ role_id: null }).where('id', '=', hans.id).execute()
    })

    expect((await late)?.status).toBe(403)
    expect(await userNow(site, roya)).toBeDefined()
  })

  test('who is blocked while their call waits its turn can do no more', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const roya = await aUser(site, staff.roya)
    const { transaction, dialect } = site.app.context()
    let late: Promise<Response> | undefined

    await transaction(async (tx) => {
      await dialect.lock(tx, 'people')
      late = bente.post('/api/roles', { name: 'Nieuw', rights: [] })
      if (database === 'postgres') await until(() => waitingForLock(site), 'the call to wait')
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

describe('a sign-in of longer than ten minutes ago', () => {
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
