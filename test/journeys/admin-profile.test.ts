import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { Profile } from '../../src/contract/profile.ts'
import type { User } from '../../src/contract/users.ts'
import * as helpEn from '../../src/i18n/en/admin/help.ts'
import * as helpNl from '../../src/i18n/nl/admin/help.ts'
import { admin as nl } from '../../src/i18n/nl/admin.ts'
import {
  aProgramWithAdministrator,
  openScreen,
  type ProgramWithAdministrator,
  signInAndOpen,
  signInByApi,
  waitUntilLoaded,
} from '../support/admin-program.ts'
import { administrator } from '../support/administrator.ts'
import { aBrowser } from '../support/browser.ts'
import { freePort } from '../support/free-port.ts'
import { isFocused } from '../support/keyboard.ts'
import { aMailbox, type Mailbox } from '../support/mailbox.ts'
import { addAuthenticator } from '../support/passkeys.ts'
import { allowErrors } from '../support/test-log.ts'

const { visitor } = aBrowser()
let site: ProgramWithAdministrator
let mailbox: Mailbox
let url: string
beforeAll(async () => {
  mailbox = await aMailbox()
  // Passkeys need a host name instead of an IP address, and links use BASE_URL.
  const port = await freePort()
  url = `http://localhost:${port}`
  site = await aProgramWithAdministrator({ SMTP_URL: mailbox.url, PORT: String(port), BASE_URL: url })
})

let made = 0
/** A user of this test alone. */
async function aUser(name: string): Promise<{ email: string; password: string }> {
  const who = { email: `profiel${made++}@example.nl`, password: 'geheim-eigen' }
  await site.addUser({ name, ...who })
  return who
}

/** A user of this test alone, at their profile. */
async function atProfile(name: string): Promise<{ page: Page; email: string; password: string }> {
  const who = await aUser(name)
  const page = await signInAndOpen(await visitor(url), '/admin/profile', who)
  return { page, ...who }
}
const namesOf = async (emails: string[]) => {
  const { data } = await site.call<{ data: User[] }>('GET', '/api/users?pageSize=100')
  return emails.map((email) => data.find((user) => user.email === email)?.name)
}
const save = (page: Page) => page.getByRole('button', { name: 'Opslaan' }).click()

test('spec 8 profile: saved and not saved, in the specified texts', async () => {
  allowErrors(/status of 422/)
  const { page } = await atProfile('Saar Zelf')
  await page.getByLabel('Naam').fill('Saar Zelf-Anders')
  await save(page)
  await page.getByText('Je gebruikersprofiel is opgeslagen!').waitFor()
  await page.getByRole('link', { name: 'Saar Zelf-Anders' }).waitFor()

  await page.getByLabel('Naam').fill('')
  await save(page)
  await page.getByText('Je gebruikersprofiel is nit opgeslagen!').waitFor()
  await page.getByText('Dit is een verplicht veld!').waitFor()
})

test('spec 5 password: twice the same, at least six characters, and the current one', async () => {
  allowErrors(/status of 422/)
  const { page, password } = await atProfile('Pim Sleutel')
  const current = page.getByLabel('Huidig wachtwoord')
  const fresh = page.getByLabel('Nieuw wachtwoord', { exact: true })
  const repeat = page.getByLabel('Nieuw wachtwoord herhalen')
  await page.getByText('Een zin die alleen u kent is sterk en makkelijk te onthouden.').waitFor()

  await current.fill(password)
  await fresh.fill('een-nieuw-woord')
  await repeat.fill('een-ander-woord')
  await save(page)
  await page.getByText('De ingevoerde wachtwoorden komen niet overeen!').waitFor()
  await expect.poll(() => repeat.evaluate((field) => field === document.activeElement)).toBe(true)

  await fresh.fill('vijf5')
  await repeat.fill('vijf5')
  await save(page)
  await page.getByText('Wachtwoord moet bestaan uit minstens 6 karakters!').waitFor()

  await current.fill('niet-mijn-woord')
  await fresh.fill('een-nieuw-woord')
  await repeat.fill('een-nieuw-woord')
  await save(page)
  await page.getByText('Dit wachtwoord is niet juist.').waitFor()

  await current.fill(password)
  await save(page)
  await page.getByText('Je gebruikersprofiel is opgeslagen!').waitFor()
  await expect.poll(() => fresh.inputValue()).toBe('')
})

