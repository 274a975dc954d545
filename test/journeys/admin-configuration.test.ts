import type { FrameLocator, Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { Configuration } from '../../src/contract/configuration.ts'
import {
  addPersianAdministrator,
  aProgramWithAdministrator,
  goToScreen,
  openScreen,
  type ProgramWithAdministrator,
  pressSave,
  roya,
  setChecked,
  signInAndOpen,
  signInByApi,
} from '../support/admin-program.ts'
import { aBrowser } from '../support/browser.ts'
import { aSavedPage, getPageIn, savePage, switchToBlockList } from '../support/page-editor.ts'
import { allowErrors } from '../support/test-log.ts'

const { visitor } = aBrowser()
let site: ProgramWithAdministrator
beforeAll(async () => {
  site = await aProgramWithAdministrator()
  await addPersianAdministrator(site)
})

/** So narrow that the preview is behind a button: each change would load the site in it. */
const withoutPreview = { width: 1200 }

const now = () => site.call<Configuration>('GET', '/api/config')
const save = async (page: Page, name = 'Opslaan') => {
  await pressSave(page, page.locator('main').getByRole('button', { name }), /^\/api\/config$/)
  await page
    .getByText(name === 'Opslaan' ? 'De instellingen zijn opgeslagen' : 'تنظیمات ذخیره شد')
    .first()
    .waitFor()
}
const texts = async (path = '/') => (await (await fetch(site.url + path)).text()).replaceAll('\u00a0', ' ')
/** The visible preview frame, not the next one that is loading. */
const shownIn = (page: Page) => page.frameLocator('iframe:not([data-loading])')
/** Opens the preview that is behind a button, waits for something in it, and closes it. */
const seeInPreview = async (page: Page, find: (shown: FrameLocator) => Locator) => {
  await page.getByRole('button', { name: 'Voorbeeld bekijken' }).click()
  await find(shownIn(page)).first().waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: 'Voorbeeld' }).waitFor({ state: 'detached' })
}

test('spec 1 and 3: a price is changed in Dutch notation, previewed beside the form, and then on the site; undone with one click', async () => {
  const page = await signInAndOpen(await visitor(site.url), '/admin/config')
  await page.getByRole('link', { name: 'Prijzen' }).click()
  await page.getByRole('heading', { level: 1, name: 'Prijzen' }).waitFor()
  await page.getByRole('button', { name: 'Bewerken: Bedrijfswebsite' }).click()
  await page.getByLabel('Bedrag in euro').fill('2.034,5')
  await shownIn(page).getByText('€ 2.034,50').waitFor()
  await expect.poll(() => texts()).toContain('€ 1.950')

  await save(page)
  // The mouse keeps the notification there.
  await page.getByRole('button', { name: 'Ongedaan maken' }).hover()
  await expect.poll(() => texts()).toContain('€ 2.034,50')
  await page.getByRole('button', { name: 'Ongedaan maken' }).click()
  await page.getByText('De vorige instellingen staan weer online.').waitFor()
  await expect.poll(() => texts()).toContain('€ 1.950')
})

test('the preview scrolls to the section of the form, and stays there after each change', async () => {
  const page = await visitor(site.url)
  await signInByApi(page)
  /** The top of a section of the page in the frame, as a fraction of its height. */
  const topOf = (part: string) =>
    shownIn(page)
      .locator(part)
      .evaluate((one) => one.getBoundingClientRect().top / innerHeight)
  const inSight = (part: string) =>
    expect.poll(() => topOf(part), { message: part }).toSatisfy((top) => top >= 0 && top < 0.5)
  for (const [screen, part] of [
    ['contact', '#contact'],
    ['business', '#contact'],
    ['legal', '#contact'],
  ] as const) {
    await goToScreen(page, `/admin/config/${screen}`)
    await inSight(part)
  }
  await goToScreen(page, '/admin/config/footer')
  await expect
    .poll(() =>
      shownIn(page)
        .locator('.foot')
        .evaluate((one) => one.getBoundingClientRect().bottom - innerHeight),
    )
    .toBeLessThan(2)
  await expect.poll(() => page.evaluate(() => scrollY), { message: 'the form stays where it is' }).toBe(0)
  await goToScreen(page, '/admin/config/brand')
  await shownIn(page).getByRole('heading', { level: 1 }).waitFor()
  await expect.poll(() => topOf('header')).toBe(0)

  await goToScreen(page, '/admin/config/offer')
  await inSight('#prijzen')
  await page.getByRole('button', { name: 'Bewerken: Hosting', exact: true }).click()
  await inSight('#abonnementen')
  const before = await topOf('#abonnementen')
  await page.getByLabel('Bedrag in euro').fill('17,5')
  await shownIn(page).getByText('€ 17,50').waitFor()
  await expect.poll(() => topOf('#abonnementen')).toBeCloseTo(before, 1)
  await setChecked(page.getByRole('radio', { name: 'Telefoon' }))
  await inSight('#abonnementen')
})

