import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { aStaffedProgram, enter, type StaffedProgram, settled, show } from '../support/admin.ts'
import { aBrowser } from '../support/browser.ts'
import { aSavedPage, savedIn, savePage } from '../support/drafts.ts'

const { visitor } = aBrowser()
let site: StaffedProgram
beforeAll(async () => {
  site = await aStaffedProgram()
  await site.addUser({ name: 'رویا مرادی', email: 'roya@example.nl', password: 'geheim-roya', roleId: 2, locale: 'fa' })
})

const roya = { email: 'roya@example.nl', password: 'geheim-roya' }

async function staff(path: string, who?: { email: string; password: string }): Promise<Page> {
  const page = await visitor(site.url)
  await enter(page, who)
  await show(page, path)
  return page
}

/** What Roya saves, by the API and her own session. */
async function savedByRoya(id: number, changes: object): Promise<void> {
  const page = await visitor(site.url)
  await enter(page, roya)
  const now = await savedIn(site, id)
  const answer = await page.context().request.put(`/api/pages/${id}/nl`, {
    data: { text: { ...now.text, ...changes }, version: now.version },
  })
  expect(answer.status()).toBe(200)
}

test('the history tells who changed what, in one line for what was done in one go, and any of it is brought back', async () => {
  const id = await aSavedPage(site, 'Met geschiedenis')
  await savePage(site, await savedIn(site, id), { title: 'Met een lange geschiedenis' })
  const { body } = (await savedIn(site, id)).text
  await savedByRoya(id, {
    title: 'Met een korte geschiedenis',
    body: [
      { ...body[1], title: 'Mail ons' },
      { ...body[0], content: '<p>Welkom bij ons allemaal.</p>' },
      { type: 'line', id: 'streep' },
    ],
  })
  const page = await staff(`/admin/pages/${id}/nl`)
  await page.getByRole('link', { name: 'Geschiedenis' }).click()
  await page.getByRole('heading', { level: 1, name: 'Geschiedenis' }).waitFor()
  await settled(page)
  const entries = page.getByRole('article')
  // Three saves of one person are one line.
  expect(await entries.count()).toBe(2)
  const [hers, mine] = [entries.nth(0), entries.nth(1)]
  await hers.getByText('رویا مرادی').waitFor()
  await hers.getByText('Huidige tekst').waitFor()
  await mine.getByText('3 keer opgeslagen').waitFor()

  await hers.getByRole('button', { name: /Wat is er gewijzigd/ }).click()
  await hers.getByRole('heading', { name: 'Blok toegevoegd: Lijn' }).waitFor()
  const title = hers.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Titel', exact: true }) })
  expect(await title.locator('del').innerText()).toContain('lange')
  expect(await title.locator('ins').innerText()).toContain('korte')
  const text = hers.getByRole('listitem').filter({ hasText: 'Blok gewijzigd: Lopende tekst' })
  expect(await text.locator('ins').allInnerTexts()).toEqual([expect.stringContaining('allemaal')])
  expect(await text.locator('del').count(), 'by words, and no more than those').toBe(0)

  await mine.getByRole('button', { name: /^Bekijken/ }).click()
  const sight = page.getByRole('dialog', { name: /^De tekst van/ })
  await sight.getByText('Met een lange geschiedenis').waitFor()
  await sight.getByText('Welkom bij ons.').waitFor()
  await sight.getByRole('button', { name: 'Sluiten' }).click()

  await mine.getByRole('button', { name: /^Terugzetten/ }).click()
  await page.getByText('De eerdere versie is teruggezet.').waitFor()
  expect((await savedIn(site, id)).text).toMatchObject({ title: 'Met een lange geschiedenis', body })
  await page.getByText('Eerdere versie teruggezet').waitFor()
  // The way back is one too.
  await page.getByRole('button', { name: 'Ongedaan maken' }).click()
  await expect.poll(async () => (await savedIn(site, id)).text.title).toBe('Met een korte geschiedenis')
})

