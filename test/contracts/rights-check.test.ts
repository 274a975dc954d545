import { describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { aRole, signInWithRights } from '../support/roles.ts'
import { as, aUser, json, staff, withSession } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'
import { aPdf } from '../support/uploads.ts'

const codeOf = async (answer: Response) => [answer.status, (await answer.json()).code]
const rightsOf = async (site: TestApp, roleId: number) =>
  (await site.db.selectFrom('role_right').where('role_id', '=', roleId).select('right_name').execute()).length

describe.each(databases)('spec 6 rights check on %s', (database) => {
  test('it fails when nobody is signed in, also with an empty list', async () => {
    const site = await aTestApp({ database })
    const gone = await as(site, 'beheerder')
    await gone.post('/api/logout')

    for (const path of ['/api/rights', '/api/me', '/api/users']) {
      expect([path, ...(await codeOf(await site.request(path)))]).toEqual([path, 401, 'signed_out'])
      expect([path, ...(await codeOf(await gone.get(path)))]).toEqual([path, 401, 'signed_out'])
    }
  })

  test('a user has the rights of the base role and of the own role, and no others', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const rik = await as(site, 'redacteur')
    await bente.put('/api/roles/1', { name: 'Geregistreerd', rights: ['audit.read'] })

    // The base role gave Rik another right, so his session ended.
    expect((await rik.get('/api/me')).status).toBe(401)
    const again = await withSession(site, rik.id)
    expect((await (await again.get('/api/me')).json()).rights.sort()).toEqual(
      ['audit.read', 'files.write', 'pages.publish', 'pages.write'].sort(),
    )
    expect([(await again.get('/api/audit')).status, (await again.get('/api/users')).status]).toEqual([200, 403])
  })
  test('a user who is blocked or loses a right while the body of a request arrives is refused, also an upload', async () => {
    const site = await aTestApp({ database })
    const [bente, rik] = [await as(site, 'beheerder'), await as(site, 'redacteur')]
    const title = 'Te laat'
    const send = async (path: string, content: string | Uint8Array, meanwhile: () => Promise<Response>) => {
      const type = typeof content === 'string' ? 'application/json' : 'application/octet-stream'
      const body = new ReadableStream(
        {
          async pull(controller) {
            expect((await meanwhile()).ok).toBe(true)
            controller.enqueue(Buffer.from(content))
            controller.close()
          },
        },
        // Only read after the session and the rights were checked.
        { highWaterMark: 0 },
      )
      const init = { method: 'POST', headers: { 'Content-Type': type }, body, duplex: 'half' } as RequestInit
      return codeOf(await rik.request(path, init))
    }
    const page = JSON.stringify({ title, locale: 'nl' })
    const takeRights = () => bente.put('/api/roles/3', { name: 'Redacteur', rights: [] })
    expect(await send('/api/pages', page, takeRights)).toEqual([403, 'not_allowed'])
    await bente.put('/api/roles/3', { name: 'Redacteur', rights: ['pages.write', 'files.write'] })
    Object.assign(rik, await withSession(site, rik.id))
    const block = () => bente.post('/api/users/block', { ids: [rik.id] })
    expect(await send('/api/files?name=folder.pdf', aPdf(), block)).toEqual([401, 'signed_out'])
    await bente.post('/api/users/unblock', { ids: [rik.id] })
    Object.assign(rik, await withSession(site, rik.id))
    expect(await send('/api/pages', page, block)).toEqual([401, 'signed_out'])
    expect((await (await bente.get(`/api/pages?search=${encodeURIComponent(title)}`)).json()).data).toEqual([])
    expect((await (await bente.get('/api/files')).json()).data).toEqual([])
  })
})