test('a change with a newer change after it cannot be undone', async () => {
  allowErrors(/status of 409/)
  const page = await signInAndOpen(await visitor(site.url, withoutPreview), '/admin/config/sender')
  await page.getByLabel('Naam van de afzender').fill('Vergissing')
  await save(page)
  await page.getByRole('button', { name: 'Ongedaan maken' }).hover()
  const { version, config } = await now()
  await site.call('PUT', '/api/config', { version, config: { tagline: { ...config.tagline, nl: 'Daarna' } } })
  await page.getByRole('button', { name: 'Ongedaan maken' }).click()
  await page.getByText('De vorige instellingen zijn niet teruggezet').waitFor()
  await expect
    .poll(async () => (await now()).config)
    .toMatchObject({ sender: { name: 'Vergissing' }, tagline: { nl: 'Daarna' } })
})

test('prices are reordered by keyboard and by mouse, added and removed; an invalid amount is reported at its field, and nothing is sent', async () => {
  const page = await signInAndOpen(await visitor(site.url, withoutPreview), '/admin/config/offer')
  const list = page.getByRole('list', { name: 'Eenmalige prijzen' })
  const names = () => list.locator('strong').allInnerTexts()
  await expect.poll(() => names()).toEqual(['Eén pagina', 'Bedrijfswebsite', 'Webapplicatie'])

  await page.getByRole('button', { name: 'Eén pagina verplaatsen' }).press('ArrowDown')
  await page.getByText('Eén pagina staat nu op plaats 2 van 3.').waitFor()
  await expect.poll(() => names()).toEqual(['Bedrijfswebsite', 'Eén pagina', 'Webapplicatie'])
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('Eén pagina verplaatsen')
  await page.getByRole('button', { name: 'Webapplicatie omhoog' }).click()
  await expect.poll(names).toEqual(['Bedrijfswebsite', 'Webapplicatie', 'Eén pagina'])

  await page.getByRole('button', { name: 'Prijs toevoegen' }).click()
  await page.getByRole('textbox', { name: 'Naam (Nederlands)' }).fill('Webwinkel')
  await page.getByRole('textbox', { name: 'Omschrijving (Nederlands)' }).fill('Verkopen terwijl u slaapt.')
  const amount = page.getByLabel('Bedrag in euro')
  const { version } = await now()
  await amount.fill('gratis')
  // On blur, and again on save.
  await amount.press('Tab')
  await page.getByText('Typ een bedrag, zoals 1.950 of 24,50.').waitFor()
  await page.getByRole('button', { name: 'Opslaan' }).click()
  await page.getByText('Typ een bedrag, zoals 1.950 of 24,50.').waitFor()
  await expect.poll(() => amount.getAttribute('aria-invalid')).toBe('true')
  await expect.poll(async () => (await now()).version).toBe(version)
  await amount.fill('3.500')
  await page.getByText('Perzisch ontbreekt').first().waitFor()
  await page.getByRole('button', { name: 'Eén pagina verwijderen' }).click()
  await page.getByText('Eén pagina is uit de lijst gehaald.').waitFor()
  // What was typed since then stays when it comes back. The mouse keeps the notification there.
  await page.getByRole('button', { name: 'Ongedaan maken' }).hover()
  await amount.fill('3.600')
  await page.getByRole('button', { name: 'Ongedaan maken' }).click()
  await expect.poll(names).toEqual(['Bedrijfswebsite', 'Webapplicatie', 'Eén pagina', 'Webwinkel'])
  await expect.poll(() => amount.inputValue()).toBe('3.600')
  await page.getByRole('button', { name: 'Eén pagina verwijderen' }).click()
  await expect.poll(names).toEqual(['Bedrijfswebsite', 'Webapplicatie', 'Webwinkel'])
  await save(page)
  const { config } = await now()
  expect(config.offer.prices.map(({ name, amount }) => [name.nl, amount])).toEqual([
    ['Bedrijfswebsite', 195_000],
    ['Webapplicatie', 480_000],
    ['Webwinkel', 360_000],
  ])
})

