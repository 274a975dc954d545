import { DatabaseSync } from 'node:sqlite'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Configuration } from '../../src/contract/configuration.ts'
import type { ListOf } from '../../src/contract/list.ts'
import type { ListedPage } from '../../src/contract/pages.ts'
import { sqlitePath } from '../../src/platform/db/database.ts'
import {
  aProgramWithAdministrator,
  goToScreen,
  type ProgramWithAdministrator,
  signInAndOpen,
  waitUntilLoaded,
} from '../support/admin-program.ts'
import { aBrowser, type BrowserOptions } from '../support/browser.ts'
import {
  aSavedPage,
  chooseFromMenu,
  descriptionField,
  getPageIn,
  openForm,
  returnToTab,
  saveForm,
  savePage,
  switchToBlockList,
  titleField,
} from '../support/page-editor.ts'
import { allowErrors } from '../support/test-log.ts'

// Everybody has the Dutch clock, so that the tests share their tabs.
const { visitor } = aBrowser([], { timeZone: 'Europe/Amsterdam' })
let site: ProgramWithAdministrator
beforeAll(async () => {
  site = await aProgramWithAdministrator()
  await site.addUser({ name: 'Sanne Samen', email: 'sanne@example.nl', password: 'geheim-sanne', roleId: 2 })
  const { id: roleId } = await site.addRole('Schrijver', ['pages.write'])
  await site.addUser({ name: 'Wouter Schrijver', ...wouter, roleId })
})

/** He may write pages, and not publish them. */
const wouter = { email: 'wouter@example.nl', password: 'geheim-wouter' }
const sanne = { email: 'sanne@example.nl', password: 'geheim-sanne' }

async function staff(
  path: string,
  who?: { email: string; password: string },
  look: BrowserOptions = {},
): Promise<Page> {
  const page = await visitor(site.url, look)
  await switchToBlockList(page)
  await signInAndOpen(page, path, who)
  return page
}
const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const save = saveForm
const saved = (page: Page) => page.getByText('Pagina is opgeslagen!').first().waitFor()
const onTheSite = async (path: string) => (await fetch(site.url + path, { redirect: 'manual' })).status

