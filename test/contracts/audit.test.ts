import { describe, expect, test } from 'vitest'
import { auditActions } from '../../src/contract/audit-actions.ts'
import { record } from '../../src/domain/audit/record.ts'
import { databases } from '../support/databases.ts'
import { signInWithRights } from '../support/roles.ts'
import { as, aUser, staff } from '../support/staff.ts'
import { aTestApp } from '../support/test-app.ts'

describe.each(databases)('on %s', (database) => {
  test('every change records who, when, what, and the values before and after', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const { id } = await (
      await bente.post('/api/users', { email: 'noor@example.nl', name: 'Noor', password: 'geheim-9' })
    ).json()
    await bente.put(`/api/users/${id}`, {
      email: 'noor@example.nl',
      name: 'Noor Jansen',
      user_role: { set: [3] },
      password: 'geheim-8',
    })
    await bente.delete(`/api/users/${id}`)
    await bente.put('/api/roles/3', { name: 'Schrijver', rights: ['pages.write'] })

    const { data, meta } = await (await bente.get('/api/audit')).json()

    expect(meta).toEqual({ page: 1, pageSize: 25, total: 4 })
    expect(data).toMatchObject([
      {
        actor: { id: bente.id, name: staff.beheerder.name },
        action: 'role.updated',
        label: 'Rol gewijzigd',
        subject: { type: 'role', id: '3', name: 'Schrijver' },
        before: { name: 'Redacteur', rights: ['pages.write', 'pages.publish', 'files.write'] },
        after: { name: 'Schrijver', rights: ['pages.write'] },
      },
      { action: 'user.deleted', after: null, before: { email: 'noor@example.nl', role: 'Redacteur' } },
      {
        action: 'user.updated',
        before: { name: 'Noor', role: null },
        after: { name: 'Noor Jansen', role: 'Redacteur', passwordSet: true },
      },
      {
        action: 'user.created',
        subject: { type: 'user', id: String(id), name: 'Noor <noor@example.nl>' },
        before: null,
      },
    ])
    // Unchanged fields are not repeated.
    expect(data[2].before).not.toHaveProperty('email')
    expect(Date.parse(data[0].at)).toBeGreaterThan(Date.now() - 600_000)
  })

  test('a secret that is passed by mistake is not recorded, at any depth', async () => {
    const { app, db } = await aTestApp({ database })
    const ctx = { ...app.context(), actor: undefined }

    await ctx.transaction((tx) =>
      record(tx, ctx, {
        action: 'user.updated',
        subject: { type: 'user', name: '' },
        before: { password: 'geheim-1', account: { hash: 'geheim-2', name: 'a' } },
        after: { token: 'geheim-3', account: { name: 'b', links: [{ secret: 'geheim-4', to: 'x' }] } },
      }),
    )

    const row = await db.selectFrom('audit').select(['before', 'after']).executeTakeFirstOrThrow()
    expect(row).toEqual({ before: '{"account":{"name":"a"}}', after: '{"account":{"name":"b","links":[{"to":"x"}]}}' })
  })

  test('a refused change leaves no row', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    await bente.delete(`/api/users/${bente.id}`)
    await bente.put(`/api/users/${bente.id}`, { email: staff.beheerder.email })
    await bente.post('/api/users', { email: staff.beheerder.email })

    expect((await (await bente.get('/api/audit')).json()).data).toEqual([])
  })

  test('the log is filtered by user, action and time, and searched by name', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const hans = await signInWithRights(site, 'Hans', ['users.write'])
    const roya = await aUser(site, staff.roya)
    await hans.post('/api/users/block', { ids: [roya] })
    await bente.post('/api/users/unblock', { ids: [roya] })
    await bente.post('/api/users', { email: 'etienne@example.nl', name: 'Étienne' })
    await site.db
      .updateTable('audit')
      .set({ at: '2020-05-05T12:00:00.000Z' })
      .where('action', '=', 'user.blocked')
      .execute()
    const actions = async (query: string) =>
      (await (await bente.get(`/api/audit?${query}`)).json()).data.map((row: { action: string }) => row.action)

    expect(await actions('')).toEqual(['user.created', 'user.unblocked', 'user.blocked'])
    expect(await actions('sort=at')).toEqual(['user.blocked', 'user.unblocked', 'user.created'])
    expect(await actions(`actorId=${hans.id}`)).toEqual(['user.blocked'])
    expect(await actions('action=user.created&action=user.blocked')).toEqual(['user.created', 'user.blocked'])
    expect(await actions(`subjectType=user&subjectId=${roya}`)).toEqual(['user.unblocked', 'user.blocked'])
    expect(await actions('until=2021-01-01T00:00:00Z')).toEqual(['user.blocked'])
    expect(await actions('from=2021-01-01T00:00:00Z')).toEqual(['user.created', 'user.unblocked'])
    expect(await actions('search=hans')).toEqual(['user.blocked'])
    expect(await actions('search=etienne@example')).toEqual(['user.created'])
    expect(await actions('search=مرادی')).toEqual(['user.unblocked', 'user.blocked'])
    expect(await actions('search=beheerder+unblocked')).toEqual([])
    expect(await actions('pageSize=1&page=2')).toEqual(['user.unblocked'])
    for (const wrong of ['actorId=x', 'from=gisteren', 'action=user.created%27', 'sort=before', 'password=x']) {
      expect((await bente.get(`/api/audit?${wrong}`)).status).toBe(422)
    }
  })

  test('search and count stay quick and right with thousands of rows', async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const rows = Array.from({ length: 10_500 }, (_, index) => ({
      at: new Date(1.7e12 + index * 1_000).toISOString(),
      actor_id: 1,
      actor_name: index % 2_000 === 5 ? 'Zeldzame Zoë' : 'Bente',
      action: 'user.updated',
      subject_type: 'user',
      subject_id: String(index),
      subject_name: `Gebruiker ${index}`,
    }))
    for (let at = 0; at < rows.length; at += 500) {
      await site.db
        .insertInto('audit')
        .values(rows.slice(at, at + 500))
        .execute()
    }
    const list = async (query: string) => (await bente.get(`/api/audit?${query}`)).json()

    expect((await list('')).meta).toEqual({ page: 1, pageSize: 25, total: 10_000, more: true })
    expect((await list('search=zoe')).data).toHaveLength(6)
    expect((await list('search=gebruiker')).meta.more).toBe(true)
    expect(
      (await list('search=gebruiker&pageSize=3')).data.map((row: { subject: { id: string } }) => row.subject.id),
    ).toEqual(['10499', '10498', '10497'])
    expect((await list('search=gebruiker+10499')).meta.total).toBe(1)
  })
})

test('every action has a description in both languages', async () => {
  const site = await aTestApp()
  const bente = await as(site, 'beheerder')
  await site.db
    .insertInto('audit')
    .values(
      [...auditActions, 'later.invented'].map((action) => ({
        at: new Date().toISOString(),
        actor_name: '',
        action,
        subject_type: 'x',
        subject_name: '',
      })),
    )
    .execute()

  for (const [language, own] of [
    ['nl', /^[A-Z]\p{L}/u],
    ['fa', /[\u0600-\u06ff]/],
  ] as const) {
    const answer = await bente.request('/api/audit?pageSize=100', { headers: { 'Accept-Language': language } })
    const { data } = await answer.json()
    for (const row of data) {
      if (row.action === 'later.invented') expect(row.label).toBe('later.invented')
      else expect([row.action, row.label]).toEqual([row.action, expect.stringMatching(own)])
      expect(row.actor).toEqual({ id: null, name: expect.stringMatching(own) })
    }
  }
})