test('spec 3 opening days: Monday to Sunday, a closed day, and invalid hours are reported at their day', async () => {
  allowErrors(/status of 422/)
  const page = await signInAndOpen(await visitor(site.url, withoutPreview), '/admin/config/business')
  for (const day of ['maandag', 'dinsdag', 'woensdag', 'donderdag', 'vrijdag', 'zaterdag', 'zondag']) {
    await page.getByRole('group', { name: day }).waitFor()
  }
  await setChecked(page.getByLabel('vrijdag: Open', { exact: true }), false)
  await setChecked(page.getByLabel('zaterdag: Open', { exact: true }))
  await page.getByLabel('zaterdag: open vanaf').fill('10')
  await page.getByLabel('zaterdag: open tot').fill('9.30')
  await page.getByRole('button', { name: 'Opslaan' }).click()
  await page.getByRole('group', { name: 'zaterdag' }).getByText('De sluitingstijd ligt voor de openingstijd.').waitFor()
  await page.getByLabel('zaterdag: open tot').fill('۱۴:۳۰')
  await seeInPreview(page, (shown) => shown.getByText('zaterdag 10:00–14:30'))
  await save(page)
  await expect.poll(() => texts()).toContain('maandag t/m donderdag 09:00–18:00, zaterdag 10:00–14:30')
})

test('spec 9 colours: insufficient contrast is reported while choosing, with the ratios; the preview shows the colour', async () => {
  const page = await signInAndOpen(await visitor(site.url, withoutPreview), '/admin/config/palette')
  await page.getByText('Alle teksten zijn goed leesbaar, overdag en ’s nachts.').waitFor()
  await page.getByRole('textbox', { name: 'Accent', exact: true }).fill('#10B981')
  const warning = page.getByRole('listitem').filter({ hasText: 'Tekst op een knop (overdag)' })
  await warning.getByText('2,5 : 1, nodig is 4,5 : 1').waitFor()
  await warning.getByText('Komt van Accent en Achtergrond.').waitFor()
  await page.getByRole('button', { name: 'Voorbeeld bekijken' }).click()
  await expect
    .poll(() =>
      shownIn(page)
        .locator('html')
        .evaluate((root) => getComputedStyle(root).getPropertyValue('--accent')),
    )
    .toBe('#10b981')
  await page.keyboard.press('Escape')
  await page.getByRole('textbox', { name: 'Accent', exact: true }).fill('#5B21B6')
  await page.getByText('Alle teksten zijn goed leesbaar, overdag en ’s nachts.').waitFor()
})

test('spec 3 menu: an item is moved into a submenu and out of it by keyboard, and dragged to another position', async () => {
  const page = await signInAndOpen(await visitor(site.url, withoutPreview), '/admin/config/menu')
  const contact = page.getByRole('button', { name: 'Contact verplaatsen' })
  await contact.press('ArrowRight')
  await page.getByText('Contact staat nu in het submenu van Prijzen.').waitFor()
  await save(page)
  const items = async () => {
    const { config } = await now()
    return config.menus?.main.nl?.map(({ title, submenu }) => [title, ...submenu.map((one) => one.title)])
  }
  await expect.poll(() => items()).toEqual([['Wat bieden wij'], ['Prijzen', 'Setup', 'Abonnementen', 'Contact']])
  await expect
    .poll(() => texts())
    .toMatch(/<div class="submenu">.*Abonnementen<\/a><\/li><li><a href="\/#contact">Contact/s)

  await contact.press('ArrowLeft')
  await page.getByText('Contact staat nu in het hoofdmenu.').waitFor()
  const first = page.getByRole('button', { name: 'Wat bieden wij verplaatsen' })
  await page
    .getByRole('button', { name: 'Setup verplaatsen' })
    .evaluate((one) => one.scrollIntoView({ block: 'center' }))
  const [from, to] = [await contact.boundingBox(), await first.boundingBox()]
  if (!from || !to) throw new Error('the drag handles are not visible')
  await page.mouse.move(from.x + 10, from.y + 10)
  await page.mouse.down()
  await page.mouse.move(from.x + 10, from.y - 15, { steps: 5 })
  await page.mouse.move(to.x + 10, to.y + 5, { steps: 15 })
  // The list shows the new order while the item is being dragged.
  await expect
    .poll(() => page.locator('[data-key] [data-handle]').first().getAttribute('aria-label'))
    .toBe('Contact verplaatsen')
  await page.mouse.up()
  await page.getByText('Contact staat nu op plaats 1 van 5.').waitFor()
  await save(page)
  await expect.poll(() => items()).toEqual([['Contact'], ['Wat bieden wij'], ['Prijzen', 'Setup', 'Abonnementen']])
})