describe('a page from creation to publication', () => {
  test('a new page gets the blocks of the chosen template', async () => {
    const page = await staff('/admin/pages/new')
    await page.getByLabel('Titel').fill('Wie wij zijn')
    await page.getByRole('radio', { name: 'Over ons' }).check()
    await page.getByRole('button', { name: 'Pagina maken' }).click()
    await saved(page)
    await page.waitForURL(/\/admin\/pages\/\d+\/nl$/)
    const id = Number(/pages\/(\d+)\//.exec(page.url())?.[1])
    const { text } = await getPageIn(site, id)
    expect(text.body.map(({ type }) => type)).toEqual([
      'hero',
      'text-image',
      'figures',
      'steps',
      'team',
      'gallery',
      'testimonials',
      'cta',
    ])
  })

  test('spec 3: a page has a title, a slug and a body, and spec 8: ‘Pagina is opgeslagen!’', async () => {
    const page = await staff('/admin/pages')
    await page.getByRole('link', { name: 'Pagina toevoegen' }).click()
    // The list has a field for titles too.
    await page.getByRole('heading', { level: 1, name: 'Pagina toevoegen' }).waitFor()
    await page.getByLabel('Titel').fill('Webwinkels voor bakkers')
    // The slug is suggested from the title, and shown with the whole address.
    await expect.poll(() => page.getByLabel('Adres', { exact: true }).inputValue()).toBe('webwinkels-voor-bakkers')
    await page.getByText(`${new URL(site.url).host}/webwinkels-voor-bakkers`).waitFor()
    await page.getByRole('button', { name: 'Pagina maken' }).click()
    await saved(page)
    await page.getByRole('heading', { level: 1, name: 'Webwinkels voor bakkers' }).waitFor()
    await waitUntilLoaded(page)

    await page.getByRole('button', { name: 'Blok toevoegen' }).first().click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Oproep/ })
      .click()
    await page.locator('[data-page-field="body"]').getByLabel('Titel', { exact: true }).first().fill('Bel de bakker')
    await save(page)
    await saved(page)
    const id = Number(/pages\/(\d+)\//.exec(page.url())?.[1])
    const stored = await getPageIn(site, id)
    expect(stored.text).toMatchObject({ title: 'Webwinkels voor bakkers', slug: 'webwinkels-voor-bakkers' })
    expect(stored.text.body).toMatchObject([{ type: 'cta', title: 'Bel de bakker' }])
    // Saving is not publishing.
    await expect.poll(() => onTheSite('/webwinkels-voor-bakkers')).toBe(404)
    await save(page, 'Opslaan en publiceren')
    await page.getByRole('link', { name: 'Bekijken op de website' }).first().waitFor()
    await expect.poll(() => onTheSite('/webwinkels-voor-bakkers')).toBe(200)
    expect(await (await fetch(`${site.url}/webwinkels-voor-bakkers`)).text()).toContain('Bel de bakker')
  })

  test('server errors are shown on their field and block, the first is focused, and nothing is lost', async () => {
    allowErrors(/status of 422/)
    const id = await aSavedPage(site, 'Geweigerd', {
      body: [{ type: 'cta', id: 'bel', title: 'Bel', text: 'Nu', button: { title: 'Contact', url: '/#contact' } }],
    })
    const page = await staff(`/admin/pages/${id}/nl`)
    await titleField(page).fill('')
    await page.getByLabel('Adres', { exact: true }).fill('admin/geheim')
    const body = page.locator('[data-page-field="body"]')
    await body
      .getByRole('button', { name: /Oproep/ })
      .first()
      .click()
    await body.getByLabel('Adres van de knop').first().fill('javascript:alert(1)')
    await save(page)
    await page.getByText('Pagina is niet opgeslagen!').waitFor()
    await page.getByText('Dit is een verplicht veld!').waitFor()
    await page.getByText('De website gebruikt dit adres zelf. Kies een ander.').waitFor()
    await expect.poll(() => titleField(page).evaluate((one) => one === document.activeElement)).toBe(true)
    await body.locator('[aria-invalid="true"]').first().waitFor()
    await expect.poll(() => body.getByLabel('Adres van de knop').first().inputValue()).toBe('javascript:alert(1)')
    await expect.poll(async () => (await getPageIn(site, id)).text.title).toBe('Geweigerd')

    const taken = await aSavedPage(site, 'Bezet')
    expect(taken).toBeGreaterThan(id)
    await page.getByLabel('Adres', { exact: true }).fill('bezet')
    await titleField(page).fill('Geweigerd')
    await body.getByLabel('Adres van de knop').first().fill('/#contact')
    await save(page)
    await page.getByText('Een andere pagina heeft dit adres al. Kies een ander.').waitFor()
    await page.getByLabel('Adres', { exact: true }).fill('geweigerd')
    await save(page)
    await saved(page)
  })

  test('a title with a very long word fits beside the settings of the page', async () => {
    const page = await staff(`/admin/pages/${await aSavedPage(site, 'Kort')}/nl`)
    await titleField(page).fill('Bakkersvakbekwaamheidscertificering'.repeat(5))
    const suggestion = page.getByRole('button', { name: /^Adres bij de titel gebruiken: bakkersvak/ })
    const overflow = await suggestion.evaluate((button) => {
      let panel = button.parentElement as Element
      while (panel.parentElement && !/auto|scroll/.test(getComputedStyle(panel).overflowX)) panel = panel.parentElement
      return panel.scrollWidth - panel.clientWidth
    })
    expect(overflow).toBe(0)
  })

  test('a changed address redirects from the old one, and is in the list of redirects', async () => {
    const id = await aSavedPage(site, 'Oude naam')
    await savePage(site, await getPageIn(site, id), {}, true)
    const page = await staff(`/admin/pages/${id}/nl`)
    await titleField(page).fill('Nieuwe naam')
    await page.getByRole('button', { name: 'Adres bij de titel gebruiken: nieuwe-naam' }).click()
    await page.getByText('leidt het oude adres voortaan vanzelf naar het nieuwe').waitFor()
    await save(page, 'Opslaan en publiceren')
    await saved(page)
    const old = await fetch(`${site.url}/oude-naam`, { redirect: 'manual' })
    expect([old.status, old.headers.get('location')]).toEqual([301, '/nieuwe-naam'])
    await goToScreen(page, '/admin/redirects')
    await rowOf(page, '/oude-naam').getByText('Vanzelf, door een nieuw adres').waitFor()
  })

  test('a page is scheduled for tomorrow at nine with two clicks, by the Dutch clock, and later saves are not part of the schedule', async () => {
    const id = await aSavedPage(site, 'Morgen om negen')
    const page = await staff(`/admin/pages/${id}/nl`)
    await descriptionField(page).fill('Nog niet opgeslagen')
    await chooseFromMenu(page, 'Plannen…')
    const dialog = page.getByRole('dialog', { name: 'Publicatie plannen' })
    await dialog.getByText('Alle tijden zijn Nederlandse tijd.').waitFor()
    const publishes = dialog.getByRole('switch', { name: 'Later vanzelf publiceren' })
    await expect.poll(() => publishes.isChecked()).toBe(true)
    await publishes.uncheck()
    await expect.poll(() => dialog.getByRole('button', { name: 'Opslaan en plannen' }).isDisabled()).toBe(true)
    await publishes.check()
    await dialog.getByRole('button', { name: 'Morgen om 9 uur' }).click()
    await dialog.getByText(/Wordt gepubliceerd op .* om 09:00\./).waitFor()
    await dialog.getByRole('button', { name: 'Opslaan en plannen' }).click()
    await page.getByText('De planning is opgeslagen.').waitFor()
    const { publishAt, text, state } = await getPageIn(site, id)
    const at = new Date(publishAt ?? 0)
    const there = new Intl.DateTimeFormat('nl-NL', { timeStyle: 'short', timeZone: 'Europe/Amsterdam' })
    const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Amsterdam' })
    expect(there.format(at)).toBe('09:00')
    expect(Date.parse(day.format(at)) - Date.parse(day.format(new Date()))).toBe(86_400_000)
    expect([text.description, state]).toEqual(['Nog niet opgeslagen', 'unpublished'])

    await descriptionField(page).fill('Later opgeslagen')
    await save(page)
    await page.getByText('Wat daarna is opgeslagen, hoort er niet bij.').waitFor()
    const writer = await staff(`/admin/pages/${id}/nl`, wouter)
    await writer.getByText('Wat daarna is opgeslagen, hoort er niet bij.').waitFor()
    await expect.poll(() => writer.getByRole('button', { name: 'De nieuwste tekst plannen' }).count()).toBe(0)
    await page.getByRole('button', { name: 'De nieuwste tekst plannen' }).click()
    await page.getByText('Wat daarna is opgeslagen, hoort er niet bij.').waitFor({ state: 'detached' })
    await goToScreen(page, '/admin/pages?status=planned')
    await rowOf(page, 'Morgen om negen')
      .getByText(/Wordt gepubliceerd op/)
      .waitFor()
  })

  test('a schedule publishes the page at its time; the log and the page name the program as author of what it published or saved itself; a page is unpublished after confirmation', async () => {
    const id = await aSavedPage(site, 'Vanzelf online', {
      body: [{ type: 'rich-text', id: 'a', content: '<p>Vanaf negen uur te lezen.</p>' }],
    })
    const page = await staff(`/admin/pages/${id}/nl`)
    await chooseFromMenu(page, 'Plannen…')
    const dialog = page.getByRole('dialog', { name: 'Publicatie plannen' })
    await dialog.getByRole('button', { name: 'Plannen', exact: true }).click()
    await page.getByText('De planning is opgeslagen.').waitFor()
    await expect.poll(() => onTheSite('/vanzelf-online')).toBe(404)
    // Moves the schedule, instead of waiting until tomorrow.
    const db = new DatabaseSync(sqlitePath(site.dataDir), { timeout: 30_000 })
    const put = db.prepare('update page_text set publish_at = ? where page_id = ? and publish_at is not null')
    expect(put.run(new Date().toISOString(), id).changes).toBe(1)
    db.close()
    await expect.poll(() => onTheSite('/vanzelf-online')).toBe(200)
    expect(await (await fetch(`${site.url}/vanzelf-online`)).text()).toContain('Vanaf negen uur te lezen.')
    await goToScreen(page, `/admin/audit?search=vanzelf`)
    await rowOf(page, 'Pagina gepubliceerd').getByText('De website zelf').waitFor()
    const disclaimer = await site.call<ListOf<ListedPage>>('GET', '/api/pages?search=disclaimer')
    await goToScreen(page, `/admin/pages/${disclaimer.data[0]?.id}/nl`)
    await page.getByText(/, door de website zelf$/).waitFor()

    await goToScreen(page, `/admin/pages/${id}/nl`)
    await page.locator('[data-state="published"]').waitFor()
    await chooseFromMenu(page, 'Van de website halen')
    const question = page.getByRole('alertdialog', { name: 'Deze pagina van de website halen?' })
    await question.getByRole('button', { name: 'Van de website halen' }).click()
    await page.getByText('De pagina staat niet meer op de website.').waitFor()
    await expect.poll(() => onTheSite('/vanzelf-online')).toBe(404)
  })

  test('in another time zone, a schedule names its time zone and is refused in the past, and publishing by hand says that it is removed', async () => {
    allowErrors(/status of 422/)
    const id = await aSavedPage(site, 'Ver weg')
    const page = await staff(`/admin/pages/${id}/nl`, undefined, { timeZone: 'America/New_York' })
    await chooseFromMenu(page, 'Plannen…')
    const dialog = page.getByRole('dialog', { name: 'Publicatie plannen' })
    await dialog.getByLabel('Datum').fill('2020-01-01')
    await dialog.getByRole('button', { name: 'Plannen', exact: true }).click()
    await dialog.getByText('Dit moment is al voorbij. Kies een later moment.').waitFor()
    await dialog.getByLabel('Datum').fill('')
    await dialog.getByRole('button', { name: 'Plannen', exact: true }).click()
    await dialog.getByText('Dit is een verplicht veld!').waitFor()
    await expect.poll(async () => (await getPageIn(site, id)).publishAt).toBeNull()

    await dialog.getByRole('button', { name: 'Morgen om 9 uur' }).click()
    await dialog.getByText(/om 09:00 \(Nederlandse tijd\)\. Bij u is het dan .*, 0[34]:00\./).waitFor()
    await dialog.getByRole('button', { name: 'Plannen', exact: true }).click()
    await page.getByText(/^Wordt gepubliceerd op .* om 09:00 \(Nederlandse tijd\)$/).waitFor()
    await expect.poll(() => page.locator('main time').first().getAttribute('title')).toMatch(/ \(uw tijd\)$/)

    await save(page, 'Opslaan en publiceren')
    await page.getByText(/De pagina staat nu op de website\. De planning voor .* is vervallen\./).waitFor()
    await page.getByText(/^Wordt gepubliceerd op/).waitFor({ state: 'detached' })
  })

  test('a save is undone from its notification, for visitors too: back to no page, to a schedule or to an earlier text, unless somebody saved since', async () => {
    allowErrors(/status of 409/)
    const id = await aSavedPage(site, 'Voor het eerst')
    const page = await staff(`/admin/pages/${id}/nl`)
    const undo = page.getByRole('button', { name: 'Ongedaan maken' })
    const live = async () => (await fetch(`${site.url}/voor-het-eerst`)).text()
    const publishAt = new Date(Date.now() + 86_400_000).toISOString()
    const { version } = await getPageIn(site, id)
    await site.call('PUT', `/api/pages/${id}/nl/plan`, { version, publishAt, unpublishAt: null })
    await titleField(page).fill('Met een fout')
    await save(page, 'Opslaan en publiceren')
    // The mouse keeps the notification there.
    await undo.hover()
    await expect.poll(live).toContain('Met een fout')
    await undo.click()
    await page
      .getByText(/^De vorige tekst is terug\. De pagina staat niet meer op de website\. De planning .* weer\.$/)
      .waitFor()
    await expect.poll(() => onTheSite('/voor-het-eerst')).toBe(404)
    await expect.poll(async () => (await getPageIn(site, id)).publishAt).toBe(publishAt)

    await savePage(site, await getPageIn(site, id), { title: 'Zonder fouten' }, true)
    await returnToTab(page)
    await expect.poll(() => titleField(page).inputValue()).toBe('Zonder fouten')
    await titleField(page).fill('Nog een fout')
    await save(page, 'Opslaan en publiceren')
    await undo.hover()
    await expect.poll(live).toContain('Nog een fout')
    await undo.click()
    await page.getByText('De vorige tekst is terug, ook op de website.').waitFor()
    await expect.poll(() => titleField(page).inputValue()).toBe('Zonder fouten')
    await expect.poll(live).not.toContain('Nog een fout')

    await savePage(site, await getPageIn(site, id), { title: 'Nog niet klaar' })
    await returnToTab(page)
    await expect.poll(() => titleField(page).inputValue()).toBe('Nog niet klaar')
    await titleField(page).fill('Weer een fout')
    await save(page, 'Opslaan en publiceren')
    await undo.hover()
    await expect.poll(live).toContain('Weer een fout')
    await undo.click()
    await page.getByText('Bezoekers zien weer wat er eerder op de website stond.').waitFor()
    await expect.poll(live).toContain('Zonder fouten')
    await expect.poll(() => titleField(page).inputValue()).toBe('Nog niet klaar')

    await titleField(page).fill('De laatste fout')
    await save(page)
    await undo.hover()
    await savePage(site, await getPageIn(site, id), { title: 'Van een ander' })
    await undo.click()
    await page.getByText('Het opslaan is niet ongedaan gemaakt').waitFor()
    await expect.poll(async () => (await getPageIn(site, id)).text.title).toBe('Van een ander')

    await returnToTab(page)
    await expect.poll(() => titleField(page).inputValue()).toBe('Van een ander')
    await titleField(page).fill('Ook op de lijst')
    await save(page)
    // The mouse stays there.
    await undo.hover()
    await goToScreen(page, '/admin/pages')
    await rowOf(page, 'Ook op de lijst').waitFor()
    await expect.poll(() => undo.count()).toBe(1)
    await goToScreen(page, `/admin/pages/${id}/nl`)
    await expect.poll(() => titleField(page).inputValue()).toBe('Ook op de lijst')
    await expect.poll(() => undo.count()).toBe(1)
    await goToScreen(page, `/admin/pages/${await aSavedPage(site, 'Een andere pagina')}/nl`)
    await expect.poll(() => titleField(page).inputValue()).toBe('Een andere pagina')
    await expect.poll(() => undo.count()).toBe(0)
  })

  test('on a narrow phone the list has cards, the form and the schedule dialog fit, and a notification covers no button', async () => {
    const id = await aSavedPage(site, 'Op de telefoon')
    const page = await staff('/admin/pages?search=telefoon', undefined, { width: 375 })
    await page.getByRole('listitem').filter({ hasText: 'Op de telefoon' }).waitFor()
    await goToScreen(page, `/admin/pages/${id}/nl`)
    await titleField(page).waitFor()
    const wider = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
    expect(wider).toBe(false)

    await chooseFromMenu(page, 'Plannen…')
    const dialog = page.getByRole('dialog', { name: 'Publicatie plannen' })
    await dialog.getByLabel('Datum').waitFor()
    const outside = await dialog.evaluate((shown) => {
      const { left, right } = shown.getBoundingClientRect()
      const room = Number.parseFloat(getComputedStyle(shown).paddingInlineEnd)
      return [...shown.querySelectorAll('input, button')]
        .map((one) => one.getBoundingClientRect())
        .filter((one) => one.left < left + room - 1 || one.right > right - room + 1).length
    })
    expect(outside).toBe(0)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })

    await titleField(page).fill('Op de kleine telefoon')
    await save(page)
    const notice = page.getByRole('alert').filter({ hasText: 'Pagina is opgeslagen!' })
    await notice.hover()
    // It slides in.
    await expect.poll(async () => (await notice.boundingBox())?.y).toBeGreaterThan(0)
    const noticeBox = await notice.boundingBox()
    for (const name of ['Opslaan', 'Opslaan en publiceren']) {
      const button = await page.getByRole('button', { name, exact: true }).boundingBox()
      if (!noticeBox || !button) throw new Error('one of them is not there')
      expect(noticeBox.y + noticeBox.height <= button.y || button.y + button.height <= noticeBox.y, name).toBe(true)
    }
  })
})

