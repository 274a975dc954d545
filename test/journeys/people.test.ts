import type { Page, Request } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/platform/db/database.ts'
import {
  administrator,
  aProgramWithAdministrator,
  openScreen,
  type ProgramWithAdministrator,
  signInAndOpen,
  waitUntilLoaded,
} from '../support/admin-program.ts'
import { aBrowser } from '../support/browser.ts'
import { aMailbox, type Mailbox } from '../support/mailbox.ts'
import { emptyDataSettings } from '../support/program.ts'
import { field, submitForm } from '../support/sign-in-site.ts'
import { allowErrors } from '../support/test-log.ts'

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
    await openScreen(page, '/admin/users')
    expect((await answerOf(await list)).data).toMatchObject([
      { email: administrator.email, role: { id: 1, rights: [] }, user_role: { id: 2, name: 'Beheerder' } },
    ])
    await page.getByRole('button', { name: 'Filter' }).click()
    const filtered = calls.next('GET', '/api/users', 'roleId=3')
    await page.getByRole('checkbox', { name: 'Redacteur', exact: true }).check()
    expect((await answerOf(await filtered)).data).toEqual([])

    await openScreen(page, '/admin/users/new')
    await page.getByLabel('Naam').fill('Noor Willems')
    await page.locator('input[type=email]').fill('noor@example.nl')
    await page.getByLabel('Rol', { exact: true }).selectOption('Redacteur')
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
    expect((await made).postDataJSON()).toMatchObject({ ...fields, password: 'welkom-noor' })
    const { id } = await answerOf(await made)
    const email = { brandingId: 1, to: 'noor@example.nl', replyTo: administrator.email, name: 'Noor Willems' }
    expect((await welcome).postDataJSON()).toEqual({ ...email, templateId: 'newUser', password: 'welkom-noor' })
    expect((await mailbox.received(1))[0]?.to).toEqual(['noor@example.nl'])

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

    await openScreen(page, `/admin/users/${id}`)
    await page.getByLabel('Wachtwoord', { exact: true }).fill('ander-woord')
    await page.getByRole('switch', { name: 'Email new password to user?' }).check()
    const [changed, news] = [calls.next('PUT', `/api/users/${id}`), calls.next('POST', '/api/notification/email')]
    await page.getByRole('button', { name: 'Opslaan' }).click()
    expect((await changed).postDataJSON()).toMatchObject({ ...without, password: 'ander-woord' })
    expect((await news).postDataJSON()).toEqual({ ...email, templateId: 'updatedUser', password: 'ander-woord' })
    await mailbox.received(2)

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

  test('spec 6 rights check: one right of several opens the screen, none does not, and without a redirect to the login', async () => {
    allowErrors(/status of (401|403)/)
    const { id } = await site.addRole('Lezer', ['users.read'])
    const reader = { name: 'Lena Lezer', email: 'lena@example.nl', password: 'geheim-123' }
    const nobody = { name: 'Gerda Gewoon', email: 'gerda@example.nl', password: 'geheim-123' }
    await site.addUser({ ...reader, roleId: id })
    await site.addUser(nobody)
    const asked = (page: Page) =>
      page.evaluate(async () => {
        const paths = ['/api/rights', '/api/users', '/api/audit']
        return Promise.all(paths.map(async (path) => (await fetch(path)).status))
      })

    const page = await visitor(site.url)
    await page.goto('/admin/users')
    await expect.poll(() => new URL(page.url()).pathname).toBe('/login')
    expect(await asked(page)).toEqual([401, 401, 401])

    await signInAndOpen(page, '/admin/users', nobody)
    await page.getByText('U hebt hier geen toegang').waitFor()
    await expect.poll(() => page.getByRole('rowheader').count()).toBe(0)
    expect(await asked(page)).toEqual([200, 403, 403])

    const other = await signInAndOpen(await visitor(site.url), '/admin/users', reader)
    await other.getByRole('rowheader', { name: reader.email }).waitFor()
    expect(await asked(other)).toEqual([200, 200, 403])
  })

  test('spec 4 a user can be blocked: signed out at once, with the text of a wrong login at the next try', async () => {
    allowErrors(/status of 401/)
    const berend = { name: 'Berend Blok', email: 'berend@example.nl', password: 'geheim-123' }
    await site.addUser(berend)
    const theirs = await signInAndOpen(await visitor(site.url), '/user', berend)

    const page = await signInAndOpen(await visitor(site.url), '/admin/users?search=berend')
    await page.getByRole('button', { name: 'Berend Blok blokkeren' }).click()
    await page.getByRole('button', { name: 'Berend Blok deblokkeren' }).waitFor()
    await expect
      .poll(async () => (await site.call<{ meta: { total: number } }>('GET', '/api/users?blocked=true')).meta.total)
      .toBe(1)

    await theirs.reload()
    await expect.poll(() => new URL(theirs.url()).pathname).toBe('/login')
    await field(theirs, 'identifier').fill(berend.email)
    await field(theirs, 'password').fill(berend.password)
    await submitForm(theirs)
    const error = theirs.locator('.panel .failed')
    await error.waitFor()
    await expect.poll(() => error.innerText()).toContain('Onjuiste inloggegevens!')
    await expect
      .poll(() => error.innerText())
      .toContain('Controleer de gebruikersnaam en het wachtwoord en probeer het opnieuw.')
  })

  test('spec 5 and 8 messages: a user and a profile, saved and not saved, and the signed-in user', async () => {
    allowErrors(/status of 422/)
    const petra = { name: 'Petra Praat', email: 'petra@example.nl', password: 'geheim-123' }
    await site.addUser({ ...petra, roleId: 2 })
    const page = await signInAndOpen(await visitor(site.url), '/user', petra)
    await page.getByText('Je bent ingelogd als Petra Praat').waitFor()

    await openScreen(page, '/admin/users/new')
    await page.getByLabel('Naam').fill('Piet')
    await page.locator('input[type=email]').fill('geen-adres')
    await page.getByLabel('Wachtwoord', { exact: true }).fill('vijf5')
    await page.getByRole('button', { name: 'Opslaan' }).click()
    await page.getByText('Gebruiker is niet opgeslagen!').waitFor()
    await page.getByText('Dit e-mailadres is niet geldig!').waitFor()
    await page.getByText('Wachtwoord moet bestaan uit minstens 6 karakters!').waitFor()
    await page.locator('input[type=email]').fill('piet@example.nl')
    await page.getByLabel('Wachtwoord', { exact: true }).fill('zesses')
    await page.getByRole('button', { name: 'Opslaan' }).click()
    await page.getByText('Gebruiker is opgeslagen!').waitFor()
    await page.waitForURL(/\/admin\/users\/\d+$/)

    await openScreen(page, '/admin/profile')
    await page.getByLabel('Naam').fill('')
    await page.getByRole('button', { name: 'Opslaan' }).click()
    await page.getByText('Je gebruikersprofiel is nit opgeslagen!').waitFor()
    await page.getByText('Dit is een verplicht veld!').waitFor()
    await page.getByLabel('Naam').fill('Petra Praat')
    await page.getByLabel('Huidig wachtwoord').fill(petra.password)
    await page.getByLabel('Nieuw wachtwoord', { exact: true }).fill('een-nieuw-woord')
    await page.getByLabel('Nieuw wachtwoord herhalen').fill('een-ander-woord')
    await page.getByRole('button', { name: 'Opslaan' }).click()
    await page.getByText('De ingevoerde wachtwoorden komen niet overeen!').waitFor()
    await page.getByLabel('Nieuw wachtwoord herhalen').fill('een-nieuw-woord')
    await page.getByRole('button', { name: 'Opslaan' }).click()
    await page.getByText('Je gebruikersprofiel is opgeslagen!').waitFor()
  })

  test('spec 8 failed logout: ignored, the cookie is cleared and the browser goes to its target', async () => {
    const page = await signInAndOpen(await visitor(site.url), '/user')
    const { db } = await openDatabase({
      dataDir: site.dataSettings.DATA_DIR ?? '',
      databaseUrl: site.dataSettings.DATABASE_URL,
    })
    // Without its table no session can be ended.
    await db.schema.alterTable('session').renameTo('session_away').execute()
    try {
      await page.getByRole('button', { name: 'Uitloggen' }).first().click()
      await page.waitForURL(`${site.url}/`)
      await expect.poll(() => sessionCookies(page)).toEqual([])
    } finally {
      await db.schema.alterTable('session_away').renameTo('session').execute()
      await db.destroy()
    }
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