test('a new address waits for its confirmation, and can be cancelled', async () => {
  const { page, email } = await atProfile('Ada Adres')
  await page.getByLabel('E-mail', { exact: false }).first().fill('ada.nieuw@example.nl')
  await save(page)
  await page.getByText('wacht op bevestiging').waitFor()
  await expect.poll(() => page.locator('input[type=email]').inputValue()).toBe(email)
  await page.getByRole('button', { name: 'Toch niet wijzigen' }).click()
  await page.getByText('Uw e-mailadres blijft zoals het is.').waitFor()
  await page.getByText('wacht op bevestiging').waitFor({ state: 'detached' })
})

test('a new language changes the whole admin at once, and is saved', async () => {
  const { page } = await atProfile('Leila Taal')
  await page.getByLabel('Taal').selectOption('فارسی')
  await save(page)
  await page.getByText('نمایهٔ کاربری شما ذخیره شد!').waitFor()
  await expect.poll(() => page.locator('html').getAttribute('dir')).toBe('rtl')
  await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('fa')
  await page.getByRole('heading', { level: 1, name: 'نمایه' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'نمایه' }).waitFor()
  await expect.poll(() => page.locator('html').getAttribute('dir')).toBe('rtl')
})

test('a language that is chosen while texts of the former one still load is the one that is shown', async () => {
  const { page } = await atProfile('Nasrin Haast')
  const held = Promise.withResolvers<void>()
  // The first of the texts of the help; those of the new language come at once.
  await page.route(/\/assets\/help-(?!panel)/, (route) => held.promise.then(() => route.continue()), { times: 1 })
  await page.getByRole('button', { name: nl.shell.help, exact: true }).click()
  await page.getByLabel('Taal').selectOption('English')
  await save(page)
  await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor()
  held.resolve()
  await page.getByText(helpEn.help.screens.profile).waitFor()
})

test('when the texts of a chosen language fail to load, texts that load later are in the former language', async () => {
  allowErrors(/ERR_FAILED|dynamically imported module/)
  const { page } = await atProfile('Babak Zonder')
  const answered = Promise.withResolvers<void>()
  let held: Promise<void> | undefined
  // As after an update, which removes the files of the former version.
  await page.route('**/assets/*.js', async (route) => {
    const response = await route.fetch()
    const isPersian = (await response.text()).split(/[\u0600-\u06ff]+/).length > 50
    if (!isPersian) return route.fulfill({ response })
    await held
    return route.abort()
  })
  await page.getByLabel('Taal').selectOption('فارسی')
  await save(page)
  await page.getByText(nl.states.notLoaded).waitFor()
  await page.getByText(nl.profile.saved).waitFor()
  // The form goes on from what was saved, and another screen does not wait for those texts.
  held = answered.promise
  await page.getByLabel('Naam').fill('Babak Toch')
  await save(page)
  const storedName = async () => ((await (await page.request.get(`${url}/api/profile`)).json()) as Profile).name
  await expect.poll(storedName).toBe('Babak Toch')
  expect(await page.getByText(nl.profile.notSaved).count()).toBe(0)
  await page.getByRole('button', { name: nl.shell.help, exact: true }).click()
  await page.getByText(helpNl.help.screens.profile).waitFor()
  answered.resolve()
})