test('spec 3 branding and spec 5 url: a server error in a block of an area is shown on that block, and the text stays', async () => {
  allowErrors(/status of 422/)
  const page = await signInAndOpen(await visitor(site.url, withoutPreview), '/admin/config/footer')
  const area = page.getByRole('region', { name: 'Onderste regel (Nederlands)' })
  const openItem = async () => {
    for (const name of [/^Voetregel/, /Privacyverklaring/]) await area.getByRole('button', { name }).first().click()
  }
  await openItem()
  await area.locator('input[inputmode=url]').fill('javascript:alert(1)')
  // The language with the error is shown again, where its block is marked.
  await setChecked(page.getByRole('group', { name: /Onderste regel/ }).getByRole('radio', { name: 'فارسی' }))
  await area.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Opslaan' }).click()
  await area.getByLabel('Hier klopt iets niet').first().waitFor()
  await openItem()
  await area.getByText('Dit is geen geldig url!').waitFor()
  await expect.poll(() => area.locator('input[inputmode=url]').inputValue()).toBe('javascript:alert(1)')
  // The mark stays until its own field is changed.
  await area.locator('[data-field=title]').fill('Privacy')
  await area.getByRole('button', { name: /^Privacy/ }).waitFor()
  await expect.poll(() => area.getByText('Dit is geen geldig url!').count()).toBe(1)
  await area.locator('input[inputmode=url]').fill('/privacy-verklaring')
  await area.getByText('Dit is geen geldig url!').waitFor({ state: 'detached' })
})

test('a wrong value in a block of an area says so at its field before a save, an empty one does not', async () => {
  const page = await signInAndOpen(await visitor(site.url, withoutPreview), '/admin/config/footer')
  const area = page.getByRole('region', { name: 'Onderste regel (Nederlands)' })
  for (const name of [/^Voetregel/, /Privacyverklaring/]) await area.getByRole('button', { name }).first().click()
  const address = area.locator('input[inputmode=url]')
  await area.locator('[data-field=title]').fill('')
  await address.fill('www.voorbeeld.nl')
  await area.getByText('Dit is geen geldig url!').waitFor()
  await expect.poll(() => area.getByText('Dit is een verplicht veld!').count()).toBe(0)
  await address.fill('https://voorbeeld.nl')
  await area.getByText('Dit is geen geldig url!').waitFor({ state: 'detached' })
})

test('an earlier version is compared and restored, and the restore is undone; the current one has a button to restore the previous', async () => {
  const page = await signInAndOpen(await visitor(site.url, withoutPreview), '/admin/config/brand')
  await page.getByLabel('Naam van het merk').fill('Maanlicht')
  await save(page)
  const { version } = await now()
  await goToScreen(page, '/admin/config/revisions')
  await page.getByText('Naam van het merk').first().waitFor()
  await page.getByRole('link', { name: `Versie ${version}`, exact: true }).click()
  const row = page.getByRole('row').filter({ hasText: 'Naam van het merk' })
  await row.getByText('Maaslicht').waitFor()
  await row.getByText('Maanlicht').waitFor()

  await goToScreen(page, `/admin/config/revisions/${version - 1}`)
  await page.getByRole('button', { name: 'Deze versie terugzetten' }).waitFor()
  // Somebody else saves meanwhile, which is shown before a second attempt.
  allowErrors(/status of 409/)
  await site.call('PUT', '/api/config', { version, config: { tagline: { nl: 'Tussendoor' } } })
  await page.getByRole('button', { name: 'Deze versie terugzetten' }).click()
  await page.getByText('Niet teruggezet!').waitFor()
  await page.getByText('Tussendoor').waitFor()
  await page.getByRole('button', { name: 'Deze versie terugzetten' }).click()
  const notification = page.getByRole('alert').filter({ hasText: `Versie ${version - 1} staat weer online.` })
  await notification.waitFor()
  await expect.poll(async () => (await now()).config.brand).toBe('Maaslicht')
  await page.getByText(`Versie ${version - 1} teruggezet`).waitFor()
  await notification.getByRole('button', { name: 'Ongedaan maken' }).click()
  await expect.poll(async () => (await now()).config.brand).toBe('Maanlicht')

  const { version: last } = await now()
  await openScreen(page, `/admin/config/revisions/${last}`)
  await page.getByRole('button', { name: 'Terug naar de versie hiervoor' }).click()
  await page.getByText(`Versie ${last - 1} staat weer online.`).waitFor()
  await expect.poll(async () => (await now()).config.brand).toBe('Maaslicht')
})