describe.each(databases)('an empty list in a request, on %s', (database) => {
  test('no ids: nobody is blocked, unblocked or given a role, and nothing is logged', async () => {
    const site = await aTestApp({ database })
    const [bente, roya] = [await as(site, 'beheerder'), await as(site, 'roya')]
    const blocked = await aUser(site, { name: 'Ria', email: 'ria@example.nl', blocked: true })

    for (const [call, more] of [
      ['block', {}],
      ['unblock', {}],
      ['role', { roleId: 2 }],
      ['role', { roleId: null }],
    ] as const) {
      const answer = await bente.post(`/api/users/${call}`, { ids: [], ...more })
      expect([answer.status, (await answer.json()).errors]).toEqual([
        422,
        [{ path: 'ids', message: 'Dit is een verplicht veld!' }],
      ])
    }
    // The right is required for an empty list too.
    expect(await codeOf(await roya.post('/api/users/block', { ids: [] }))).toEqual([403, 'not_allowed'])
    const users = await site.db.selectFrom('user').select(['id', 'blocked', 'role_id']).orderBy('id').execute()
    expect(users).toEqual([
      { id: bente.id, blocked: 0, role_id: 2 },
      { id: roya.id, blocked: 0, role_id: null },
      { id: blocked, blocked: 1, role_id: null },
    ])
    expect(await site.db.selectFrom('audit').select('id').execute()).toEqual([])
  })

  test('no role to set: it removes the role, and needs the same rights as another role', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const wim = await signInWithRights(site, 'Wim', ['users.read', 'users.write'])
    const rik = await aUser(site, staff.redacteur)
    const roleOf = async (id: number) =>
      (await site.db.selectFrom('user').where('id', '=', id).select('role_id').executeTakeFirstOrThrow()).role_id
    const none = (email: string) => ({ email, user_role: { set: [] } })

    for (const [id, { email, roleId }] of [
      [bente.id, staff.beheerder],
      [rik, staff.redacteur],
    ] as const) {
      expect(await codeOf(await wim.put(`/api/users/${id}`, none(email)))).toEqual([403, 'right_not_held'])
      expect(await roleOf(id)).toBe(roleId)
    }
    await bente.delete(`/api/users/${wim.id}`)
    const own = await bente.put(`/api/users/${bente.id}`, none(staff.beheerder.email))
    expect(await codeOf(own)).toEqual([409, 'last_manager'])
    expect(await roleOf(bente.id)).toBe(2)

    expect((await bente.put(`/api/users/${rik}`, none(staff.redacteur.email))).status).toBe(200)
    expect(await roleOf(rik)).toBeNull()
    const made = await (await bente.post('/api/users', none('leeg@example.nl'))).json()
    expect(made).toMatchObject({ user_role: null, role: { id: 1, rights: [] } })
  })

  test('no role to connect: everyone keeps the base role', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const roya = await aUser(site, staff.roya)
    const body = (email: string) => ({ email, name: 'Anders', role: { connect: [] } })

    const answers = [
      await bente.post('/api/users', body('nieuw@example.nl')),
      await bente.put(`/api/users/${roya}`, body(staff.roya.email)),
    ]
    for (const answer of answers) {
      expect([answer.status, (await answer.json()).errors[0].path]).toEqual([422, 'role.connect'])
    }
    const { data } = await (await bente.get('/api/users?roleId=1')).json()
    expect(data.map((user: { name: string }) => user.name)).toEqual([staff.beheerder.name, staff.roya.name])
  })

  test('no rights: a role can be emptied only by a user who has its rights, and not for the last manager', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const rolf = await signInWithRights(site, 'Rolf', ['roles.write'])
    const rik = await as(site, 'redacteur')

    expect(await codeOf(await rolf.put('/api/roles/3', { name: 'Redacteur', rights: [] }))).toEqual([
      403,
      'right_not_held',
    ])
    expect(await rightsOf(site, 3)).toBe(3)
    const last = await bente.put('/api/roles/2', { name: 'Beheerder', rights: [] })
    expect(await codeOf(last)).toEqual([409, 'last_manager'])
    expect(await rightsOf(site, 2)).toBeGreaterThan(3)

    expect((await bente.put('/api/roles/3', { name: 'Redacteur', rights: [] })).status).toBe(200)
    expect((await (await rik.get('/api/me')).json()).rights).toEqual([])
  })

  test('a role without rights gives access to nothing that needs one', async () => {
    const site = await aTestApp({ database })
    const rolf = await signInWithRights(site, 'Rolf', ['roles.write'])
    const made = await rolf.post('/api/roles', { name: 'Leeg', rights: [] })
    expect([made.status, (await made.json()).rights]).toEqual([201, []])
    const roleId = await aRole(site, 'Ook leeg', [])
    await aUser(site, { ...staff.roya, roleId })
    const roya = await as(site, 'roya')

    for (const path of ['/api/users', '/api/roles', '/api/audit', '/api/users/export']) {
      expect([path, (await roya.get(path)).status]).toEqual([path, 403])
    }
    expect((await roya.post('/api/roles', { name: 'x', rights: [] })).status).toBe(403)
  })
})

test('a missing or malformed list in a request is refused', async () => {
  const site = await aTestApp()
  const bente = await as(site, 'beheerder')
  const roya = await aUser(site, staff.roya)

  for (const list of [null, {}, '', 0, [null], [[]], [''], { length: 0 }]) {
    const calls = [
      await bente.post('/api/users/block', { ids: list }),
      await bente.put(`/api/users/${roya}`, { email: staff.roya.email, user_role: { set: list } }),
      await bente.put(`/api/users/${roya}`, { email: staff.roya.email, role: { connect: list } }),
      await bente.put('/api/roles/3', { name: 'Redacteur', rights: list }),
      await bente.request('/api/roles', json('POST', { name: 'x', rights: list })),
    ]
    expect([list, ...calls.map(({ status }) => status)]).toEqual([list, 422, 422, 422, 422, 422])
  }
  expect(await rightsOf(site, 3)).toBe(3)
})
