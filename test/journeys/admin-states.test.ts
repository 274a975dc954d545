import type { Page, Route } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { User } from '../../src/contract/users.ts'
import {
  aProgramWithAdministrator,
  goToScreen,
  openScreen,
  type ProgramWithAdministrator,
  signInAndOpen,
  signInByApi,
} from '../support/admin-program.ts'
import { aBrowser } from '../support/browser.ts'
import { sendMessage } from '../support/messages.ts'
import { allowErrors } from '../support/test-log.ts'

const { visitor } = aBrowser()
let site: ProgramWithAdministrator
beforeAll(async () => {
  site = await aProgramWithAdministrator()
  for (let number = 1; number <= 30; number++) {
    const name = `Persoon ${String(number).padStart(2, '0')}`
    await site.addUser({ name, email: `persoon${number}@lijst.example`, ...(number === 30 && { roleId: 3 }) })
  }
})

async function inside(): Promise<Page> {
  const page = await visitor(site.url)
  await signInByApi(page)
  return page
}

/** Delays the API responses of that path until they fail or are let through. */
async function heldBack(page: Page, path: string) {
  const waiting: Route[] = []
  let answer: ((route: Route) => Promise<void>) | undefined
  let asked = 0
  await page.route(
    (url) => url.pathname === path,
    async (route) => {
      asked++
      if (answer) await answer(route)
      else waiting.push(route)
    },
  )
  const release = async (how: (route: Route) => Promise<void>) => {
    answer = how
    for (const route of waiting.splice(0)) await how(route)
  }
  return {
    asked: () => asked,
    fail: () => release(failure),
    letThrough: () => release((route) => route.continue()),
  }
}

const failure = (route: Route) =>
  route.fulfill({
    status: 500,
    contentType: 'application/problem+json',
    json: { title: 'Internal Server Error', status: 500, detail: 'Er ging iets mis.', code: 'unexpected', errors: [] },
  })

test('a search that fails can be changed: the tools of the list stay', async () => {
  allowErrors(/status of 500/)
  const page = await inside()
  await page.route((url) => url.pathname === '/api/users' && url.searchParams.get('search') === 'mislukt', failure)
  await openScreen(page, '/admin/users?search=mislukt')
  await page.getByRole('alert').filter({ hasText: 'Internal Server Error' }).waitFor()
  const field = page.getByRole('searchbox')
  expect(await field.getAttribute('maxlength')).toBe('200')
  await field.fill('Persoon 07')
  await page.getByText('Persoon 07').first().waitFor()
})

const broken = (page: Page, path: string) => page.route((url) => url.pathname === path, failure)

describe.each([
  {
    screen: '/user',
    parts: [
      { data: '/api/dashboard', shows: 'Laatste wijzigingen' },
      { data: '/api/profile', shows: 'Inloggen in twee stappen staat uit.' },
    ],
  },
  { screen: '/admin/users', parts: [{ data: '/api/users', shows: 'Persoon 01' }] },
  { screen: '/admin/users/100', parts: [{ data: '/api/users/100', shows: 'Over dit account' }] },
  { screen: '/admin/roles', parts: [{ data: '/api/roles', shows: 'Redacteur' }] },
  {
    screen: '/admin/profile',
    parts: [
      { data: '/api/profile', shows: 'Passkey toevoegen' },
      { data: '/api/profile/sessions', shows: 'Dit apparaat' },
    ],
  },
])('each part of $screen without its response', ({ screen, parts }) => {
  test('shows a loading state, an error with a retry button that works, and then the data', async () => {
    allowErrors(/status of 500/)
    const page = await inside()
    const held = await Promise.all(parts.map(async (part) => ({ ...part, ...(await heldBack(page, part.data)) })))
    await page.goto(screen)
    const loading = page.getByRole('status', { name: 'Bezig met laden' })
    const alert = page.getByRole('alert').filter({ hasText: 'Internal Server Error' })
    for (const { data, shows, ...answers } of held) {
      await loading.first().waitFor()
      await expect.poll(answers.asked, { message: data }).toBeGreaterThan(0)
      await expect.poll(() => page.getByText(shows).count()).toBe(0)
      await answers.fail()
      await alert.waitFor()
      await expect.poll(() => page.getByText(shows).count()).toBe(0)
      await answers.letThrough()
      await alert.getByRole('button', { name: 'Opnieuw proberen' }).click()
      await page.getByText(shows).first().waitFor()
      await alert.waitFor({ state: 'detached' })
    }
    await expect.poll(() => loading.count()).toBe(0)
  })
})

