import { describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { as, aUser, staff } from '../support/staff.ts'
import { aTestApp } from '../support/test-app.ts'

describe.each(databases)('on %s', (database) => {
  test('spec 4 blocked, bulk: several users are blocked, unblocked and given a role at once', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const [rik, roya] = [await as(site, 'redacteur'), await as(site, 'roya')]
    const ids = [rik.id, roya.id]

    const blocked = await bente.post('/api/users/block', { ids })
    expect(blocked.status).toBe(200)
    expect((await blocked.json()).data).toMatchObject([
      { id: rik.id, blocked: true },
      { id: roya.id, blocked: true },
    ])
    expect((await rik.get('/api/me')).status).toBe(401)
    expect((await roya.get('/api/me')).status).toBe(401)
    expect(await site.db.selectFrom('session').where('user_id', 'in', ids).select('id').execute()).toEqual([])

    expect((await (await bente.post('/api/users/unblock', { ids })).json()).data).toMatchObject([
      { blocked: false },
      { blocked: false },
    ])
    expect((await (await bente.post('/api/users/role', { ids, roleId: 3 })).json()).data).toMatchObject([
      { user_role: { id: 3 } },
      { user_role: { id: 3 } },
    ])
    expect((await (await bente.post('/api/users/role', { ids, roleId: null })).json()).data).toMatchObject([
      { user_role: null },
      { user_role: null },
    ])
    const actions = await site.db.selectFrom('audit').select(['action', 'subject_id']).orderBy('id').execute()
    // Rik had the role already, so he has no new row.
    expect(actions.map((row) => row.action)).toEqual([
      'user.blocked',
      'user.blocked',
      'user.unblocked',
      'user.unblocked',
      'user.role_given',
      'user.role_given',
      'user.role_given',
    ])
  })

  test('when one user may not be changed, none is', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const roya = await as(site, 'roya')

    const own = await bente.post('/api/users/block', { ids: [roya.id, bente.id] })
    expect([own.status, (await own.json()).code]).toEqual([409, 'own_account'])
    const unknown = await bente.post('/api/users/block', { ids: [roya.id, 99_999] })
    expect([unknown.status, (await unknown.json()).errors]).toEqual([
      422,
      [{ path: 'ids.1', message: 'Deze gebruiker bestaat niet.' }],
    ])
    const role = await bente.post('/api/users/role', { ids: [roya.id], roleId: 99_999 })
    expect([role.status, (await role.json()).errors[0].path]).toEqual([422, 'roleId'])
    expect((await roya.get('/api/me')).status).toBe(200)
    expect(await site.db.selectFrom('audit').select('id').execute()).toEqual([])
  })

  test('an id that occurs twice counts once', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const roya = await aUser(site, staff.roya)

    const answer = await bente.post('/api/users/block', { ids: [roya, roya] })

    expect((await answer.json()).data).toHaveLength(1)
    expect(await site.db.selectFrom('audit').select('id').execute()).toHaveLength(1)
  })

  test('the export is a file for a spreadsheet, with every user of the list and without formulas', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    await aUser(site, { name: '=HYPERLINK("http://evil.example";"Klik")', email: 'formule@example.nl', roleId: 3 })
    await aUser(site, { name: '+31 "Jan"', email: 'plus@example.nl', roleId: 3, blocked: true })
    await aUser(site, staff.roya)

    const answer = await bente.get('/api/users/export?roleId=3&sort=email')

    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present')
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="users-\d{4}-\d\d-\d\d\.csv"/)
    expect(answer.headers.get('cache-control')).toMatch(/no-store/)
    const bytes = new Uint8Array(await answer.arrayBuffer())
    expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    const lines = new TextDecoder().decode(bytes).split('\r\n')
    expect(lines[0]).toBe('sep=;')
    expect(lines[1]).toBe(
      '"Nummer";"Naam";"E-mail";"Rol";"Geblokkeerd";"Taal";"Inloggen in twee stappen";"Laatst ingelogd";"Toegevoegd"',
    )
    expect(lines[2]).toContain(`"'=HYPERLINK(""http://evil.example"";""Klik"")";"formule@example.nl";"Redacteur";"nee"`)
    expect(lines[3]).toContain(`"'+31 ""Jan""";"plus@example.nl";"Redacteur";"ja"`)
    expect(lines.slice(4)).toEqual([''])
    const [row] = await site.db.selectFrom('audit').select(['action', 'after']).execute()
    expect([row?.action, JSON.parse(row?.after ?? '')]).toEqual([
      'users.exported',
      { users: 2, roleId: [3], sort: 'email' },
    ])
  })

  test('in Persian the export translates the names of predefined roles, unless a person renamed them', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    await as(site, 'redacteur')
    const exportInPersian = async () => {
      const answer = await bente.request('/api/users/export', { headers: { 'Accept-Language': 'fa' } })
      return await answer.text()
    }

    const before = await exportInPersian()
    expect(before).toContain('"bente@example.nl";"مدیر";"خیر"')
    expect(before).toContain('"rik@example.nl";"ویراستار";"خیر"')
    await bente.put('/api/roles/3', { name: 'Schrijver', rights: ['pages.write'] })
    expect(await exportInPersian()).toContain('"rik@example.nl";"Schrijver";"خیر"')
  })

  test('an export of selected users has only those, in their order, without deleted users', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const rik = await aUser(site, staff.redacteur)
    const roya = await aUser(site, staff.roya)

    const answer = await bente.post('/api/users/export', { ids: [roya, 999_999, rik] })

    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="users-/)
    const lines = (await answer.text()).trim().split('\r\n').slice(2)
    expect(lines.map((line) => line.split(';')[0])).toEqual([`"${roya}"`, `"${rik}"`])
    const [row] = await site.db.selectFrom('audit').select(['action', 'after']).execute()
    expect([row?.action, JSON.parse(row?.after ?? '')]).toEqual(['users.exported', { users: 3 }])
  })

  test('an export of more than one batch has every user once', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const at = new Date().toISOString()
    const many = Array.from({ length: 1_203 }, (_, index) => `gebruiker${String(index).padStart(4, '0')}@example.nl`)
    for (let from = 0; from < many.length; from += 200) {
      await site.db
        .insertInto('user')
        .values(many.slice(from, from + 200).map((email) => ({ email, name: email, created_at: at, updated_at: at })))
        .execute()
    }

    const text = await (await bente.get('/api/users/export?search=gebruiker&sort=-email')).text()

    const emails = text
      .trim()
      .split('\r\n')
      .slice(2)
      .map((line) => line.split(';')[2]?.slice(1, -1))
    expect(emails).toEqual([...many].reverse())
  })
})

test('too many ids, text instead of ids, and a call for everyone are refused', async () => {
  const site = await aTestApp()
  const bente = await as(site, 'beheerder')

  for (const [body, message] of [
    [{ ids: Array.from({ length: 501 }, (_, index) => index + 1) }, 'Kies er hoogstens 500.'],
    [{ ids: ['1'] }, 'Deze waarde kan hier niet.'],
    [{ all: true }, undefined],
  ] as const) {
    for (const call of ['block', 'unblock']) {
      const answer = await bente.post(`/api/users/${call}`, body)
      expect(answer.status).toBe(422)
      if (message) expect((await answer.json()).errors[0].message).toBe(message)
    }
    expect((await bente.post('/api/users/role', { ...body, roleId: 3 })).status).toBe(422)
  }
})
