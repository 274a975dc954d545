import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { aProgramWithAdministrator, type ProgramWithAdministrator, signInAndOpen } from '../support/admin-program.ts'
import { aBrowser } from '../support/browser.ts'
import { aColleague } from '../support/colleague.ts'
import { aSavedPage, getPageIn, keepSettingsOpen, savePage } from '../support/page-editor.ts'

const { visitor } = aBrowser()
let site: ProgramWithAdministrator
beforeAll(async () => {
  site = await aProgramWithAdministrator()
  await site.addUser({ name: 'رویا مرادی', email: 'roya@example.nl', password: 'geheim-roya', roleId: 2, locale: 'fa' })
})

const roya = { email: 'roya@example.nl', password: 'geheim-roya' }

async function staff(path: string, who?: { email: string; password: string }): Promise<Page> {
  const page = await visitor(site.url)
  await keepSettingsOpen(page)
  await signInAndOpen(page, path, who)
  return page
}

/** The newest versions in the settings of the page. */
const newestVersions = (page: Page, settings: string) =>
  page
    .getByRole('complementary', { name: settings })
    .getByRole('listitem')
    .filter({ has: page.locator('time') })

test('the history has author and changes, in one entry for one editing session, and any of it can be restored', async () => {
  const id = await aSavedPage(site, 'Met geschiedenis')
  await savePage(site, await getPageIn(site, id), { title: 'Met een lange geschiedenis' })
  const { body } = (await getPageIn(site, id)).text
  const saveAsRoya = await aColleague(site, roya)
  await saveAsRoya(id, {
    title: 'Met een korte geschiedenis',
    body: [
      { ...body[1], title: 'Mail ons' },
      { ...body[0], content: '<p>Welkom bij ons allemaal.</p>' },
      { type: 'line', id: 'streep' },
    ],
  })
  const page = await staff(`/admin/pages/${id}/nl`)
  const versions = newestVersions(page, 'Instellingen van deze pagina')
  await expect.poll(() => versions.count()).toBe(2)
  await versions.nth(1).getByRole('link', { name: 'bente · 3 keer opgeslagen' }).waitFor()
  await versions.nth(0).getByText('Huidige tekst').waitFor()
  await versions.nth(0).getByRole('link', { name: 'رویا مرادی' }).click()
  await page.getByRole('heading', { level: 1, name: 'Geschiedenis' }).waitFor()
  await page.getByRole('heading', { name: 'Blok toegevoegd: Lijn' }).waitFor()
  await page.getByRole('link', { name: 'Hele geschiedenis' }).click()
  const entries = page.getByRole('article')
  // Three saves of one user are one entry.
  await expect.poll(() => entries.count()).toBe(2)
  const [hers, mine] = [entries.nth(0), entries.nth(1)]
  await hers.getByText('رویا مرادی').waitFor()
  await hers.getByText('Huidige tekst').waitFor()
  await mine.getByText('3 keer opgeslagen').waitFor()

  await hers.getByRole('button', { name: /Wat is er gewijzigd/ }).click()
  await hers.getByRole('heading', { name: 'Blok toegevoegd: Lijn' }).waitFor()
  const title = hers.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Titel', exact: true }) })
  await expect.poll(() => title.locator('del').innerText()).toContain('lange')
  await expect.poll(() => title.locator('ins').innerText()).toContain('korte')
  const text = hers.getByRole('listitem').filter({ hasText: 'Blok gewijzigd: Lopende tekst' })
  await expect.poll(() => text.locator('ins').allInnerTexts()).toEqual([expect.stringContaining('allemaal')])
  await expect.poll(() => text.locator('del').count(), { message: 'by words, and no more than those' }).toBe(0)

  await mine.getByRole('button', { name: /^Bekijken/ }).click()
  const dialog = page.getByRole('dialog', { name: /^De tekst van/ })
  await dialog.getByText('Met een lange geschiedenis').waitFor()
  await dialog.getByText('Welkom bij ons.').waitFor()
  await dialog.getByRole('button', { name: 'Sluiten' }).click()

  // The second click comes before the first has saved.
  await mine.getByRole('button', { name: /^Terugzetten/ }).dblclick()
  await page.getByText('De eerdere versie is teruggezet.').hover()
  await expect
    .poll(async () => (await getPageIn(site, id)).text)
    .toMatchObject({ title: 'Met een lange geschiedenis', body })
  await page.getByText('Eerdere versie teruggezet').waitFor()
  // The undo is an entry too.
  await page.getByRole('button', { name: 'Ongedaan maken' }).click()
  await expect.poll(async () => (await getPageIn(site, id)).text.title).toBe('Met een korte geschiedenis')
})

