import { readFileSync } from 'node:fs'
import type { Locator } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { translator } from '../../src/i18n/translate.ts'
import { aStaffedProgram, boss, enter, type StaffedProgram, settled, show } from '../support/admin.ts'
import { aBrowser } from '../support/browser.ts'
import { allowErrors } from '../support/logged.ts'
import { aMailbox, type Mailbox } from '../support/mailbox.ts'
import { anApp } from '../support/profile.ts'

const { visitor } = aBrowser()
let site: StaffedProgram
let mailbox: Mailbox
beforeAll(async () => {
  mailbox = await aMailbox()
  site = await aStaffedProgram({ SMTP_URL: mailbox.url })
})

test('who is not signed in is led to the login, and after it to where they were going', async () => {
  const page = await visitor(site.url)
  await page.goto('/admin/users?search=bente')
  expect(new URL(page.url()).pathname).toBe('/login')

  await page.getByLabel(translator('nl')('signIn.login.identifier')).fill(boss.email)
  await page.getByLabel(translator('nl')('signIn.login.password'), { exact: true }).fill(boss.password)
  await page.keyboard.press('Enter')

  await page.waitForURL('**/admin/users?search=bente')
  await page.getByRole('rowheader', { name: boss.email }).waitFor()
})

test('spec 2 /user: it says who is signed in, what they may do and what is new', async () => {
  const page = await visitor(site.url)
  await enter(page)
  await show(page, '/user')
  expect(await page.locator('h1').textContent()).toBe(`Je bent ingelogd als ${boss.name}`)
  const may = page.getByRole('heading', { name: 'Wat u mag doen' }).locator('..').locator('..')
  expect(await may.innerText()).toContain('Gebruikers beheren')
  await page.getByRole('heading', { name: 'Wat er nieuw is' }).waitFor()
})

test('spec 8 user save: a new user, with the password mailed as newUser, and then as updatedUser', async () => {
  const page = await visitor(site.url)
  await enter(page)
  await show(page, '/admin/users/new')
  await page.getByLabel('Naam').fill('Noor Willems')
  await page.getByLabel('E-mail', { exact: false }).first().fill('Noor@Example.nl')
  await page.getByLabel('Rol', { exact: true }).selectOption('Redacteur')
  expect(await page.getByLabel('Email new password to user?').isDisabled()).toBe(true)
  await page.getByLabel('Wachtwoord', { exact: true }).fill('welkom-noor')
  await page.getByRole('switch', { name: 'Email new password to user?' }).check()
  await page.getByRole('button', { name: 'Opslaan' }).click()

  await page.getByText('Gebruiker is opgeslagen!').waitFor()
  await page.waitForURL(/\/admin\/users\/\d+$/)
  const [welcome] = await mailbox.received(1)
  expect(welcome?.to).toEqual(['noor@example.nl'])
  expect(welcome?.parsed.text).toContain('welkom-noor')

  await settled(page)
  await page.getByLabel('Wachtwoord', { exact: true }).fill('ander-woord')
  await page.getByRole('switch', { name: 'Email new password to user?' }).check()
  await page.getByRole('button', { name: 'Opslaan' }).click()
  const letters = await mailbox.received(2)
  expect(letters[1]?.parsed.subject).not.toBe(welcome?.parsed.subject)
  expect(letters[1]?.parsed.text).toContain('ander-woord')
  await expect.poll(() => page.getByLabel('Wachtwoord', { exact: true }).inputValue()).toBe('')
})