describe('a part of a screen that fails shows an error and can be retried', () => {
  test.each([
    { screen: '/admin/users/new', path: '/api/roles', says: 'De rollen konden niet worden geladen.' },
    { screen: '/admin/users', path: '/api/roles', says: 'De rollen konden niet worden geladen.', filter: true },
    { screen: '/user', path: '/api/profile/sessions', says: 'Uw ingelogde apparaten konden niet worden geladen.' },
  ])('$path at $screen', async ({ screen, path, says, filter }) => {
    allowErrors(/status of 500/)
    const page = await inside()
    await broken(page, path)
    await page.goto(screen)
    if (filter) await page.getByRole('button', { name: 'Filter' }).click()
    const alert = page.getByRole('alert').filter({ hasText: says })
    await alert.waitFor()
    await page.unrouteAll()
    await alert.getByRole('button', { name: 'Opnieuw proberen' }).click()
    await alert.waitFor({ state: 'detached' })
  })

  test('the role menu of the bulk actions', async () => {
    allowErrors(/status of 500/)
    const page = await inside()
    await broken(page, '/api/roles')
    await page.goto('/admin/users')
    await page.getByRole('checkbox', { name: 'Persoon 01 kiezen' }).check()
    const chosen = page.getByRole('region', { name: 'Gekozen gebruikers' })
    await chosen.getByText('De rollen konden niet worden geladen.').waitFor()
    await page.unrouteAll()
    await chosen.getByRole('button', { name: 'Opnieuw proberen' }).click()
    await chosen.getByRole('combobox', { name: 'Rol geven' }).selectOption('Redacteur')
  })

  test('the palette shows a loading state and an error for its search of users', async () => {
    allowErrors(/status of 500/)
    const page = await inside()
    await openScreen(page, '/user')
    const answers = await heldBack(page, '/api/users')
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog')
    await palette.getByRole('combobox').fill('persoon 07')
    await palette.getByText('Er wordt naar gebruikers gezocht…').waitFor()
    await expect.poll(() => palette.getByText('Niets gevonden').count()).toBe(0)
    await answers.letThrough()
    await palette.getByRole('option', { name: 'Persoon 07' }).waitFor()
    await palette.getByText('Er wordt naar gebruikers gezocht…').waitFor({ state: 'detached' })

    await broken(page, '/api/users')
    await palette.getByRole('combobox').fill('persoon 08')
    await palette.getByRole('alert').filter({ hasText: 'Het zoeken naar gebruikers is niet gelukt.' }).waitFor()
    await expect.poll(() => palette.getByText('Niets gevonden').count()).toBe(0)
    await page.unrouteAll()
    await palette.getByRole('combobox').fill('bestaatniet')
    await palette.getByText('Niets gevonden').waitFor()
  })

  test('in a conflict over the role, the role has its name even when the roles failed to load', async () => {
    allowErrors(/status of (409|500)/)
    const user = await site.addUser({ name: 'Rosa Rol', email: 'rosa@example.nl' })
    const page = await inside()
    await broken(page, '/api/roles')
    await page.goto(`/admin/users/${user.id}`)
    await page.getByLabel('Naam').fill('Rosa Anders')
    await site.call('POST', '/api/users/role', { ids: [user.id], roleId: 3 })
    await page.getByRole('button', { name: 'Opslaan' }).click()
    const row = page.getByRole('dialog', { name: 'Iemand anders was u voor' }).getByRole('row', { name: /^Rol/ })
    await row.waitFor()
    await expect.poll(() => row.getByRole('cell').allInnerTexts()).toEqual(['Geen rol voor het beheer', 'Redacteur'])
  })
})

