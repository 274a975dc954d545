import { beforeAll, describe, expect, test } from 'vitest'
import { localizedPath } from '../../src/contract/locales.ts'
import { translator } from '../../src/i18n/translate.ts'
import { aBrowser } from '../support/browser.ts'
import {
  aSignInSite,
  field,
  fieldError,
  fillAndSubmit,
  password,
  type SignInSite,
  signIn,
  submitForm,
} from '../support/sign-in-site.ts'
import { allowErrors } from '../support/test-log.ts'

const { visitor } = aBrowser()
const refusedInConsole = () => allowErrors(/status of (401|404|422)/)

let signInSite: SignInSite
let origin: string
let aPerson: SignInSite['aPerson']
beforeAll(async () => {
  signInSite = await aSignInSite()
  origin = signInSite.origin
  aPerson = signInSite.aPerson
})

test('the first start: the link in the log creates the first administrator, and works only once', async () => {
  refusedInConsole()
  const { site } = signInSite
  const setupLink = String(site.lines.find((line) => line.setup)?.setup)
  expect(setupLink).toMatch(new RegExp(`^http://localhost:${site.port}/setup\\?token=[\\w-]{43}$`))
  const page = await visitor(origin, { javaScript: false })
  await page.goto(setupLink)
  await fillAndSubmit(page, {
    name: 'Bente de Beheerder',
    email: 'bente@example.nl',
    password,
    repeat: 'geheim-124',
  })
  await expect.poll(() => fieldError(page, 'repeat')).toBe('De ingevoerde wachtwoorden komen niet overeen!')
  await expect.poll(() => field(page, 'name').inputValue()).toBe('Bente de Beheerder')
  await fillAndSubmit(page, { password, repeat: password })

  await page.waitForURL('**/login?*')
  await expect.poll(() => page.getByRole('status').innerText()).toBe('Uw account is klaar. Log in om te beginnen.')
  await signIn(page, 'bente@example.nl')
  await page.waitForURL(`${origin}/user`)
  await page.context().clearCookies()
  expect((await page.goto(setupLink))?.status()).toBe(404)
  await expect.poll(() => page.locator('h1').innerText()).toBe('Deze link werkt niet meer')
})

/** Each language, and each way of working, is there once. */
describe.each([
  ['nl', true],
  ['fa', false],
] as const)('in %s, with JavaScript %s', (locale, javaScript) => {
  const t = translator(locale)
  const at = (path: string) => localizedPath(path, locale, {})

  test('spec 8 wrong login: the error text, the address kept, the password removed', async () => {
    refusedInConsole()
    const { email } = await aPerson()
    const page = await visitor(origin, { javaScript })
    await page.goto(at('/login'))
    await signIn(page, email, 'geheim-124')
    const alert = page.locator('.panel .failed')
    const [title, text] =
      locale === 'nl'
        ? ['Onjuiste inloggegevens!', 'Controleer de gebruikersnaam en het wachtwoord en probeer het opnieuw.']
        : [t('errors.wrong_login.title'), t('errors.wrong_login.detail')]
    await expect.poll(() => alert.innerText()).toContain(title)
    await expect.poll(() => alert.innerText()).toContain(text)
    await expect.poll(() => alert.getAttribute('role')).toBe('alert')
    await expect.poll(() => field(page, 'identifier').inputValue()).toBe(email)
    await expect.poll(() => field(page, 'password').inputValue()).toBe('')
    await submitForm(page)
    await expect.poll(() => fieldError(page, 'password')).toBe(t('validation.required'))
  })

  test('spec 2 login, menus, logout: the requested page, the name in the menu, and signed out again', async () => {
    const { email, name } = await aPerson(locale === 'fa' ? 'پریسا احمدی' : "Sanne d'Hondt")
    const page = await visitor(origin, { javaScript })
    await page.goto(`${at('/login')}?redirect=${encodeURIComponent(at('/disclaimer'))}`)
    await signIn(page, email)
    await page.waitForURL(origin + at('/disclaimer'))
    const mine = page.locator('header .strip').getByRole('link', { name })
    await expect.poll(() => mine.getAttribute('href')).toBe('/user')

    await page.goto(at('/logout'))
    await expect.poll(() => page.locator('.panel .lead').innerText()).toContain(name)
    await submitForm(page)
    await page.waitForURL(`${origin}/`)
    await page.goto(at('/disclaimer'))
    await expect.poll(() => page.locator('header .strip a[href="/user"]').count()).toBe(0)
  })

  test('a forgotten password: the same response for everybody, an email for a known address, and a new password', async () => {
    refusedInConsole()
    const { email } = await aPerson()
    const { mailbox } = signInSite
    mailbox.emails.length = 0
    const page = await visitor(origin, { javaScript })
    for (const address of ['niemand@example.nl', email]) {
      await page.goto(at('/login'))
      await page.getByRole('link', { name: t('signIn.login.forgotten') }).click()
      await fillAndSubmit(page, { email: address })
      await page.waitForURL('**/wachtwoord-vergeten?*')
      await expect.poll(() => page.locator('h1').innerText()).toBe(t('signIn.forgotten.sentTitle'))
      await expect.poll(() => page.locator('.panel').innerText()).not.toContain(address)
    }
    const [received] = await mailbox.received(1)
    expect(received?.to).toEqual([email])
    const token = /\?token=([\w-]+)/.exec(received?.parsed.text ?? '')?.[1] ?? ''

    const link = `${at('/wachtwoord')}?token=${token}`
    await page.goto(link)
    await expect.poll(() => page.locator('.panel .lead').innerText()).toContain(email)
    await fillAndSubmit(page, { password: 'vijf5', repeat: 'vijf5' })
    await expect.poll(() => fieldError(page, 'password')).toBe(t('validation.passwordMin'))
    await fillAndSubmit(page, { password: 'nieuw-456', repeat: 'nieuw-456' })
    await page.waitForURL('**/login?*')
    await expect.poll(() => page.getByRole('status').innerText()).toBe(t('signIn.notice.passwordSet'))
    await signIn(page, email)
    await expect.poll(() => page.locator('.panel .failed').innerText()).toContain(t('errors.wrong_login.title'))
    await signIn(page, email, 'nieuw-456')
    await page.waitForURL(`${origin}/user`)
    expect((await page.goto(link))?.status()).toBe(404)
  })
})