test('spec 3 menu: pages, links and openers are added to the menu; it shows which page visitors do not see, and follows a title', async () => {
  const id = await aSavedPage(site, 'Nog niet klaar')
  const page = await signInAndOpen(await visitor(site.url, withoutPreview), '/admin/config/menu')
  await page.getByRole('button', { name: 'Submenu toevoegen' }).click()
  await page.getByLabel('Tekst', { exact: true }).fill('Nieuw')
  await page.getByRole('button', { name: 'Pagina toevoegen' }).click()
  const dialog = page.getByRole('dialog', { name: 'Welke pagina hoort in het menu?' })
  await dialog.getByRole('button', { name: /^Disclaimer/ }).waitFor()
  await dialog.getByLabel('Zoek op titel of adres').fill('klaar')
  await dialog.getByRole('button', { name: /^Disclaimer/ }).waitFor({ state: 'detached' })
  await dialog.getByRole('button', { name: /^Nog niet klaar/ }).click()
  const row = page.getByRole('listitem').filter({ hasText: 'Nog niet klaar' })
  await row.getByText('niet gepubliceerd').waitFor()
  await page.getByRole('button', { name: 'Nog niet klaar in het submenu zetten' }).click()
  await page.getByText('Nog niet klaar staat nu in het submenu van Nieuw.').waitFor()
  await page.getByRole('button', { name: 'Link toevoegen' }).click()
  await page.getByLabel('Tekst', { exact: true }).last().fill('Bel ons')
  await page.getByLabel('Adres', { exact: true }).last().fill('tel:+31430000003')
  await seeInPreview(page, (shown) => shown.getByRole('link', { name: 'Bel ons' }))
  await save(page)
  await expect.poll(() => texts()).not.toContain('Nog niet klaar')
  await savePage(site, await getPageIn(site, id), { title: 'Klaar' }, true)
  await expect
    .poll(() => texts())
    .toMatch(/class="more">Nieuw<\/button><ul><li><a href="\/nog-niet-klaar">Klaar<\/a><\/li><\/ul>/)

  // In the versions the menu stands as an outline, before and after.
  await openScreen(page, `/admin/config/revisions/${(await now()).version}`)
  const change = page.getByRole('row').filter({ hasText: 'Menu · Nederlands' })
  await change.getByRole('cell').last().getByText('Bel ons').waitFor()
  await change.getByRole('cell').last().getByText('Klaar').waitFor()
})

test('the items of the header’s own menus are taken over with one button, and that is undone with one', async () => {
  const { version, config } = await now()
  const { navbar } = config.branding
  const own = (menuType: string) => ({
    nl: [{ type: 'menu', menuType, items: [{ title: 'Los', url: '/disclaimer' }] }],
  })
  const branding = { ...config.branding, navbar: { ...navbar, desktop: own('desktop'), mobile: own('mobile') } }
  await site.call('PUT', '/api/config', { version, config: { branding, menus: null } })
  const page = await signInAndOpen(await visitor(site.url, withoutPreview), '/admin/config/menu')
  await page.getByRole('button', { name: 'Items overnemen' }).click()
  await page.getByText('De items zijn overgenomen. De kop toont nu dit menu.').hover()
  const row = page.getByRole('listitem').filter({ hasText: 'Los' })
  await row.getByText('/disclaimer').waitFor()
  await expect
    .poll(async () => (await now()).config.menus?.main.nl)
    .toMatchObject([{ title: 'Los', page: expect.any(Number) }])
  await expect.poll(() => texts()).toContain('<a href="/disclaimer">Los</a>')
  await page.getByRole('button', { name: 'Ongedaan maken' }).click()
  await page.getByRole('button', { name: 'Items overnemen' }).waitFor()
  await expect.poll(async () => (await now()).config.menus).toBeUndefined()
  const after = await now()
  await site.call('PUT', '/api/config', {
    version: after.version,
    config: { branding: config.branding, menus: config.menus },
  })
})

