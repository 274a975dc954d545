import type { Page, Request } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  aProgramWithAdministrator,
  goToScreen,
  openScreen,
  type ProgramWithAdministrator,
  waitUntilLoaded,
} from '../support/admin-program.ts'
import { administrator } from '../support/administrator.ts'
import { aBrowser } from '../support/browser.ts'
import { aMailbox, type Mailbox } from '../support/mailbox.ts'
import { emptyDataSettings } from '../support/program.ts'
import { field, submitForm } from '../support/sign-in-site.ts'

const { visitor } = aBrowser()

/** On the database that most journeys do not use; the contracts of the same calls run on both. */
describe('the user rows of the specification, in Chromium', () => {
  let site: ProgramWithAdministrator
  let mailbox: Mailbox
  beforeAll(async () => {
    mailbox = await aMailbox()
    site = await aProgramWithAdministrator({ SMTP_URL: mailbox.url, ...(await emptyDataSettings('postgres')) })
  })

  test('spec 7 each call: users listed, filtered, read, created, changed and deleted; the email; login and logout', async () => {
    const page = await visitor(site.url)
    const calls = callsOf(page)

    await page.goto('/login')
    await field(page, 'identifier').fill(administrator.email)
    await field(page, 'password').fill(administrator.password)
    const login = calls.next('POST', '/login')
    await submitForm(page)
    await page.waitForURL(`${site.url}/user`)
    const sent = new URLSearchParams((await login).postData() ?? '')
    expect([sent.get('identifier'), sent.get('password')]).toEqual([administrator.email, administrator.password])

    const list = calls.next('GET', '/api/users')
    await goToScreen(page, '/admin/users')
    expect((await answerOf(await list)).data).toMatchObject([
      { email: administrator.email, role: { id: 1, rights: [] }, user_role: { id: 2, name: 'Beheerder' } },
    ])
    await page.getByRole('button', { name: 'Filter' }).click()
    const filtered = calls.next('GET', '/api/users', 'roleId=3')
    await page.getByRole('checkbox', { name: 'Redacteur', exact: true }).check()
    expect((await answerOf(await filtered)).data).toEqual([])

    await goToScreen(page, '/admin/users/new')
    await page.getByLabel('Naam').fill('Noor Willems')
    await page.locator('input[type=email]').fill('Noor@Example.nl')
    await page.getByLabel('Rol', { exact: true }).selectOption('Redacteur')
    await expect.poll(() => page.getByLabel('Email new password to user?').isDisabled()).toBe(true)
    await page.getByText('een zin van een paar woorden is sterk').waitFor()
    await page.getByLabel('Wachtwoord', { exact: true }).fill('welkom-noor')
    await page.getByRole('switch', { name: 'Email new password to user?' }).check()
    const [made, welcome] = [calls.next('POST', '/api/users'), calls.next('POST', '/api/notification/email')]
    await page.getByRole('button', { name: 'Opslaan' }).click()
    const fields = {
      username: 'noor@example.nl',
      email: 'noor@example.nl',
      name: 'Noor Willems',
      confirmed: true,
      role: { connect: [1] },
      user_role: { set: [3] },
    }
    const typed = { username: 'Noor@Example.nl', email: 'Noor@Example.nl', password: 'welkom-noor' }
    expect((await made).postDataJSON()).toMatchObject({ ...fields, ...typed })
    const { id } = await answerOf(await made)
    await page.getByText('Gebruiker is opgeslagen!').first().waitFor()
    await page.waitForURL(`**/admin/users/${id}`)
    const email = { brandingId: 1, to: 'noor@example.nl', replyTo: administrator.email, name: 'Noor Willems' }
    expect((await welcome).postDataJSON()).toEqual({ ...email, templateId: 'newUser', password: 'welkom-noor' })
    const [first] = await mailbox.received(1)
    expect(first?.to).toEqual(['noor@example.nl'])
    expect(first?.parsed.text).toContain('welkom-noor')

    const one = calls.next('GET', `/api/users/${id}`)
    await openScreen(page, `/admin/users/${id}`)
    expect(await answerOf(await one)).toMatchObject({ id, role: { id: 1 }, user_role: { id: 3, name: 'Redacteur' } })

    // An empty password is left out, and so is the relation when there is no role; then no email is sent.
    await page.getByLabel('Rol', { exact: true }).selectOption('')
    const dropped = calls.next('PUT', `/api/users/${id}`)
    await page.getByRole('button', { name: 'Opslaan' }).click()
    const { user_role: _role, ...without } = fields
    const body = (await dropped).postDataJSON()
    expect(body).toMatchObject(without)
    expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['password']))
    expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['user_role']))
    expect(await answerOf(await dropped)).toMatchObject({ id, user_role: null })
    await page.getByText('Gebruiker is opgeslagen!').first().waitFor()

    // The form learns of the save a moment later.
    await waitUntilLoaded(page)
    await page.getByText('een zin van een paar woorden is sterk').waitFor()
    await page.getByLabel('Wachtwoord', { exact: true }).fill('ander-woord')
    await page.getByRole('switch', { name: 'Email new password to user?' }).check()
    const [changed, news] = [calls.next('PUT', `/api/users/${id}`), calls.next('POST', '/api/notification/email')]
    await page.getByRole('button', { name: 'Opslaan' }).click()
    expect((await changed).postDataJSON()).toMatchObject({ ...without, password: 'ander-woord' })
    expect((await news).postDataJSON()).toEqual({ ...email, templateId: 'updatedUser', password: 'ander-woord' })
    const [, second] = await mailbox.received(2)
    expect(second?.parsed.subject).not.toBe(first?.parsed.subject)
    expect(second?.parsed.text).toContain('ander-woord')
    await expect.poll(() => page.getByLabel('Wachtwoord', { exact: true }).inputValue()).toBe('')

    await waitUntilLoaded(page)
    await page.getByRole('button', { name: 'Verwijderen' }).click()
    const question = page.getByRole('alertdialog', { name: 'Weet u zeker dat u deze gebruiker wilt verwijderen?' })
    const deleted = calls.next('DELETE', `/api/users/${id}`)
    await question.getByRole('button', { name: 'Verwijderen' }).click()
    expect((await deleted).postData()).toBeNull()
    expect((await (await deleted).response())?.status()).toBe(204)
    await page.getByRole('heading', { level: 1, name: 'Gebruikers' }).waitFor()

    const logout = calls.next('POST', '/logout')
    await page.getByRole('button', { name: 'Uitloggen' }).first().click()
    await logout
    await page.waitForURL(`${site.url}/`)
    await expect.poll(() => sessionCookies(page)).toEqual([])
  })
})

/** Waits for one request of a page, and its response. */
function callsOf(page: Page) {
  return {
    next: async (method: string, path: string, query = ''): Promise<Request> => {
      const request = await page.waitForRequest((one) => {
        const { pathname, search } = new URL(one.url())
        return one.method() === method && pathname === path && search.includes(query)
      })
      await request.response()
      return request
    },
  }
}

const answerOf = async (request: Request) => (await request.response())?.json()

const sessionCookies = async (page: Page) =>
  (await page.context().cookies()).map(({ name }) => name).filter((name) => name.includes('session_token'))