describe('the list', () => {
  test('is searched and filtered in its URL, and marks the own drafts', async () => {
    const id = await aSavedPage(site, 'Vindbaar met concept')
    await aSavedPage(site, 'Vindbaar zonder')
    const { text, version } = await getPageIn(site, id)
    const draft = { text: { ...text, title: 'Vindbaar met een concept' }, baseVersion: version, revision: 0 }
    await site.call('PUT', `/api/pages/${id}/nl/draft`, draft)
    const page = await staff('/admin/pages')
    await page.getByRole('searchbox').fill('vindbaar')
    await page.waitForURL(/search=vindbaar/)
    await rowOf(page, 'Vindbaar met concept').getByText('Uw concept').waitFor()
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByRole('radio', { name: 'Met uw concept' }).check()
    await page.waitForURL(/status=draft/)
    await rowOf(page, 'Vindbaar zonder').waitFor({ state: 'detached' })
    await page.reload()
    await rowOf(page, 'Vindbaar met concept').waitFor()
    await page.getByRole('searchbox').fill('bestaatniet')
    await page.getByText('Geen pagina gevonden').waitFor()
    await page.getByRole('button', { name: 'Filters wissen' }).last().click()
    const entry = page.getByRole('row').filter({ hasText: 'Projecten' })
    await entry.first().waitFor()
    await page.getByRole('radio', { name: 'Gewone pagina' }).check()
    await page.waitForURL(/collection=/)
    await entry.first().waitFor({ state: 'detached' })
    await page.getByRole('rowheader').first().waitFor()
  })

  test('the question before the trash names the links to the page in the header and footer, and removes it from the menu', async () => {
    const { version, config } = await site.call<Configuration>('GET', '/api/config')
    const { navbar, footer } = config.branding
    const menu = { type: 'menu', menuType: 'desktop', items: [{ title: 'Ons atelier', url: '/atelier' }] }
    const id = await aSavedPage(site, 'Atelier')
    await savePage(site, await getPageIn(site, id), {}, true)
    const changed = await site.call<Configuration>('PUT', '/api/config', {
      version,
      config: { branding: { navbar: { ...navbar, top: { nl: [menu] } }, footer } },
    })
    const page = await staff('/admin/pages?search=atelier')
    await page.getByRole('button', { name: 'Atelier naar de prullenbak' }).click()
    const question = page.getByRole('alertdialog', { name: 'Weet u zeker dat u deze pagina wilt verwijderen?' })
    await question.getByText('een link naar deze pagina: Ons atelier.').waitFor()
    await question.getByRole('button', { name: 'Annuleren' }).click()
    const menus = {
      main: {
        nl: [
          { title: '', page: id },
          { title: 'Contact', url: '/#contact' },
        ],
      },
    }
    await site.call('PUT', '/api/config', {
      version: changed.version,
      config: { branding: config.branding, menus },
    })
    await page.getByRole('button', { name: 'Atelier naar de prullenbak' }).click()
    await question.getByText('Deze pagina staat in het menu.').waitFor()
    await question.getByLabel('Ook uit het menu halen').check()
    await question.getByRole('button', { name: 'Naar de prullenbak' }).click()
    await page.getByText('Atelier ligt in de prullenbak.').hover()
    const after = await site.call<Configuration>('GET', '/api/config')
    expect(after.config.menus?.main.nl?.map(({ title }) => title)).toEqual(['Contact'])
    // Undoing brings the page back, and its item in the menu, also when other settings were changed meanwhile.
    await site.call('PUT', '/api/config', { version: after.version, config: { brand: 'Maaslicht & Co' } })
    await page.getByRole('button', { name: 'Ongedaan maken' }).click()
    await page.getByText('Atelier is teruggezet.').waitFor()
    const undone = await site.call<Configuration>('GET', '/api/config')
    expect(undone.config).toMatchObject({ menus, brand: 'Maaslicht & Co' })

    // A menu that somebody else changed meanwhile stays as it is, and a message says so.
    allowErrors(/status of 409/)
    await page.getByRole('button', { name: 'Atelier naar de prullenbak' }).click()
    await question.getByLabel('Ook uit het menu halen').check()
    await question.getByRole('button', { name: 'Naar de prullenbak' }).click()
    await page.getByText('Atelier ligt in de prullenbak.').hover()
    const { version: removed } = await site.call<Configuration>('GET', '/api/config')
    const others = { main: { nl: [{ title: 'Van Sanne', url: '/#contact' }] } }
    await site.call('PUT', '/api/config', { version: removed, config: { menus: others } })
    await page.getByRole('button', { name: 'Ongedaan maken' }).click()
    await page.getByText('De pagina is niet teruggezet in het menu').waitFor()
    const kept = await site.call<Configuration>('GET', '/api/config')
    expect(kept.config.menus).toMatchObject(others)
    await site.call('PUT', '/api/config', {
      version: kept.version,
      config: { menus: config.menus, brand: config.brand },
    })
  })

  test('a page is moved to the trash with undo; its copy is opened, and not on the site; in the trash a page is restored or deleted permanently', async () => {
    const id = await aSavedPage(site, 'Voorbeeldproject')
    await savePage(site, await getPageIn(site, id), {}, true)
    await site.call('POST', `/api/pages/${await aSavedPage(site, 'Weg ermee')}/bin`)
    const page = await staff('/admin/pages?search=voorbeeldproject')
    // The question of the specification.
    const question = page.getByRole('alertdialog', { name: 'Weet u zeker dat u deze pagina wilt verwijderen?' })
    await page.getByRole('button', { name: 'Voorbeeldproject naar de prullenbak' }).click()
    await question.getByRole('button', { name: 'Naar de prullenbak' }).click()
    await page.getByText('Voorbeeldproject ligt in de prullenbak.').waitFor()
    await page.getByRole('button', { name: 'Ongedaan maken' }).click()
    await page.getByText('Voorbeeldproject is teruggezet.').waitFor()
    await expect.poll(async () => (await getPageIn(site, id)).deletedAt).toBeNull()

    await page.getByRole('button', { name: 'Kopie maken van Voorbeeldproject' }).click()
    await page.waitForURL((url) => /pages\/\d+\/nl/.test(url.pathname) && !url.pathname.includes(`/${id}/`))
    await waitUntilLoaded(page)
    await page.getByText('Niet gepubliceerd').first().waitFor()
    await chooseFromMenu(page, 'Naar de prullenbak')
    await question.getByRole('button', { name: 'Naar de prullenbak' }).click()
    await page.getByRole('heading', { level: 1, name: 'Pagina’s' }).waitFor()
    await page.getByRole('link', { name: 'Prullenbak' }).click()
    await page.getByRole('button', { name: 'Kopie van Voorbeeldproject terugzetten' }).click()
    await page.getByText('Kopie van Voorbeeldproject is teruggezet.').waitFor()
    await page.getByRole('button', { name: 'Weg ermee voorgoed verwijderen' }).click()
    await question.getByRole('button', { name: 'Annuleren' }).click()
    await page.getByRole('button', { name: 'Weg ermee voorgoed verwijderen' }).click()
    await question.getByRole('button', { name: 'Verwijderen' }).click()
    await page.getByText('Weg ermee is voorgoed verwijderd.').waitFor()
    const { data } = await site.call<{ data: ListedPage[] }>('GET', '/api/pages?bin=true&search=weg+ermee')
    expect(data).toEqual([])
  })
})