test('the saves in one entry are expanded, compared, viewed with each bullet on the line of its text, and restored one by one', async () => {
  const body = [{ type: 'rich-text', id: 'lijst', content: '<ul><li><p>Snel</p></li><li><p>Veilig</p></li></ul>' }]
  const id = await aSavedPage(site, 'Eerste titel', { body })
  await savePage(site, await getPageIn(site, id), { title: 'Tweede titel' })
  await savePage(site, await getPageIn(site, id), { title: 'Derde titel' })
  const page = await staff(`/admin/pages/${id}/nl/history`)
  await expect.poll(() => page.getByRole('article').count()).toBe(1)
  await page.getByRole('button', { name: /^Elke keer apart/ }).click()
  const saves = page.getByRole('article').getByRole('article')
  await expect.poll(() => saves.count()).toBe(4)
  const second = saves.nth(1)
  await expect.poll(() => saves.nth(0).getByText('Huidige tekst').count()).toBe(1)
  await expect
    .poll(() =>
      saves
        .nth(0)
        .getByRole('button', { name: /^Terugzetten/ })
        .count(),
    )
    .toBe(0)

  await second.getByRole('button', { name: /Wat is er gewijzigd/ }).click()
  await second.locator('del').filter({ hasText: 'Eerste' }).waitFor()
  await second.locator('ins').filter({ hasText: 'Tweede' }).waitFor()
  await second.getByRole('button', { name: /^Bekijken/ }).click()
  const dialog = page.getByRole('dialog', { name: /^De tekst van/ })
  await dialog.getByText('Tweede titel').waitFor()
  const words = await dialog.getByRole('definition').filter({ hasText: 'Snel' }).innerText()
  expect(words.split('\n')).toEqual(['• Snel', '• Veilig'])
  await dialog.getByRole('button', { name: 'Sluiten' }).click()
  await second.getByRole('button', { name: /^Terugzetten/ }).click()
  await page.getByText('De eerdere versie is teruggezet.').waitFor()
  await expect.poll(async () => (await getPageIn(site, id)).text.title).toBe('Tweede titel')
})

test('a restore that also changes the address asks first, with both addresses and what visitors of the current one see', async () => {
  const id = await aSavedPage(site, 'Verhuisd', { slug: 'eerste-adres' })
  await savePage(site, await getPageIn(site, id), { slug: 'tweede-adres' }, true)
  const slug = async () => (await getPageIn(site, id)).text.slug
  const page = await staff(`/admin/pages/${id}/nl/history`)
  await page.getByRole('button', { name: /^Elke keer apart/ }).click()
  const saves = page.getByRole('article').getByRole('article')
  const restore = saves.nth(1).getByRole('button', { name: /^Terugzetten/ })
  await restore.click()
  const question = page.getByRole('alertdialog', { name: 'Deze versie heeft een ander adres' })
  await question
    .getByText('De pagina krijgt /eerste-adres in plaats van /tweede-adres, als dat adres nog vrij is.')
    .waitFor()
  await question.getByText('Na het publiceren leidt /tweede-adres vanzelf naar /eerste-adres.').waitFor()
  await question.getByRole('button', { name: 'Annuleren' }).click()
  await expect.poll(() => restore.evaluate((button) => button === document.activeElement)).toBe(true)
  expect(await slug()).toBe('tweede-adres')
  await restore.click()
  await question.getByRole('button', { name: 'Terugzetten' }).click()
  await expect.poll(slug).toBe('eerste-adres')
})

