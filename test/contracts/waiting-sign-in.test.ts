import { describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { cookieHeaderOf } from '../support/session-cookies.ts'
import { as, aUser, json, password } from '../support/staff.ts'
import { aTestApp } from '../support/test-app.ts'
import { aSecondFactor } from '../support/two-factor.ts'

describe.each(databases)('a sign-in that waits for its second factor, on %s', (database) => {
  test('is not ended when another user is blocked, whatever number of wrong codes were entered', async () => {
    const site = await aTestApp({ database })
    const boss = await as(site, 'beheerder')
    const others = []
    for (let number = 0; number < 3; number++) {
      others.push(await aUser(site, { name: `Persoon ${number}`, email: `persoon${number}@example.nl` }))
    }
    const vera = await aUser(site, { name: 'Vera', email: 'vera@example.nl' })
    const factor = await aSecondFactor(site, vera)
    const login = await site.request('/api/login', json('POST', { identifier: 'vera@example.nl', password }))
    const cookie = cookieHeaderOf(login)
    const give = (code: string) =>
      site.request('/api/login/code', {
        method: 'POST',
        body: JSON.stringify({ code }),
        headers: { 'Content-Type': 'application/json', cookie },
      })

    for (let wrong = 0; wrong < 2; wrong++) expect((await give('aaaaa-bbbbb')).status).toBe(422)
    expect((await boss.post('/api/users/block', { ids: others })).status).toBe(200)
    expect((await give(factor.recoveryCodes[0] as string)).status).toBe(200)
  })
})