describe('two users on one page', () => {
  test('see each other; changes to different blocks are merged and reported; over the same field both versions are shown, and nothing is overwritten', async () => {
    allowErrors(/status of 409/)
    const id = await aSavedPage(site, 'Samen')
    const mine = await staff(`/admin/pages/${id}/nl`)
    const hers = await staff(`/admin/pages/${id}/nl`, sanne)
    await hers.getByText('bente heeft deze pagina ook open').waitFor()
    await returnToTab(mine)
    await mine.getByText('Sanne Samen heeft deze pagina ook open').waitFor()

    await descriptionField(mine).fill('Van Bente')
    await titleField(hers).fill('Van Sanne')
    await save(hers)
    await saved(hers)
    // It is reported without a question.
    await returnToTab(mine)
    await mine.getByText(/Sanne Samen heeft deze pagina intussen opgeslagen/).waitFor()
    await expect.poll(() => descriptionField(mine).inputValue()).toBe('Van Bente')
    await save(mine)
    await mine.getByText('Ook de wijzigingen van Sanne Samen staan erin.').waitFor()
    const stored = async () => (await getPageIn(site, id)).text
    await expect.poll(stored).toMatchObject({ title: 'Van Sanne', description: 'Van Bente' })
    await expect.poll(() => titleField(mine).inputValue()).toBe('Van Sanne')
    // She has no unsaved changes, so her form shows the current version.
    await returnToTab(hers)
    await expect.poll(() => descriptionField(hers).inputValue()).toBe('Van Bente')

    await titleField(mine).fill('Botsing van Bente')
    await descriptionField(mine).fill('Alleen van Bente')
    await titleField(hers).fill('Botsing van Sanne')
    await save(hers)
    await expect.poll(stored).toMatchObject({ title: 'Botsing van Sanne' })
    await save(mine)
    const choice = mine.getByRole('dialog', { name: 'U hebt allebei hetzelfde gewijzigd' })
    await choice.getByText('Botsing').first().waitFor()
    await expect.poll(stored).toMatchObject({ title: 'Botsing van Sanne' })
    await choice.getByRole('radio', { name: /Wat Sanne Samen schreef/ }).check()
    await choice.getByRole('button', { name: 'Opslaan met deze keuzes' }).click()
    await expect.poll(stored).toMatchObject({ title: 'Botsing van Sanne', description: 'Alleen van Bente' })
  })

  test('get no warning for their own second tab', async () => {
    const id = await aSavedPage(site, 'Mijn tabbladen')
    const page = await staff(`/admin/pages/${id}/nl`)
    const tab = await page.context().newPage()
    await openForm(tab, id)
    await titleField(tab).fill('Mijn tweede tabblad')
    await save(tab)
    await saved(tab)
    await returnToTab(page)
    await expect.poll(() => titleField(page).inputValue()).toBe('Mijn tweede tabblad')
    await expect.poll(() => page.getByText('ook open').count()).toBe(0)
    await expect.poll(() => page.getByText('intussen opgeslagen').count()).toBe(0)
  })
})