test('the second factor: on by scanning, with recovery codes, then off with the password', async () => {
  allowErrors(/status of 422/)
  const { page, email, password } = await atProfile('Teun Twee')
  await page.getByRole('button', { name: 'Aanzetten' }).click()
  const qr = page.getByRole('img', { name: /QR-code/ })
  await qr.waitFor()
  await expect.poll(() => qr.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  const secret = await page.getByLabel('Sleutel om over te typen').inputValue()
  await page.getByLabel('Code uit de app').fill('000000')
  await page.getByRole('button', { name: 'Controleren en aanzetten' }).click()
  await page.getByText('Deze code is niet juist.').waitFor()
  const app = new TOTP({ secret: Secret.fromBase32(secret) })
  await page.getByLabel('Code uit de app').fill(app.generate())
  await page.getByRole('button', { name: 'Controleren en aanzetten' }).click()
  await page.getByText('Inloggen in twee stappen staat aan.').waitFor()
  await page.getByRole('status').getByRole('listitem').first().waitFor()
  const codes = await page.getByRole('status').getByRole('listitem').allInnerTexts()
  expect(codes.length).toBeGreaterThan(5)
  expect(await isFocused(page.getByRole('status').filter({ hasText: codes[0] ?? '' }))).toBe(true)

  // The codes are shown only this once, so leaving asks for confirmation.
  await page.getByRole('navigation').getByRole('link', { name: 'Overzicht' }).click()
  const leaving = page.getByRole('alertdialog', { name: 'Hebt u de herstelcodes bewaard?' })
  await leaving.getByText('U ziet ze alleen nu.').waitFor()
  await leaving.getByRole('button', { name: 'Hier blijven' }).click()
  await expect.poll(() => page.getByRole('status').getByRole('listitem').allInnerTexts()).toEqual(codes)
  await page.getByRole('button', { name: 'Ik heb ze bewaard' }).click()
  await expect.poll(() => isFocused(page.getByRole('button', { name: 'Nieuwe herstelcodes' }))).toBe(true)

  // An expired session asks for both factors, in place.
  allowErrors(/status of 401/)
  await page.getByLabel('Naam').fill('Teun Weer Terug')
  await page.context().clearCookies()
  await save(page)
  const dialog = page.getByRole('dialog', { name: 'Uw sessie is afgelopen' })
  await dialog.getByLabel('Wachtwoord', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await dialog.getByLabel('Code uit uw authenticator-app').fill(codes[0] ?? '')
  await page.keyboard.press('Enter')
  await page.getByText('Je gebruikersprofiel is opgeslagen!').waitFor()

  await page.getByRole('button', { name: 'Uitzetten' }).click()
  const question = page.getByRole('dialog', { name: 'Inloggen in twee stappen uitzetten?' })
  await question.getByLabel('Wachtwoord', { exact: true }).fill('verkeerd-woord')
  await page.keyboard.press('Enter')
  await question.getByText('Dit wachtwoord is niet juist.').waitFor()
  await question.getByLabel('Wachtwoord', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await page.getByText('Inloggen in twee stappen staat uit.').waitFor()
  expect(email).toContain('@')
})

test('sessions are listed, and each can be ended', async () => {
  const who = await aUser('Dirk Apparaat')
  const page = await visitor(url)
  const phone = await visitor(url)
  await signInByApi(phone, who)
  await signInByApi(page, who, { reuse: false })
  await openScreen(page, '/admin/profile')
  await page.getByText('Dit apparaat').waitFor()
  // The current session is marked and cannot be ended, so there is one button.
  await page.getByRole('button', { name: 'Chrome, Linux uitloggen', exact: true }).click()
  await page.getByText('Het apparaat is uitgelogd.').waitFor()
  expect((await phone.context().request.get('/api/me')).status()).toBe(401)
  expect((await page.context().request.get('/api/me')).status()).toBe(200)
})

test('a window that stayed visible says on focus that another user or nobody is signed in now, and saves only as its own user', async () => {
  allowErrors(/status of 401/)
  const { page: anna, ...owner } = await atProfile('Anna Eerst')
  const { email, password } = await aUser('Bart Daarna')
  await anna.getByLabel('Naam').fill('Anna Getypt')
  const bart = await anna.context().newPage()
  await signInByApi(bart, { email, password }, { reuse: false })
  await openScreen(bart, '/user')
  const question = (page: Page) => page.getByRole('dialog', { name: 'Uw sessie is afgelopen' })
  const focusWindow = (page: Page) => page.evaluate(() => dispatchEvent(new Event('focus')))
  await focusWindow(anna)
  await question(anna).getByText('In deze browser is nu Bart Daarna ingelogd.').waitFor()
  await question(anna).getByRole('button', { name: 'Annuleren' }).click()

  await save(anna)
  await question(anna).getByText('wordt daarna alsnog opgeslagen').waitFor()
  await question(anna).getByLabel('Wachtwoord', { exact: true }).fill(owner.password)
  await anna.keyboard.press('Enter')
  await anna.getByText('Je gebruikersprofiel is opgeslagen!').waitFor()
  await expect.poll(() => namesOf([owner.email, email])).toEqual(['Anna Getypt', 'Bart Daarna'])

  await focusWindow(bart)
  await question(bart).getByRole('link', { name: 'Ga verder als Anna' }).click()
  await bart.getByRole('link', { name: 'Anna Getypt' }).waitFor()
  await bart.context().clearCookies()
  await focusWindow(anna)
  await question(anna).getByText('Daarna gaat u verder waar u was.').waitFor()
})

test('spec 2: signing out leads to the page that is given, else to the home page, and the admin is closed', async () => {
  const who = await aUser('Uma Uit')
  const page = await visitor(url)
  for (const [search, target] of [
    ['', '/'],
    ['?redirect=/disclaimer', '/disclaimer'],
  ] as const) {
    await signInAndOpen(page, `/admin/profile${search}`, who)
    await page.getByRole('button', { name: 'Uitloggen' }).first().click()
    await page.waitForURL(url + target)
  }
  await page.goto('/admin/profile')
  await expect.poll(() => new URL(page.url()).pathname).toBe('/login')
})

test('changes of the own profile are in the audit log', async () => {
  const { page } = await atProfile('Lies Logboek')
  await page.getByLabel('Naam').fill('Lies Logboek-Anders')
  await save(page)
  await page.getByText('Je gebruikersprofiel is opgeslagen!').waitFor()
  // What this screen still asks for would be refused to another user.
  await waitUntilLoaded(page)
  await signInAndOpen(page, '/admin/audit')
  await page.getByRole('searchbox').fill('Lies')
  const row = page.getByRole('row', { name: /Eigen profiel gewijzigd.*Lies Logboek-Anders/ })
  await row.waitFor()
  await expect.poll(() => row.locator('del').innerText()).toContain('Lies Logboek')

  await page.getByRole('button', { name: 'Filter' }).click()
  await page.getByRole('radio', { name: 'Rollen' }).check()
  await page.getByText('Niets gevonden').waitFor()
  await page.getByRole('radio', { name: 'Eigen profiel' }).check()
  await row.waitFor()
  await page.getByLabel('Vanaf').fill('2099-01-01')
  await page.getByText('Niets gevonden').waitFor()
  await expect.poll(() => new URL(page.url()).search).toContain('area=profile')
  await expect.poll(async () => (await site.call<Profile>('GET', '/api/profile')).email).toBe(administrator.email)
})

/** The last test: a tab with an authenticator is closed after it, and the next test would have to open a new one. */
test('a passkey is added, renamed, used to sign in again in place, and removed', async () => {
  allowErrors(/status of 401/)
  const { page } = await atProfile('Kees Sleutel')
  await addAuthenticator(page, 'telephone')
  await page.getByRole('button', { name: 'Passkey toevoegen' }).click()
  await page.getByLabel('Naam van de passkey').fill('Mijn telefoon')
  await page.getByRole('button', { name: 'Passkey maken' }).click()
  await page.getByText('De passkey is toegevoegd.').waitFor()

  await page.getByRole('button', { name: 'Naam van Mijn telefoon wijzigen' }).click()
  await page.getByLabel('Naam van de passkey').fill('Werktelefoon')
  await page.getByRole('listitem').getByRole('button', { name: 'Opslaan' }).click()
  await page.getByText('Werktelefoon').waitFor()

  await page.getByLabel('Naam').first().fill('Kees Terug')
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Opslaan' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Met een passkey' }).click()
  await page.getByText('Je gebruikersprofiel is opgeslagen!').waitFor()

  await page.getByRole('button', { name: 'Werktelefoon verwijderen' }).click()
  const question = page.getByRole('alertdialog', { name: 'Weet u zeker dat u deze passkey wilt verwijderen?' })
  await question.getByRole('button', { name: 'Verwijderen' }).click()
  await page.getByText('U hebt nog geen passkey.').waitFor()
})
