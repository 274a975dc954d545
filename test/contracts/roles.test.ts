import { describe, expect, test } from 'vitest'
import { rights } from '../../src/contract/rights.ts'
import { databases } from '../support/databases.ts'
import { as, aUser, staff } from '../support/staff.ts'
import { aTestApp } from '../support/test-app.ts'

const codeOf = async (answer: Response) => [answer.status, (await answer.json()).code]

describe.each(databases)('on %s', (database) => {
  test('spec 3 and 6 role: an id and a list of right names, and the number of users who have it', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    await aUser(site, staff.redacteur)
    await aUser(site, { name: 'Ria', email: 'ria@example.nl', roleId: 3, blocked: true })
    await aUser(site, staff.roya)

    const { data } = await (await bente.get('/api/roles')).json()

    expect(data).toMatchObject([
      { id: 1, name: 'Geregistreerd', rights: [], users: 4, can: { change: true, delete: false } },
      { id: 2, name: 'Beheerder', rights, users: 1, can: { change: true, delete: false } },
      { id: 3, name: 'Redacteur', rights: ['pages.write', 'pages.publish', 'files.write'], users: 2 },
    ])
    await bente.post('/api/users/role', { ids: [bente.id + 1], roleId: null })
    expect(await (await bente.get('/api/roles/3')).json()).toMatchObject({ users: 1 })
  })

  test('spec 6 a user has a role that carries rights: it is added, changed for everyone who has it, and deleted', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const roya = await as(site, 'roya')
    // Her sessions end when her rights grow, so she signs in again.
    const rightsOfRoya = async () => (await (await (await as(site, 'roya')).get('/api/me')).json()).rights

    const added = await bente.post('/api/roles', { name: ' Lezer ', rights: ['messages.read', 'messages.read'] })
    expect(added.status).toBe(201)
    const role = await added.json()
    expect(role).toMatchObject({ name: 'Lezer', rights: ['messages.read'], users: 0, version: 1 })
    await bente.post('/api/users/role', { ids: [roya.id], roleId: role.id })
    expect((await roya.get('/api/me')).status).toBe(401)
    expect(await rightsOfRoya()).toEqual(['messages.read'])

    const changed = await bente.put(`/api/roles/${role.id}`, {
      name: 'Lezer',
      rights: ['audit.read', 'users.read'],
      version: 1,
    })
    expect(await changed.json()).toMatchObject({ rights: ['users.read', 'audit.read'], version: 2, users: 1 })
    expect((await rightsOfRoya()).sort()).toEqual(['audit.read', 'users.read'])

    expect(await codeOf(await bente.delete(`/api/roles/${role.id}`))).toEqual([409, 'role_in_use'])
    await bente.post('/api/users/role', { ids: [roya.id], roleId: null })
    expect((await bente.delete(`/api/roles/${role.id}`)).status).toBe(204)
    expect((await bente.get(`/api/roles/${role.id}`)).status).toBe(404)
  })

  test('neither the base role nor a role that only a blocked user has can be deleted', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    await aUser(site, { name: 'Ria', email: 'ria@example.nl', roleId: 3, blocked: true })

    expect(await codeOf(await bente.delete('/api/roles/1'))).toEqual([409, 'base_role'])
    expect(await codeOf(await bente.delete('/api/roles/3'))).toEqual([409, 'role_in_use'])
  })

  test('role names are unique, and an outdated version is refused', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')

    const taken = await bente.post('/api/roles', { name: 'Redacteur', rights: [] })
    expect((await taken.json()).errors).toEqual([{ path: 'name', message: 'Deze waarde is al in gebruik.' }])
    await bente.put('/api/roles/3', { name: 'Schrijver', rights: ['pages.write'], version: 1 })
    const late = await bente.put('/api/roles/3', { name: 'Laat', rights: [], version: 1 })
    expect(await late.json()).toMatchObject({ code: 'stale', current: { name: 'Schrijver', rights: ['pages.write'] } })
    expect((await bente.put('/api/roles/3', { name: 'Beheerder', rights: [] })).status).toBe(422)
  })
})

test('a role with a right that does not exist, without a list or name, or with other fields, is refused', async () => {
  const site = await aTestApp()
  const bente = await as(site, 'beheerder')

  for (const body of [
    { name: 'x', rights: ['users.all'] },
    { name: 'x' },
    { id: 2, name: 'x', rights: [] },
    { name: 'x', rights: [], users: [1] },
    { name: '', rights: [] },
  ]) {
    const answers = [await bente.post('/api/roles', body), await bente.put('/api/roles/3', body)]
    expect([body, ...answers.map(({ status }) => status)]).toEqual([body, 422, 422])
  }
})

test('rights are grouped and described in the language of the request', async () => {
  const site = await aTestApp()
  const roya = await as(site, 'roya')

  const dutch = await (await roya.get('/api/rights')).json()
  const persian = await (await roya.request('/api/rights', { headers: { 'Accept-Language': 'fa' } })).json()

  const names = (list: typeof dutch) =>
    list.data.flatMap((group: { rights: { name: string }[] }) => group.rights.map(({ name }) => name))
  expect(names(dutch)).toEqual(rights)
  expect(names(persian)).toEqual(rights)
  expect(dutch.data[0]).toMatchObject({ group: 'users', label: 'Gebruikers en rollen' })
  expect(dutch.data[0].rights[0]).toMatchObject({
    label: 'Gebruikers bekijken',
    explanation: expect.stringContaining('Ziet'),
  })
  expect(persian.data[0].rights[0].label).toBe('دیدن کاربران')
})