test('a restore that keeps the address, because another page has the earlier one, says so in Dutch and Persian', async () => {
  const id = await aSavedPage(site, 'Vergeven')
  await savePage(site, await getPageIn(site, id), { slug: 'eigen', title: 'Eigen' })
  await aSavedPage(site, 'Vergeven')
  const restoreFirst = async (page: Page, expand: RegExp, restore: RegExp) => {
    await page.getByRole('button', { name: expand }).click()
    await page.getByRole('article').getByRole('article').last().getByRole('button', { name: restore }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: restore }).click()
  }

  const dutch = await staff(`/admin/pages/${id}/nl/history`)
  await restoreFirst(dutch, /^Elke keer apart/, /^Terugzetten/)
  await dutch.getByText('De pagina behoudt het adres /eigen: /vergeven is niet meer beschikbaar.').waitFor()
  const { slug, title } = (await getPageIn(site, id)).text
  expect({ slug, title }).toEqual({ slug: 'eigen', title: 'Vergeven' })

  const persian = await staff(`/admin/pages/${id}/nl/history`, roya)
  await restoreFirst(persian, /^هر ذخیره جداگانه/, /^برگرداندن/)
  await persian.getByText('نشانی صفحه همان /eigen می‌ماند: /vergeven دیگر در دسترس نیست.').waitFor()
})

test('the audit log names the changed page, and links to the difference', async () => {
  const id = await aSavedPage(site, 'In het logboek')
  await savePage(site, await getPageIn(site, id), { title: 'Anders in het logboek' })
  const { body } = (await getPageIn(site, id)).text
  await savePage(site, await getPageIn(site, id), {
    body: [{ ...body[0], content: '<p>Dag allemaal.</p>' }, body[1]] as never,
  })
  const page = await staff('/admin/audit?area=pages&search=logboek')
  const [written, titled] = [page.getByRole('row').nth(1), page.getByRole('row').nth(2)]
  await written.getByRole('link', { name: 'Anders in het logboek' }).waitFor()
  await expect
    .poll(() => written.locator('dl').innerText())
    .toMatch(/^Inhoud\s+werd\s+gewijzigd\s+Taal van de pagina\s+werd\s+Nederlands$/)
  await expect.poll(() => titled.locator('del').innerText()).toContain('In het logboek')
  await page.getByRole('row').nth(4).getByText('(heet nu: Anders in het logboek)').waitFor()

  await written.getByRole('link', { name: 'Wat is er gewijzigd?' }).click()
  await page.getByRole('heading', { level: 1, name: 'Geschiedenis' }).waitFor()
  await page.locator('ins').filter({ hasText: 'Dag allemaal' }).waitFor()
  await expect.poll(() => page.getByRole('article').count()).toBe(1)
  await page.getByRole('link', { name: 'Hele geschiedenis' }).click()
  await page.getByText('4 keer opgeslagen').waitFor()
})

test('in Persian the history is in Persian, with the Persian calendar', async () => {
  const id = await aSavedPage(site, 'In het Perzisch gelezen')
  const page = await staff(`/admin/pages/${id}/nl`, roya)
  const year = new Intl.DateTimeFormat('fa-IR', { year: 'numeric' }).format(new Date())
  const version = newestVersions(page, 'تنظیمات این صفحه').getByRole('link', { name: new RegExp(year) })
  await version.filter({ hasText: 'بار ذخیره' }).click()
  await page
    .getByRole('heading', { name: /^بلوک افزوده شد: / })
    .first()
    .waitFor()
  await page.getByRole('heading', { level: 2, name: new RegExp(year) }).waitFor()
})

test('malicious page content is shown as text in its history', async () => {
  const evil = '<img src=x onerror="document.title=1">'
  const id = await aSavedPage(site, evil)
  const page = await staff(`/admin/pages/${id}/nl/history`)
  await page.getByRole('button', { name: /Wat is er gewijzigd/ }).click()
  await page.locator('main ins').filter({ hasText: 'onerror' }).first().waitFor()
  await expect.poll(() => page.locator('main img').count()).toBe(0)
})