describe('blocking', () => {
  test('is shown before the server has answered, and undone when the server refuses', async () => {
    allowErrors(/status of 409/)
    const page = await inside()
    await openScreen(page, '/admin/users?search=persoon%2011')
    const row = page.getByRole('row', { name: 'Persoon 11' })
    const waiting: Route[] = []
    await page.route('**/api/users/block', (route) => void waiting.push(route))
    await row.getByRole('button', { name: 'Persoon 11 blokkeren' }).click()
    await row.getByText('Geblokkeerd').waitFor()
    await expect.poll(() => waiting.length).toBe(1)
    await expect.poll(() => page.getByText('Persoon 11 is geblokkeerd.').count()).toBe(0)
    await waiting[0]?.fulfill({
      status: 409,
      contentType: 'application/problem+json',
      json: { title: 'Dit kan niet', status: 409, detail: 'De laatste beheerder.', code: 'last_manager', errors: [] },
    })
    await page.getByRole('alert').filter({ hasText: 'Niet geblokkeerd' }).getByText('De laatste beheerder.').waitFor()
    await row.getByText('Actief').waitFor()
  })

  test('a user who was blocked in the row can be unblocked in the bulk bar, though selected before', async () => {
    const page = await inside()
    await openScreen(page, '/admin/users?search=persoon%2012')
    const row = page.getByRole('row', { name: 'Persoon 12' })
    await row.getByRole('checkbox', { name: 'Persoon 12 kiezen' }).check()
    await row.getByRole('button', { name: 'Persoon 12 blokkeren' }).click()
    await page.getByText('is geblokkeerd.').waitFor()
    const isBlocked = async () =>
      (await site.call<{ data: User[] }>('GET', '/api/users?search=persoon%2012')).data[0]?.blocked
    await expect.poll(() => isBlocked()).toBe(true)
    await page.getByRole('button', { name: 'Deblokkeren', exact: true }).click()
    await page.getByText('is gedeblokkeerd.').waitFor()
    await expect.poll(() => isBlocked()).toBe(false)
  })
})

test('a selection of more than 500 is explained, and the bulk actions are off', async () => {
  const page = await inside()
  const { data } = await site.call<{ data: User[] }>('GET', '/api/users?search=persoon%2001')
  const many = Array.from({ length: 501 }, (_, index) => ({ ...data[0], id: 1_000 + index, name: `Velen ${index}` }))
  await page.route('**/api/users', (route) =>
    route.fulfill({ json: { data: many, meta: { page: 1, pageSize: 501, total: 501 } } }),
  )
  await openScreen(page, '/admin/users')
  // Looked for in a part of the page each: the names of everything in 501 rows take seconds.
  const chosen = page.locator('section[aria-label="Gekozen gebruikers"]')
  const block = chosen.getByRole('button', { name: 'Blokkeren', exact: true })
  await page.locator('thead').getByRole('checkbox', { name: 'Alles op deze pagina kiezen' }).check()
  await chosen.getByText('U kunt er hoogstens 500 tegelijk wijzigen.').waitFor()
  await expect.poll(() => block.isDisabled()).toBe(true)
  await page.locator('tbody tr').nth(7).getByRole('checkbox', { name: 'Velen 7 kiezen', exact: true }).uncheck()
  await expect.poll(() => block.isDisabled()).toBe(false)
  await expect.poll(() => chosen.getByText('U kunt er hoogstens').count()).toBe(0)
})

test('an error without a field in the form is shown in the error summary', async () => {
  allowErrors(/status of 422/)
  const page = await inside()
  await openScreen(page, '/admin/users/new')
  await page.route('**/api/users', (route) =>
    route.fulfill({
      status: 422,
      contentType: 'application/problem+json',
      json: {
        title: 'Niet alles is goed ingevuld',
        status: 422,
        detail: 'Controleer de velden met een melding.',
        code: 'invalid',
        errors: [
          { path: 'name', message: 'Dit is een verplicht veld!' },
          { path: 'role.connect.0', message: 'Deze waarde kan hier niet.' },
        ],
      },
    }),
  )
  await page.getByRole('button', { name: 'Opslaan' }).click()
  const alert = page.getByRole('alert').filter({ hasText: 'Gebruiker is niet opgeslagen!' })
  await page.getByText('Dit is een verplicht veld!').waitFor()
  await expect
    .poll(() => alert.getByRole('listitem').allInnerTexts())
    .toEqual(['role.connect.0: Deze waarde kan hier niet.'])
})

test('alarms are saved after one of their recipients was deleted, which is reported at their field', async () => {
  allowErrors(/status of 422/)
  const user = await site.addUser({ name: 'Wim Weg', email: 'wim@weg.example', roleId: 2 })
  const page = await inside()
  await openScreen(page, '/admin/health')
  const [alerts, reports] = [page.getByLabel(/Wim Weg/).first(), page.getByLabel(/Wim Weg/).last()]
  await reports.uncheck()
  await site.call('DELETE', `/api/users/${user.id}`)
  await page.getByRole('button', { name: 'Opslaan' }).click()
  await page.getByText('Deze gebruiker bestaat niet.').waitFor()
  await alerts.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Opslaan' }).click()
  await page.getByText('Waarschuwingen opgeslagen').waitFor()
})