test('spec 3 menu in Persian: a menu of its own by keyboard, and a page that is put into it from the editor', async () => {
  const { id } = await site.call<{ id: number }>('POST', '/api/pages', { locale: 'fa', title: 'دربارهٔ ما' })
  await savePage(site, await getPageIn(site, id, 'fa'), { body: [] }, true)
  const page = await visitor(site.url, withoutPreview)
  await switchToBlockList(page)
  await signInAndOpen(page, `/admin/pages/${id}/fa`, roya)
  await page.getByRole('button', { name: 'کارهای بیشتر' }).first().press('Enter')
  await page.getByRole('menuitem', { name: 'گذاشتن در منو' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'گذاشتن در منو' })
  await dialog.getByLabel('کجا؟').selectOption({ label: 'زیر تعرفه‌ها' })
  await dialog.getByRole('button', { name: 'گذاشتن در منو' }).press('Enter')
  await page.getByText('دربارهٔ ما در منو است.').waitFor()
  await expect.poll(() => texts('/fa')).toMatch(/اشتراک‌ها<\/a><\/li><li><a href="[^"]*">دربارهٔ ما<\/a><\/li><\/ul>/)

  await goToScreen(page, '/admin/config/menu')
  // To the start of the line, which is to the right.
  await page.getByRole('button', { name: 'جابه‌جایی دربارهٔ ما' }).press('ArrowRight')
  await page.getByText('دربارهٔ ما اکنون در منوی اصلی است.').waitFor()
  await page.getByRole('button', { name: 'جابه‌جایی دربارهٔ ما' }).press('ArrowDown')
  await save(page, 'ذخیره')
  await expect.poll(() => texts('/fa')).toMatch(/تماس<\/a><\/li><li><a href="[^"]*">دربارهٔ ما<\/a><\/li><\/ul>/)
})

test('spec 3 menu: refused items are shown in their language, and stay open and marked while they are mended', async () => {
  allowErrors(/status of 422/)
  const { version, config } = await now()
  const item = (title: string) => ({ title, url: '/disclaimer', submenu: [] })
  const main = { nl: [item('Eerste'), item('Tweede')], fa: [item('سه')] }
  await site.call('PUT', '/api/config', { version, config: { menus: { main } } })
  const page = await signInAndOpen(await visitor(site.url, withoutPreview), '/admin/config/menu')
  for (const title of ['Eerste', 'Tweede']) {
    await page.getByRole('button', { name: `Bewerken: ${title}` }).click()
    await page.getByLabel('Adres', { exact: true }).fill('javascript:alert(1)')
  }
  await setChecked(page.locator('form').getByRole('radio', { name: 'فارسی' }))
  await page.getByRole('button', { name: 'Bewerken: سه' }).waitFor()
  await page.getByRole('button', { name: 'Opslaan' }).click()
  const address = (title: string) =>
    page.getByRole('listitem').filter({ hasText: title }).getByLabel('Adres', { exact: true })
  await expect.poll(() => address('Eerste').evaluate((one) => one === document.activeElement)).toBe(true)
  await address('Eerste').fill('')
  await address('Eerste').pressSequentially('/contact')
  await expect.poll(() => address('Eerste').inputValue()).toBe('/contact')
  await expect.poll(() => address('Eerste').getAttribute('aria-invalid')).not.toBe('true')
  await expect.poll(() => address('Tweede').getAttribute('aria-invalid')).toBe('true')
  const after = await now()
  await site.call('PUT', '/api/config', { version: after.version, config: { menus: config.menus ?? null } })
})

