import { readFileSync } from 'node:fs'
import type { Locator } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { translator } from '../../src/i18n/translate.ts'
import {
  aProgramWithAdministrator,
  goToScreen,
  openScreen,
  type ProgramWithAdministrator,
  signInAndOpen,
  signInByApi,
} from '../support/admin-program.ts'
import { administrator } from '../support/administrator.ts'
import { axeViolations } from '../support/axe.ts'
import { aBrowser } from '../support/browser.ts'
import { aMailbox, type Mailbox } from '../support/mailbox.ts'
import { allowErrors } from '../support/test-log.ts'
import { anAuthenticatorApp } from '../support/two-factor.ts'

const { visitor } = aBrowser()
let site: ProgramWithAdministrator
let mailbox: Mailbox
beforeAll(async () => {
  mailbox = await aMailbox()
  site = await aProgramWithAdministrator({ SMTP_URL: mailbox.url })
})

test('an anonymous visitor is redirected to the login, and then to the requested screen', async () => {
  const page = await visitor(site.url)
  await page.goto('/admin/users?search=bente')
  await expect.poll(() => new URL(page.url()).pathname).toBe('/login')

  await page.getByLabel(translator('nl')('signIn.login.identifier')).fill(administrator.email)
  await page.getByLabel(translator('nl')('signIn.login.password'), { exact: true }).fill(administrator.password)
  await page.keyboard.press('Enter')

  await page.waitForURL('**/admin/users?search=bente')
  await page.getByRole('rowheader', { name: administrator.email }).waitFor()
})