test('an error of the whole form is scrolled into view and focused, from the end of a long form', async () => {
  allowErrors(/status of 409/)
  const page = await inside()
  await page.setViewportSize({ width: 390, height: 600 })
  await openScreen(page, '/admin/users/100')
  await page.route('**/api/users/100', (route) =>
    route.request().method() === 'PUT'
      ? route.fulfill({
          status: 409,
          contentType: 'application/problem+json',
          json: { title: 'Dit kan niet', status: 409, detail: 'Dit is de laatste.', code: 'last_manager', errors: [] },
        })
      : route.continue(),
  )
  await page.getByLabel('Wachtwoord', { exact: true }).fill('nieuw-geheim')
  await page.getByRole('button', { name: 'Opslaan' }).click()
  const alert = page.getByRole('alert').filter({ hasText: 'Dit is de laatste.' })
  await alert.waitFor()
  await expect.poll(() => alert.evaluate((element) => element === document.activeElement)).toBe(true)
  const box = await alert.boundingBox()
  expect(box?.y).toBeGreaterThan(0)
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(600)
})

test('deleting an item that somebody else deleted shows a short message', async () => {
  allowErrors(/status of 404/)
  const user = await site.addUser({ name: 'Weg Is Weg', email: 'weg@example.nl' })
  const page = await inside()
  await openScreen(page, `/admin/users/${user.id}`)
  await site.call('DELETE', `/api/users/${user.id}`)
  await page.getByRole('button', { name: 'Verwijderen' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Verwijderen' }).click()
  await page.getByText('Dit is er niet meer. Misschien heeft iemand anders het intussen verwijderd.').waitFor()
})

test('a page number past the end of a list shows the last page', async () => {
  const page = await inside()
  for (const { path, at, shows } of [
    { path: '/admin/users?page=9', at: '/admin/users?page=2', shows: /26–\d+ van \d+/ },
    { path: '/admin/users?search=persoon%2001&page=9', at: '/admin/users?search=persoon+01', shows: /1–1 van 1/ },
    { path: '/admin/files?page=9&kind=video', at: '/admin/files?kind=video', shows: /Geen bestand gevonden/ },
    { path: '/admin/audit?page=50&area=roles', at: '/admin/audit?area=roles', shows: /Niets gevonden/ },
  ]) {
    await goToScreen(page, path)
    await page.getByText(shows).waitFor()
    await expect.poll(() => new URL(page.url()).pathname + new URL(page.url()).search, { message: path }).toBe(at)
  }
})

test('the sort field shows the order of the list, also of a search', async () => {
  const page = await visitor(site.url, { width: 'phone' })
  await signInByApi(page)
  const field = page.getByRole('combobox', { name: 'Sorteren op' })
  const chosen = () => field.evaluate((select: HTMLSelectElement) => select.selectedOptions[0]?.text)
  await openScreen(page, '/admin/users')
  await expect.poll(() => chosen()).toBe('Naam, A–Z')
  await expect.poll(() => field.locator('option').allInnerTexts()).not.toContain('Beste overeenkomst')
  for (const [sort, text] of [
    ['lastSignedInAt', 'Laatst ingelogd, oudste eerst'],
    ['-lastSignedInAt', 'Laatst ingelogd, nieuwste eerst'],
    ['-email', 'E-mail, Z–A'],
    ['createdAt', 'Toegevoegd, oudste eerst'],
  ] as const) {
    await goToScreen(page, `/admin/users?sort=${sort}`)
    await expect.poll(() => chosen(), { message: sort }).toBe(text)
  }

  await goToScreen(page, '/admin/users?search=persoon')
  await expect.poll(() => chosen()).toBe('Beste overeenkomst')
  await field.selectOption('Naam, A–Z')
  await page.waitForURL('**/admin/users?search=persoon&sort=name')
  await field.selectOption('Beste overeenkomst')
  await page.waitForURL('**/admin/users?search=persoon')
})

test('the audit log can be filtered by one user, by their name in the log', async () => {
  const { id } = await site.addRole('Opzichter', ['audit.read', 'roles.write'])
  await site.addUser({ name: 'Otto Opzicht', email: 'otto@example.nl', password: 'geheim-otto', roleId: id })
  const page = await visitor(site.url)
  await signInByApi(page, { email: 'otto@example.nl', password: 'geheim-otto' })
  await page.context().request.put('/api/profile', {
    data: { name: 'Otto Opzichter', email: 'otto@example.nl', locale: 'nl' },
  })
  await openScreen(page, '/admin/audit')
  const rows = page.getByRole('row')
  await expect.poll(() => rows.count()).toBeGreaterThan(10)
  await rows.filter({ hasText: 'Eigen profiel gewijzigd' }).getByRole('link', { name: 'Otto Opzicht' }).click()
  await page.waitForURL(/actorId=\d+/)
  await page.getByText('1–1 van 1').waitFor()

  await page.getByRole('button', { name: 'Filter' }).click()
  await expect.poll(() => page.getByRole('radio', { name: 'Otto Opzicht' }).isChecked()).toBe(true)
  await page.getByRole('radio', { name: 'Iedereen' }).click()
  await page.waitForURL((url) => !url.search.includes('actorId'))
  await expect.poll(() => new URL(page.url()).search).toBe('')
})

test('the changed item is a link only for users who may see it', async () => {
  const { id } = await site.addRole('Lezer', ['audit.read'])
  await site.addUser({ name: 'Lars Lezer', email: 'lars@example.nl', password: 'geheim-lars', roleId: id })
  const reader = await visitor(site.url)
  await signInByApi(reader, { email: 'lars@example.nl', password: 'geheim-lars' })
  await openScreen(reader, '/admin/audit?search=lars')
  const subject = (page: Page) =>
    page.getByRole('row', { name: /Gebruiker toegevoegd/ }).getByRole('link', { name: 'Lars Lezer' })
  await reader.getByText('Gebruiker toegevoegd').waitFor()
  await expect.poll(() => subject(reader).count()).toBe(0)

  const boss = await inside()
  await openScreen(boss, '/admin/audit?search=lars')
  await subject(boss).waitFor()
})

test('changing the own role asks for confirmation, and cancelling keeps everything', async () => {
  allowErrors(/status of 403/)
  const who = { email: 'ella@example.nl', password: 'geheim-ella' }
  const user = await site.addUser({ name: 'Ella Eigen', roleId: 2, ...who })
  const page = await signInAndOpen(await visitor(site.url), `/admin/users/${user.id}`, who)
  await page.getByLabel('Rol', { exact: true }).selectOption('Redacteur')
  const question = page.getByRole('alertdialog', { name: 'Uw eigen rol wijzigen?' })
  const save = page.getByRole('button', { name: 'Opslaan' })

  await save.click()
  await question.getByRole('button', { name: 'Annuleren' }).click()
  await question.waitFor({ state: 'detached' })
  const roleNow = async () => (await site.call<User>('GET', `/api/users/${user.id}`)).user_role?.name
  await expect.poll(() => roleNow()).toBe('Beheerder')

  await save.click()
  await question.getByRole('button', { name: 'Rol wijzigen' }).click()
  await expect.poll(roleNow).toBe('Redacteur')
})

test('changing oneself in the list of users updates the menu of the admin at once', async () => {
  allowErrors(/status of 403/)
  const who = { email: 'zelma@example.nl', password: 'geheim-zelma' }
  const user = await site.addUser({ name: 'Zelma Zelf', roleId: 2, ...who })
  const page = await signInAndOpen(await visitor(site.url), `/admin/users/${user.id}`, who)
  await page.getByLabel('Naam').fill('Zelma Anders')
  await page.getByRole('button', { name: 'Opslaan' }).click()
  const menu = page.getByRole('region', { name: 'Menu' })
  await menu.getByText('Zelma Anders').waitFor()

  await goToScreen(page, '/admin/users?search=zelma')
  await page.getByRole('checkbox', { name: 'Zelma Anders kiezen' }).check()
  await page.getByRole('combobox', { name: 'Rol geven' }).selectOption('Redacteur')
  await page.getByRole('button', { name: 'Rol geven' }).click()
  await page.getByText('U hebt hier geen toegang').waitFor()
  await menu.getByRole('link', { name: 'Rollen' }).waitFor({ state: 'detached' })
})

test('without a mail server a reply says that it was not sent, in its notification and in the thread', async () => {
  const id = await sendMessage({ request: (path, init) => fetch(site.url + path, init) }, 'sanne')
  const page = await inside()
  await openScreen(page, `/admin/messages/${id}`)
  await page.getByText('Er wordt geen e-mail verstuurd').waitFor()
  await page.getByLabel('Tekst').fill('Dat kan vanaf maandag.')
  await page.getByRole('button', { name: 'Antwoord versturen' }).click()
  const stored = 'Uw antwoord is bewaard, maar niet verstuurd: er is geen mailserver.'
  // With a warning sign, and not the check mark of what is done.
  await page.getByRole('alert').filter({ hasText: stored }).locator('.lucide-triangle-alert').waitFor()
  const reply = page.getByRole('listitem').filter({ hasText: 'Dat kan vanaf maandag.' })
  await reply.getByText('Niet verstuurd', { exact: true }).waitFor()
  await expect.poll(() => page.getByText('Uw antwoord is onderweg.').count()).toBe(0)
})