test('a file is exported, and its changes are shown before it is imported; an invalid one shows why, and changes nothing', async () => {
  const page = await signInAndOpen(await visitor(site.url, withoutPreview), '/admin/config')
  allowErrors(/status of 422/)
  const { version: unchanged } = await now()
  await page.getByLabel('Bestand kiezen').setInputFiles({
    name: 'kapot.json',
    mimeType: 'application/json',
    buffer: Buffer.from('{ "version": "1.2" '),
  })
  await page.getByText('Dit bestand is niet leesbaar als configuratie (JSON).').waitFor()
  await expect.poll(async () => (await now()).version).toBe(unchanged)

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Exporteren' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^site\.config\.\d+\.json$/)
  const chunks: Buffer[] = []
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
  const config = JSON.parse(Buffer.concat(chunks).toString('utf8'))
  config.palette.primary = '#3366CC'
  config.business.openingHours.sunday = { opens: '12:00', closes: '17:00' }
  await page.getByLabel('Bestand kiezen').setInputFiles({
    name: 'huisstijl.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(config)),
  })
  const report = page.getByRole('dialog', { name: 'Wat dit bestand verandert' })
  await report.getByText('#3366CC').waitFor()
  await report.getByText('12:00–17:00').waitFor()
  const { version, config: before } = await now()
  expect(before.palette.primary).not.toBe('#3366CC')
  // Somebody else saves meanwhile, which the report shows before a second attempt.
  allowErrors(/status of 409/)
  await site.call('PUT', '/api/config', { version, config: { brand: 'Tussendoor' } })
  await report.getByRole('button', { name: 'Importeren en online zetten' }).click()
  await report.getByRole('alert').waitFor()
  await report.getByText('Tussendoor').waitFor()
  await report.getByRole('button', { name: 'Importeren en online zetten' }).click()
  await page.getByText('Het bestand is geïmporteerd en staat online.').waitFor()
  await expect.poll(async () => (await now()).config.palette.primary).toBe('#3366CC')
})

test('two users save the same section: the second sees both versions and chooses; another section is no conflict, nor is the header for the footer', async () => {
  allowErrors(/status of 409/)
  const page = await signInAndOpen(await visitor(site.url, withoutPreview), '/admin/config/sender')
  await page.getByLabel('Naam van de afzender').fill('Van Bente')
  const { version, config } = await now()
  await site.call('PUT', '/api/config', { version, config: { tagline: { ...config.tagline, nl: 'Tussendoor' } } })
  await save(page)
  await expect
    .poll(async () => (await now()).config)
    .toMatchObject({ sender: { name: 'Van Bente' }, tagline: { nl: 'Tussendoor' } })

  await page.getByLabel('Naam van de afzender').fill('Weer Bente')
  const then = await now()
  await site.call('PUT', '/api/config', {
    version: then.version,
    config: { sender: { ...then.config.sender, name: 'Van Roya' } },
  })
  await page.getByRole('button', { name: 'Opslaan' }).click()
  const choice = page.getByRole('dialog', { name: 'Iemand anders was u voor' })
  await choice.getByText('Van Roya').waitFor()
  await choice.getByRole('button', { name: 'Overnemen wat er nu staat' }).click()
  await expect.poll(() => page.getByLabel('Naam van de afzender').inputValue()).toBe('Van Roya')

  await goToScreen(page, '/admin/config/footer')
  const { version: shown, config: before } = await now()
  const navbar = { ...before.branding.navbar, mobile: { nl: [] } }
  expect(navbar).not.toEqual(before.branding.navbar)
  await site.call('PUT', '/api/config', { version: shown, config: { branding: { ...before.branding, navbar } } })
  await save(page)
  const after = await now()
  expect(after.config.branding.navbar).toEqual(navbar)
  await site.call('PUT', '/api/config', { version: after.version, config: { branding: before.branding } })
})

