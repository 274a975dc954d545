import { describe, expect, test } from 'vitest'
import { ensureAdministrator } from '../../src/domain/sign-in/first-administrator.ts'
import { createOperatorPasswordLink } from '../../src/domain/sign-in/links.ts'
import { databases } from '../support/databases.ts'
import { as, aUser, password, staff } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'
import { aVisitor } from '../support/visitor.ts'

const common = 'Dit wachtwoord wordt te vaak gebruikt. Kies een ander, bijvoorbeeld een zin die alleen u kent.'
const ownEmail = 'Uw e-mailadres is geen wachtwoord. Kies iets dat anderen niet weten.'

const tokenIn = (url = '') => new URL(url).searchParams.get('token') ?? ''

/** Every form where a password is chosen, for the account of `email`. */
const passwordForms: Record<string, { email: string; choose(site: TestApp, chosen: string): Promise<Response> }> = {
  'the first administrator': {
    email: 'bente@voorbeeld.example',
    async choose(site, chosen) {
      const token = tokenIn((await ensureAdministrator(site.app.context(), undefined)).link)
      const bente = { token, name: 'Bente', email: 'bente@voorbeeld.example' }
      return aVisitor(site).submitForm('/setup', { ...bente, password: chosen, repeat: chosen })
    },
  },
  'a link': {
    email: staff.roya.email,
    async choose(site, chosen) {
      const { id } = await as(site, 'roya')
      const bente = await as(site, 'beheerder')
      const { url } = await (await bente.post(`/api/users/${id}/password-link`, { by: 'show' })).json()
      return aVisitor(site).submitForm('/wachtwoord', { token: tokenIn(url), password: chosen, repeat: chosen })
    },
  },
  'the profile': {
    email: staff.roya.email,
    async choose(site, chosen) {
      const roya = await as(site, 'roya')
      const { name, email } = staff.roya
      return roya.put('/api/profile', { name, email, locale: 'nl', currentPassword: password, password: chosen })
    },
  },
  'a new user': {
    email: 'noor@voorbeeld.example',
    choose: async (site, chosen) =>
      (await as(site, 'beheerder')).post('/api/users', { email: 'noor@voorbeeld.example', password: chosen }),
  },
  'a known user': {
    email: staff.roya.email,
    async choose(site, chosen) {
      const { id } = await as(site, 'roya')
      return (await as(site, 'beheerder')).put(`/api/users/${id}`, { email: staff.roya.email, password: chosen })
    },
  },
}

describe.each(databases)('on %s', (database) => {
  test.each(Object.entries(passwordForms))(
    '%s: a common password and the own address are refused, and an uncommon password of six characters is accepted',
    async (_name, form) => {
      const site = await aTestApp({ database })
      const [name = ''] = form.email.split('@')
      for (const [chosen, message] of [
        ['welkom', common],
        ['Wachtwoord', common],
        ['qwerty123', common],
        [form.email, ownEmail],
        [form.email.toUpperCase(), ownEmail],
        ...(name.length >= 6 ? ([[name, ownEmail]] as const) : []),
      ] as const) {
        const answer = await form.choose(site, chosen)
        expect([chosen, answer.status]).toEqual([chosen, 422])
        expect(await answer.text()).toContain(message)
      }
      expect([200, 201, 303]).toContain((await form.choose(site, 'kiw1#z')).status)
    },
  )
})

test('the first administrator form says that an empty password is required', async () => {
  const answer = await passwordForms['the first administrator']?.choose(await aTestApp(), '')
  const html = (await answer?.text()) ?? ''
  expect(answer?.status).toBe(422)
  expect(html.match(/Dit is een verplicht veld!/g)).toHaveLength(2)
  expect(html).not.toContain('minstens 6 karakters!')
})

test('both pages for a new password explain what makes one strong', async () => {
  const site = await aTestApp()
  const { link } = await ensureAdministrator(site.app.context(), undefined)
  const { pathname, search } = new URL(link ?? '')
  expect(await (await site.request(pathname + search)).text()).toContain('Een zin die alleen u kent is sterk')
  const id = await aUser(site, staff.roya)
  const ctx = site.app.context()
  const byLink = new URL(await ctx.transaction((tx) => createOperatorPasswordLink(tx, ctx, id, 60)))
  const page = await site.request(byLink.pathname + byLink.search)
  expect(await page.text()).toContain('Een zin die alleen u kent is sterk')
})