test('spec 2 /user: the dashboard shows the user and what is new, and links to the screens; their rights are in the profile', async () => {
  const page = await signInAndOpen(await visitor(site.url), '/user')
  await page.getByText(`Je bent ingelogd als ${administrator.name}`).waitFor()
  await expect.poll(() => page.locator('h1').innerText()).toMatch(/^Goede(morgen|middag|navond|nacht), bente$/)
  await page.getByRole('heading', { name: 'Wat er nieuw is' }).waitFor()
  await page
    .getByRole('navigation', { name: 'Snel beginnen' })
    .getByRole('link', { name: 'Pagina toevoegen' })
    .waitFor()

  // The first steps can be put away, and shown again.
  const steps = page.getByRole('heading', { name: 'Aan de slag' })
  await page.getByRole('link', { name: 'Geef de website uw naam' }).waitFor()
  await page.getByRole('button', { name: 'Niet meer tonen' }).click()
  await steps.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Ongedaan maken' }).click()
  await steps.waitFor()

  // The help of a screen, by keyboard.
  await page.getByRole('button', { name: 'Uitleg bij dit scherm' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Hier begint u').waitFor()
  await expect
    .poll(() => page.getByRole('link', { name: 'Beschrijving van de API' }).getAttribute('href'))
    .toBe('/api/docs')
  expect(await axeViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByText('Hier begint u').waitFor({ state: 'detached' })

  await goToScreen(page, '/admin/profile')
  const may = page.getByRole('heading', { name: 'Wat u mag doen' }).locator('..').locator('..')
  await expect.poll(() => may.innerText()).toContain('Gebruikers beheren')
})

test('a new user is invited unless the switch is turned off', async () => {
  mailbox.emails.length = 0
  const page = await visitor(site.url)
  await signInByApi(page)
  const add = async (name: string, email: string) => {
    await goToScreen(page, '/admin/users/new')
    await page.getByLabel('Naam').fill(name)
    await page.locator('input[type=email]').fill(email)
    const invited = page.getByRole('switch', { name: 'Uitnodiging mailen' })
    await expect.poll(() => invited.isChecked()).toBe(true)
    return invited
  }
  const saved = async (name: string) => {
    await page.getByRole('button', { name: 'Opslaan' }).click()
    await page.waitForURL(/\/admin\/users\/\d+$/)
    await page.getByRole('heading', { level: 1, name }).waitFor()
  }
  await (await add('Stil Jansen', 'stil@example.nl')).uncheck()
  await saved('Stil Jansen')
  await add('Welkom de Vries', 'welkom@example.nl')
  await saved('Welkom de Vries')
  const [invitation] = await mailbox.received(1)
  expect(invitation?.to).toEqual(['welkom@example.nl'])
  expect(invitation?.parsed.text).toMatch(/\/wachtwoord\?token=/)
  expect(mailbox.emails).toHaveLength(1)
})

describe('errors are reported at their field', () => {
  test('spec 5 and 8: a missing value, an invalid email and a password of five characters, and that the user was not saved', async () => {
    allowErrors(/status of 422/)
    const page = await signInAndOpen(await visitor(site.url), '/admin/users/new')
    await page.getByRole('button', { name: 'Opslaan' }).click()
    await page.getByText('Gebruiker is niet opgeslagen!').waitFor()
    const name = page.getByLabel('Naam')
    const email = page.getByLabel('E-mail', { exact: false }).first()
    await expect.poll(() => email.getAttribute('aria-invalid')).toBe('true')
    await page.getByText('Dit is een verplicht veld!').first().waitFor()
    await expect.poll(() => page.getByText('Dit e-mailadres is niet geldig!').count()).toBe(0)

    await name.fill('Piet')
    await email.fill('geen-adres')
    await page.getByLabel('Wachtwoord', { exact: true }).fill('vijf5')
    await page.getByRole('button', { name: 'Opslaan' }).click()
    await page.getByText('Dit e-mailadres is niet geldig!').waitFor()
    await page.getByText('Wachtwoord moet bestaan uit minstens 6 karakters!').waitFor()
    await expect.poll(() => email.evaluate((field) => field === document.activeElement)).toBe(true)

    await email.fill(administrator.email)
    await page.getByLabel('Wachtwoord', { exact: true }).fill('zesses')
    await page.getByRole('button', { name: 'Opslaan' }).click()
    await page.getByText('Deze waarde is al in gebruik.').waitFor()
  })
})

describe('the list', () => {
  beforeAll(async () => {
    for (let number = 1; number <= 30; number++) {
      const name = `Persoon ${String(number).padStart(2, '0')}`
      await site.addUser({ name, email: `persoon${number}@lijst.example`, ...(number % 10 === 0 && { roleId: 3 }) })
    }
  })

  test('an empty result says what to do next; search, filters, order and page are in the URL, and survive a reload and Back', async () => {
    const page = await signInAndOpen(await visitor(site.url), '/admin/users?search=nietvindbaar')
    await page.getByText('Geen gebruiker gevonden').waitFor()
    await page.getByRole('button', { name: 'Filters wissen' }).click()
    await page.getByRole('rowheader').first().waitFor()

    await page.getByRole('searchbox').fill('persoon')
    await page.waitForURL('**/admin/users?search=persoon')
    await page.getByText('1–25 van 30').waitFor()
    await page.getByRole('link', { name: 'Pagina 2' }).click()
    await page.waitForURL(/page=2/)
    await page.getByText('26–30 van 30').waitFor()
    // A search is ordered by relevance; one click sorts ascending, another descending.
    await page.getByRole('button', { name: 'Naam' }).click()
    await page.waitForURL(/sort=name/)
    await page.getByRole('button', { name: 'Naam' }).click()
    await page.waitForURL(/sort=-name/)
    await page.getByRole('rowheader').first().getByText('Persoon 30').waitFor()
    await expect.poll(() => page.url()).not.toContain('page=2')

    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByRole('checkbox', { name: 'Redacteur', exact: true }).check()
    await page.waitForURL(/roleId=3/)
    await page.getByText('1–3 van 3').waitFor()
    await page.reload()
    await page.getByText('1–3 van 3').waitFor()
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('persoon')

    await page.getByRole('link', { name: 'Persoon 20' }).click()
    await page.getByRole('heading', { level: 1, name: 'Persoon 20' }).waitFor()
    await page.goBack()
    await page.getByText('1–3 van 3').waitFor()
  })

  test('bulk actions: block, undo, give a role, export', async () => {
    const page = await signInAndOpen(await visitor(site.url), '/admin/users?search=persoon%200')
    await page.getByRole('checkbox', { name: 'Persoon 01 kiezen' }).check()
    await page.getByRole('checkbox', { name: 'Persoon 02 kiezen' }).check()
    await page.getByText('2 gekozen').waitFor()
    await page.getByRole('button', { name: 'Blokkeren', exact: true }).click()
    await page.getByText('2 gebruikers zijn geblokkeerd.').hover()
    const blocked = () => site.call<{ meta: { total: number } }>('GET', '/api/users?search=persoon&blocked=true')
    await expect.poll(async () => (await blocked()).meta.total).toBe(2)
    // The notification goes away by itself, so it is waited for while the button is clicked.
    await Promise.all([
      page.getByText('2 gebruikers zijn gedeblokkeerd.').waitFor(),
      page.getByRole('button', { name: 'Ongedaan maken' }).click(),
    ])
    await expect.poll(async () => (await blocked()).meta.total).toBe(0)

    await page.getByRole('checkbox', { name: 'Persoon 03 kiezen' }).check()
    await page.getByRole('combobox', { name: 'Rol geven' }).selectOption('Redacteur')
    await page.getByRole('button', { name: 'Rol geven' }).click()
    await page.getByText('1 gebruiker heeft nu de rol').waitFor()
    await page.getByRole('row', { name: 'Persoon 03' }).getByText('Redacteur').waitFor()
    const bar = page.getByRole('region', { name: 'Gekozen gebruikers' })
    await bar.waitFor({ state: 'detached' })

    const saved = async (button: Locator) => {
      const [file] = await Promise.all([page.waitForEvent('download'), button.click()])
      expect(file.suggestedFilename()).toMatch(/^gebruikers-\d{4}-\d\d-\d\d\.csv$/)
      return readFileSync(await file.path(), 'utf8')
    }
    const list = await saved(page.getByRole('button', { name: 'Exporteren (CSV)' }))
    expect(list).toContain('persoon1@lijst.example')
    expect(list).not.toContain(administrator.email)

    await page.getByRole('checkbox', { name: 'Persoon 04 kiezen' }).check()
    const chosen = await saved(bar.getByRole('button', { name: 'Exporteren (CSV)' }))
    expect(chosen.match(/@lijst\.example/g)).toHaveLength(1)
    expect(chosen).toContain('Persoon 04')
  })

  test('a server that does not respond is reported, with a retry button', async () => {
    allowErrors(/ERR_FAILED/)
    const page = await visitor(site.url)
    await signInByApi(page)
    await page.route('**/api/users?*', (route) => route.abort())
    await page.route('**/api/users', (route) => route.abort())
    await page.goto('/admin/users')
    await page.getByText('Dit is niet gelukt').waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Opnieuw proberen' }).click()
    await page.getByRole('rowheader').first().waitFor()
  })
})

test('a user without a right sees that on each screen, and neither menu nor palette links to it', async () => {
  await site.addUser({ name: 'Gijs Gast', email: 'gijs@example.nl', password: 'geheim-gijs' })
  const page = await visitor(site.url)
  await signInByApi(page, { email: 'gijs@example.nl', password: 'geheim-gijs' })
  for (const path of [
    'users',
    'users/new',
    'users/1',
    'roles',
    'roles/new',
    'roles/2',
    'audit',
    'messages',
    'messages/1',
    'mail',
    'mail/letters',
    'privacy',
  ]) {
    await goToScreen(page, `/admin/${path}`)
    await page.getByText('U hebt hier geen toegang').waitFor()
  }
  await goToScreen(page, '/user')
  await expect
    .poll(() => page.getByRole('navigation').first().getByRole('link').allInnerTexts())
    .toEqual(['Overzicht', 'Naar de website'])
  await page.keyboard.press('Control+k')
  await page.getByRole('option').first().waitFor()
  await expect.poll(() => page.getByRole('option').allInnerTexts()).not.toContain('Gebruikers')
})

test('a link to set a password is shown, or mailed to the user', async () => {
  const { id } = await site.addUser({ name: 'Lotte Maes', email: 'lotte@example.nl' })
  const page = await signInAndOpen(await visitor(site.url), `/admin/users/${id}`)
  await page.getByRole('button', { name: 'Link tonen' }).click()
  const link = await page.getByLabel('Link', { exact: true }).inputValue()
  expect((await fetch(site.url + new URL(link).pathname + new URL(link).search)).status).toBe(200)

  const before = mailbox.emails.length
  await page.getByRole('button', { name: 'Link mailen' }).click()
  await page.getByText('De link is naar lotte@example.nl gestuurd.').waitFor()
  const emails = await mailbox.received(before + 1)
  expect(emails.at(-1)?.to).toEqual(['lotte@example.nl'])
})

test('an unknown address of the admin is not found', async () => {
  allowErrors(/status of 404/)
  const page = await signInAndOpen(await visitor(site.url), '/admin/nergens')
  await expect.poll(() => page.locator('h1').textContent()).toBe('Page Not Found')
  await openScreen(page, '/admin/users/99999')
  await expect.poll(() => page.locator('h1').textContent()).toBe('Page Not Found')
})

test('the second factor of a user who lost app and codes is turned off, after confirmation', async () => {
  const secret = 'geheim-iris'
  const user = await site.addUser({ name: 'Iris Kwijt', email: 'iris@example.nl', password: secret })
  const page = await visitor(site.url)
  await signInByApi(page, { email: user.email, password: secret })
  const post = async (path: string, data?: object) =>
    (await page.context().request.post(path, { ...(data && { data }) })).json()
  const started = await post('/api/profile/two-factor')
  await post('/api/profile/two-factor/verify', { code: anAuthenticatorApp(started.secret).code() })

  await signInAndOpen(page, `/admin/users/${user.id}`)
  await page.getByRole('button', { name: 'Uitzetten' }).click()
  const question = page.getByRole('alertdialog', { name: 'Inloggen in twee stappen uitzetten?' })
  await question.getByRole('button', { name: 'Uitzetten' }).click()
  await page.getByText('Inloggen in twee stappen staat uit voor Iris Kwijt.').waitFor()
  await page.getByRole('button', { name: 'Uitzetten' }).waitFor({ state: 'detached' })
})