describe('what is wrong is said at its field', () => {
  test('spec 5 and 8: required, email, password of five, and that it was not saved', async () => {
    allowErrors(/status of 422/)
    const page = await visitor(site.url)
    await enter(page)
    await show(page, '/admin/users/new')
    await page.getByRole('button', { name: 'Opslaan' }).click()
    await page.getByText('Gebruiker is niet opgeslagen!').waitFor()
    const name = page.getByLabel('Naam')
    const email = page.getByLabel('E-mail', { exact: false }).first()
    expect(await email.getAttribute('aria-invalid')).toBe('true')
    await page.getByText('Dit is een verplicht veld!').first().waitFor()
    expect(await page.getByText('Dit e-mailadres is niet geldig!').count()).toBe(0)

    await name.fill('Piet')
    await email.fill('geen-adres')
    await page.getByLabel('Wachtwoord', { exact: true }).fill('vijf5')
    await page.getByRole('button', { name: 'Opslaan' }).click()
    await page.getByText('Dit e-mailadres is niet geldig!').waitFor()
    await page.getByText('Wachtwoord moet bestaan uit minstens 6 karakters!').waitFor()
    await expect.poll(() => email.evaluate((field) => field === document.activeElement)).toBe(true)

    await email.fill(boss.email)
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

  test('search, filters, order and page stand in the address, and a reload or the way back keeps them', async () => {
    const page = await visitor(site.url)
    await enter(page)
    await show(page, '/admin/users')
    await page.getByRole('searchbox').fill('persoon')
    await page.waitForURL('**/admin/users?search=persoon')
    await page.getByText('1–25 van 30').waitFor()
    await page.getByRole('link', { name: 'Pagina 2' }).click()
    await page.waitForURL(/page=2/)
    await page.getByText('26–30 van 30').waitFor()
    // What was searched for comes by how well it matches; then once up, once more down.
    await page.getByRole('button', { name: 'Naam' }).click()
    await page.waitForURL(/sort=name/)
    await page.getByRole('button', { name: 'Naam' }).click()
    await page.waitForURL(/sort=-name/)
    await page.getByRole('rowheader').first().getByText('Persoon 30').waitFor()
    expect(page.url()).not.toContain('page=2')

    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByRole('checkbox', { name: 'Redacteur', exact: true }).check()
    await page.waitForURL(/roleId=3/)
    await page.getByText('1–3 van 3').waitFor()
    await page.reload()
    await page.getByText('1–3 van 3').waitFor()
    expect(await page.getByRole('searchbox').inputValue()).toBe('persoon')

    await page.getByRole('link', { name: 'Persoon 20' }).click()
    await page.getByRole('heading', { level: 1, name: 'Persoon 20' }).waitFor()
    await page.goBack()
    await page.getByText('1–3 van 3').waitFor()
  })

  test('many at once: block, undo, give a role, export', async () => {
    const page = await visitor(site.url)
    await enter(page)
    await show(page, '/admin/users?search=persoon%200')
    await page.getByRole('checkbox', { name: 'Persoon 01 kiezen' }).check()
    await page.getByRole('checkbox', { name: 'Persoon 02 kiezen' }).check()
    await page.getByText('2 gekozen').waitFor()
    await page.getByRole('button', { name: 'Blokkeren', exact: true }).click()
    await page.getByText('2 gebruikers zijn geblokkeerd.').waitFor()
    const blocked = () => site.call<{ meta: { total: number } }>('GET', '/api/users?search=persoon&blocked=true')
    expect((await blocked()).meta.total).toBe(2)
    await page.getByRole('button', { name: 'Ongedaan maken' }).click()
    await page.getByText('2 gebruikers zijn gedeblokkeerd.').waitFor()
    expect((await blocked()).meta.total).toBe(0)

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
    expect(list).not.toContain(boss.email)

    await page.getByRole('checkbox', { name: 'Persoon 04 kiezen' }).check()
    const chosen = await saved(bar.getByRole('button', { name: 'Exporteren (CSV)' }))
    expect(chosen.match(/@lijst\.example/g)).toHaveLength(1)
    expect(chosen).toContain('Persoon 04')
  })

  test('a list that finds nothing says what to do next', async () => {
    const page = await visitor(site.url)
    await enter(page)
    await show(page, '/admin/users?search=nietvindbaar')
    await page.getByText('Geen gebruiker gevonden').waitFor()
    await page.getByRole('button', { name: 'Filters wissen' }).click()
    await page.getByRole('rowheader').first().waitFor()
  })

  test('a server that does not answer is said, with a way to try again', async () => {
    allowErrors(/ERR_FAILED/)
    const page = await visitor(site.url)
    await enter(page)
    await page.route('**/api/users?*', (route) => route.abort())
    await page.route('**/api/users', (route) => route.abort())
    await page.goto('/admin/users')
    await page.getByText('Dit is niet gelukt').waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Opnieuw proberen' }).click()
    await page.getByRole('rowheader').first().waitFor()
  })
})

test('who has no right sees that, on each screen, and neither menu nor palette leads there', async () => {
  await site.addUser({ name: 'Gijs Gast', email: 'gijs@example.nl', password: 'geheim-gijs' })
  const page = await visitor(site.url)
  await enter(page, { email: 'gijs@example.nl', password: 'geheim-gijs' })
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
    await show(page, `/admin/${path}`)
    await page.getByText('U hebt hier geen toegang').waitFor()
  }
  await show(page, '/user')
  expect(await page.getByRole('navigation').first().getByRole('link').allInnerTexts()).toEqual([
    'Overzicht',
    'Naar de website',
  ])
  await page.keyboard.press('Control+k')
  await page.getByRole('option').first().waitFor()
  expect(await page.getByRole('option').allInnerTexts()).not.toContain('Gebruikers')
})

test('a link to set a password is shown, or mailed to the user alone', async () => {
  const { id } = await site.addUser({ name: 'Lotte Maes', email: 'lotte@example.nl' })
  const page = await visitor(site.url)
  await enter(page)
  await show(page, `/admin/users/${id}`)
  await page.getByRole('button', { name: 'Link tonen' }).click()
  const link = await page.getByLabel('Link', { exact: true }).inputValue()
  expect((await fetch(site.url + new URL(link).pathname + new URL(link).search)).status).toBe(200)

  const before = mailbox.letters.length
  await page.getByRole('button', { name: 'Link mailen' }).click()
  await page.getByText('De link is naar lotte@example.nl gestuurd.').waitFor()
  const letters = await mailbox.received(before + 1)
  expect(letters.at(-1)?.to).toEqual(['lotte@example.nl'])
})

test('an address of the admin that does not exist is not found', async () => {
  const page = await visitor(site.url)
  await enter(page)
  await show(page, '/admin/nergens')
  expect(await page.locator('h1').textContent()).toBe('Page Not Found')
  allowErrors(/status of 404/)
  await show(page, '/admin/users/99999')
  expect(await page.locator('h1').textContent()).toBe('Page Not Found')
})

test('who lost the app and the codes is let in by the password alone again, once the question is answered', async () => {
  const secret = 'geheim-iris'
  const user = await site.addUser({ name: 'Iris Kwijt', email: 'iris@example.nl', password: secret })
  const hers = await visitor(site.url)
  await enter(hers, { email: user.email, password: secret })
  const post = async (path: string, data?: object) =>
    (await hers.context().request.post(path, { ...(data && { data }) })).json()
  const started = await post('/api/profile/two-factor')
  await post('/api/profile/two-factor/verify', { code: anApp(started.secret).code() })

  const page = await visitor(site.url)
  await enter(page)
  await show(page, `/admin/users/${user.id}`)
  await page.getByRole('button', { name: 'Uitzetten' }).click()
  const question = page.getByRole('alertdialog', { name: 'Inloggen in twee stappen uitzetten?' })
  await question.getByRole('button', { name: 'Uitzetten' }).click()
  await page.getByText('Inloggen in twee stappen staat uit voor Iris Kwijt.').waitFor()
  await page.getByRole('button', { name: 'Uitzetten' }).waitFor({ state: 'detached' })

  const again = await visitor(site.url)
  await enter(again, { email: user.email, password: secret })
  expect((await again.context().request.get('/api/me')).status()).toBe(200)
})