test('in Persian: a price in Persian digits, a logo from the files, Persian turned off and on, and German with a text of its own', async () => {
  const page = await signInAndOpen(await visitor(site.url, withoutPreview), '/admin/config/offer', roya)
  await page.getByRole('button', { name: 'ویرایش: میزبانی', exact: true }).click()
  await page.getByLabel('مبلغ به یورو').fill('۱۷٫۵')
  await save(page, 'ذخیره')
  await expect.poll(() => texts('/fa')).toContain('۱۷٫۵۰ یورو')

  await goToScreen(page, '/admin/config/logo')
  await page.getByRole('button', { name: 'انتخاب تصویر' }).click()
  await page.locator('dialog input[type=file]').setInputFiles({
    name: 'نشان.svg',
    mimeType: 'image/svg+xml',
    buffer: Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><path fill="#abcdef" d="M0 0h40v40H0z"/></svg>',
    ),
  })
  await page.locator('dialog').waitFor({ state: 'detached' })
  await save(page, 'ذخیره')
  await expect.poll(() => texts()).toContain('fill=%22%23abcdef%22')

  await goToScreen(page, '/admin/config/locales')
  const ownName = page.getByRole('group', { name: '(fa)' }).getByLabel('نام در انتخاب زبان')
  await ownName.fill('پارسی')
  await save(page, 'ذخیره')
  await page.getByRole('button', { name: 'حذف فارسی' }).click()
  await save(page, 'ذخیره')
  await expect.poll(async () => (await fetch(`${site.url}/fa`)).status).toBe(404)
  await page.getByText('صفحه‌های پنهان').waitFor()
  await page.getByLabel('افزودن زبان').fill('فارسی')
  await page.getByRole('button', { name: 'افزودن', exact: true }).click()
  // It comes back with the name that it had.
  await expect.poll(() => ownName.inputValue()).toBe('پارسی')
  await ownName.fill('')
  await save(page, 'ذخیره')
  await expect.poll(async () => (await fetch(`${site.url}/fa`)).status).toBe(200)

  const root = page.getByLabel('زبان اصلی سایت')
  await root.selectOption('fa')
  await page.getByText('همهٔ نشانی‌ها جابه‌جا می‌شوند').waitFor()
  await save(page, 'ذخیره')
  await expect.poll(() => texts('/')).toContain('<html lang="fa" dir="rtl">')
  await expect.poll(() => texts('/nl')).toContain('<html lang="nl" dir="ltr">')
  expect((await fetch(`${site.url}/fa`, { redirect: 'manual' })).headers.get('location')).toBe('/')
  await expect.poll(() => page.getByText('همهٔ نشانی‌ها جابه‌جا می‌شوند').count()).toBe(0)
  await expect.poll(() => page.getByRole('button', { name: 'حذف فارسی' }).count()).toBe(0)
  await root.selectOption('nl')
  await page.getByLabel('افزودن زبان').fill('de')
  await page.getByRole('button', { name: 'افزودن', exact: true }).click()
  const fallback = page.getByRole('list', { name: 'زبان متن‌های ترجمه‌نشده' })
  for (const place of [1, 0]) {
    await fallback.getByRole('button', { name: 'جابه‌جایی انگلیسی' }).press('ArrowUp')
    await expect.poll(() => fallback.getByRole('listitem').nth(place).textContent()).toContain('انگلیسی')
  }
  await save(page, 'ذخیره')
  await expect.poll(() => texts('/')).toContain('<html lang="nl" dir="ltr">')
  await expect.poll(() => texts('/de')).toContain('Skip to content')
  await goToScreen(page, '/admin/config/texts')
  await page.locator('form').getByRole('radio', { name: 'Deutsch' }).check()
  await page.getByLabel('Skip to content', { exact: true }).fill('Zum Inhalt')
  await save(page, 'ذخیره')
  await expect.poll(() => texts('/de')).toContain('Zum Inhalt')
})

test('on a phone the preview is behind a button', async () => {
  const page = await signInAndOpen(await visitor(site.url, { width: 'phone' }), '/admin/config/brand')
  await page.getByRole('button', { name: 'Voorbeeld bekijken' }).click()
  await page.getByRole('dialog', { name: 'Voorbeeld' }).waitFor()
  await shownIn(page).getByRole('heading', { level: 1 }).waitFor()
})

test('a user without the right sees that on each screen of the settings, and an unknown one is not found', async () => {
  allowErrors(/status of 40[34]/)
  await site.addUser({ name: 'Rik', email: 'rik@example.nl', password: 'geheim-rik', roleId: 3 })
  const page = await visitor(site.url)
  await signInByApi(page, { email: 'rik@example.nl', password: 'geheim-rik' })
  for (const path of ['', '/brand', '/revisions', '/revisions/1']) {
    await goToScreen(page, `/admin/config${path}`)
    await page.getByText('U hebt hier geen toegang').waitFor()
  }
  await openScreen(page, '/admin/config/nergens')
  await page.getByText('Page Not Found').first().waitFor()
})