describe('the preview', () => {
  test('shows the typed text on the real site, to anyone with the link', async () => {
    const id = await aSavedPage(site, 'Nog geheim')
    const page = await staff(`/admin/pages/${id}/nl`)
    await titleField(page).fill('Nog geheim, maar te zien')
    await page.getByRole('button', { name: 'Voorbeeld', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Voorbeeld op de website' })
    const url = await dialog.getByLabel('Link naar het voorbeeld').inputValue()
    expect(new URL(url).pathname).toMatch(/^\/voorbeeld\//)
    const shown = await fetch(site.url + new URL(url).pathname)
    expect(shown.status).toBe(200)
    expect(await shown.text()).toContain('Welkom bij ons')
    await expect.poll(() => onTheSite('/nog-geheim')).toBe(404)
  })
})

describe('redirects', () => {
  test('are added, changed and deleted with undo, and refused at their field', async () => {
    allowErrors(/status of 422/)
    const id = await aSavedPage(site, 'Bestemming')
    await savePage(site, await getPageIn(site, id), {}, true)
    const page = await staff('/admin/redirects')
    await page.getByRole('button', { name: 'Doorverwijzing toevoegen' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Doorverwijzing toevoegen' })
    await dialog.getByLabel('Oud adres').fill('/bestemming')
    await dialog.getByLabel('Leidt naar').fill('/')
    await dialog.getByRole('button', { name: 'Opslaan' }).click()
    await dialog.getByText('Op dit adres staat een pagina.').waitFor()
    await dialog.getByLabel('Oud adres').fill('/folder-2020')
    await dialog.getByLabel('Leidt naar').fill('/bestemming')
    await dialog.getByRole('button', { name: 'Opslaan' }).click()
    await page.getByText('De doorverwijzing is opgeslagen.').waitFor()
    await expect.poll(() => onTheSite('/folder-2020')).toBe(301)

    await page.getByRole('button', { name: 'Doorverwijzing van /folder-2020 wijzigen' }).click()
    const change = page.getByRole('dialog', { name: 'Doorverwijzing wijzigen' })
    await change.getByLabel('Oud adres').fill('/folder-2021')
    await change.getByRole('button', { name: 'Opslaan' }).click()
    await rowOf(page, '/folder-2021').waitFor()
    await page.getByRole('button', { name: 'Doorverwijzing van /folder-2021 verwijderen' }).click()
    const question = page.getByRole('alertdialog', {
      name: 'Weet u zeker dat u deze doorverwijzing wilt verwijderen?',
    })
    await question.getByRole('button', { name: 'Annuleren' }).click()
    await expect.poll(() => onTheSite('/folder-2021')).toBe(301)
    await page.getByRole('button', { name: 'Doorverwijzing van /folder-2021 verwijderen' }).click()
    await question.getByRole('button', { name: 'Verwijderen' }).click()
    await page.getByText('De doorverwijzing van /folder-2021 is verwijderd.').hover()
    await expect.poll(() => onTheSite('/folder-2021')).toBe(404)
    await page.getByRole('button', { name: 'Ongedaan maken' }).click()
    await expect.poll(() => onTheSite('/folder-2021')).toBe(301)
  })
})

test('a user who may only publish sees the pages and cannot change them', async () => {
  const { id: roleId } = await site.addRole('Publiceerder', ['pages.publish'])
  await site.addUser({ name: 'Piet', email: 'piet@example.nl', password: 'geheim-piet', roleId })
  const id = await aSavedPage(site, 'Te bekijken')
  const page = await staff(`/admin/pages/${id}/nl`, { email: 'piet@example.nl', password: 'geheim-piet' })
  await page.getByText('U mag deze pagina bekijken, maar niet wijzigen.').waitFor()
  await expect.poll(() => titleField(page).isDisabled()).toBe(true)
  await page.getByText('Welkom bij ons.').waitFor()
  for (const name of ['Opslaan', 'Blok toevoegen']) {
    await expect.poll(() => page.getByRole('button', { name, exact: true }).count()).toBe(0)
  }
  await expect.poll(() => page.locator('iframe').count()).toBe(0)
})

test('the list shows the title in the language of the reader where the page has one, and what is missing or older', async () => {
  const current = await aSavedPage(site, 'Over ons werk')
  await savePage(site, await getPageIn(site, current, 'fa'), { title: 'دربارهٔ کار ما', slug: 'کار-ما' })
  const older = await aSavedPage(site, 'Ons atelier')
  await savePage(site, await getPageIn(site, older, 'fa'), { title: 'کارگاه ما', slug: 'کارگاه-ما' })
  await savePage(site, await getPageIn(site, older), { title: 'Ons nieuwe atelier' })
  await aSavedPage(site, 'Alleen in het Nederlands')
  await site.addUser({ name: 'Nasrin', email: 'nasrin@example.nl', password: 'geheim-nasrin', roleId: 2, locale: 'fa' })
  const page = await staff('/admin/pages', { email: 'nasrin@example.nl', password: 'geheim-nasrin' })
  await page.getByRole('rowheader').getByRole('link', { name: 'دربارهٔ کار ما' }).waitFor()
  await expect.poll(() => page.getByRole('rowheader').getByText('Over ons werk').count()).toBe(0)

  await rowOf(page, 'کارگاه ما').getByText('قدیمی‌تر از متن هلندی').waitFor()
  await expect.poll(() => rowOf(page, 'دربارهٔ کار ما').getByText('قدیمی‌تر از متن هلندی').count()).toBe(0)
  await rowOf(page, 'Alleen in het Nederlands')
    .getByRole('link', { name: /^افزودن متن: Alleen in het Nederlands/ })
    .waitFor()

  const inDutch = await staff('/admin/pages')
  await rowOf(inDutch, 'Ons nieuwe atelier').getByText('Ouder dan de tekst in het Nederlands').waitFor()
  await rowOf(inDutch, 'Alleen in het Nederlands')
    .getByRole('link', { name: /^Tekst toevoegen: Alleen in het Nederlands/ })
    .waitFor()
})