test('the saves in one line are unfolded, compared, looked at and brought back one by one', async () => {
  const id = await aSavedPage(site, 'Eerste titel')
  await savePage(site, await savedIn(site, id), { title: 'Tweede titel' })
  await savePage(site, await savedIn(site, id), { title: 'Derde titel' })
  const page = await staff(`/admin/pages/${id}/nl/history`)
  expect(await page.getByRole('article').count()).toBe(1)
  await page.getByRole('button', { name: /^Elke keer apart/ }).click()
  const saves = page.getByRole('article').getByRole('article')
  await expect.poll(() => saves.count()).toBe(4)
  const second = saves.nth(1)
  expect(await saves.nth(0).getByText('Huidige tekst').count()).toBe(1)
  expect(
    await saves
      .nth(0)
      .getByRole('button', { name: /^Terugzetten/ })
      .count(),
  ).toBe(0)

  await second.getByRole('button', { name: /Wat is er gewijzigd/ }).click()
  await second.locator('del').filter({ hasText: 'Eerste' }).waitFor()
  await second.locator('ins').filter({ hasText: 'Tweede' }).waitFor()
  await second.getByRole('button', { name: /^Bekijken/ }).click()
  const sight = page.getByRole('dialog', { name: /^De tekst van/ })
  await sight.getByText('Tweede titel').waitFor()
  await sight.getByRole('button', { name: 'Sluiten' }).click()
  await second.getByRole('button', { name: /^Terugzetten/ }).click()
  await page.getByText('De eerdere versie is teruggezet.').waitFor()
  expect((await savedIn(site, id)).text.title).toBe('Tweede titel')
})

test('the log says which page was changed, and leads to the difference', async () => {
  const id = await aSavedPage(site, 'In het logboek')
  await savePage(site, await savedIn(site, id), { title: 'Anders in het logboek' })
  const { body } = (await savedIn(site, id)).text
  await savePage(site, await savedIn(site, id), {
    body: [{ ...body[0], content: '<p>Dag allemaal.</p>' }, body[1]] as never,
  })
  const page = await staff('/admin/audit?area=pages&search=logboek')
  const [written, titled] = [page.getByRole('row').nth(1), page.getByRole('row').nth(2)]
  await written.getByRole('link', { name: 'Anders in het logboek' }).waitFor()
  expect(await written.locator('dl').innerText()).toMatch(
    /^Inhoud\s+werd\s+gewijzigd\s+Taal van de pagina\s+werd\s+Nederlands$/,
  )
  expect(await titled.locator('del').innerText()).toContain('In het logboek')
  await page.getByRole('row').nth(4).getByText('(heet nu: Anders in het logboek)').waitFor()

  await written.getByRole('link', { name: 'Wat is er gewijzigd?' }).click()
  await page.getByRole('heading', { level: 1, name: 'Geschiedenis' }).waitFor()
  await page.locator('ins').filter({ hasText: 'Dag allemaal' }).waitFor()
  expect(await page.getByRole('article').count()).toBe(1)
  await page.getByRole('link', { name: 'Hele geschiedenis' }).click()
  await page.getByText('4 keer opgeslagen').waitFor()
})

test('autosaves stand in no history', async () => {
  const id = await aSavedPage(site, 'Zonder concepten')
  const page = await staff(`/admin/pages/${id}/nl`)
  await page.locator('[data-page-field="title"] input').fill('Zonder concepten, echt')
  await page.getByText('Form autosaved').waitFor()
  await page.getByRole('link', { name: 'Geschiedenis' }).click()
  await page.getByRole('heading', { level: 1, name: 'Geschiedenis' }).waitFor()
  await settled(page)
  await page.getByText('2 keer opgeslagen').waitFor()
  await page.getByRole('button', { name: /^Bekijken/ }).click()
  const sight = page.getByRole('dialog')
  await sight.getByText('Zonder concepten', { exact: true }).waitFor()
  expect(await sight.getByText('echt').count()).toBe(0)
})

test('in Persian the history is read in Persian, in its calendar', async () => {
  const id = await aSavedPage(site, 'In het Perzisch gelezen')
  const page = await staff(`/admin/pages/${id}/nl/history`, roya)
  await page.getByRole('button', { name: /چه چیزی تغییر کرد/ }).click()
  await page
    .getByRole('heading', { name: /^بلوک افزوده شد: / })
    .first()
    .waitFor()
  const year = new Intl.DateTimeFormat('fa-IR', { year: 'numeric' }).format(new Date())
  await page.getByRole('heading', { level: 2, name: new RegExp(year) }).waitFor()
})

test('what an attacker wrote into a page is shown as text in its history', async () => {
  const evil = '<img src=x onerror="document.title=1">'
  const id = await aSavedPage(site, evil)
  const page = await staff(`/admin/pages/${id}/nl/history`)
  await page.getByRole('button', { name: /Wat is er gewijzigd/ }).click()
  await page.locator('main ins').filter({ hasText: 'onerror' }).first().waitFor()
  expect(await page.locator('main img').count()).toBe(0)
})
