import { beforeAll, expect, test } from 'vitest'
import { pages as faPages } from '../../src/i18n/fa/admin/pages.ts'
import { links as fa } from '../../src/i18n/fa/admin/redirects.ts'
import { pages } from '../../src/i18n/nl/admin/pages.ts'
import { links, redirects } from '../../src/i18n/nl/admin/redirects.ts'
import {
  addPersianAdministrator,
  aProgramWithAdministrator,
  goToScreen,
  type ProgramWithAdministrator,
  roya,
  signInAndOpen,
} from '../support/admin-program.ts'
import { axeViolations } from '../support/axe.ts'
import { aBrowser } from '../support/browser.ts'

const { visitor } = aBrowser()
let site: ProgramWithAdministrator

/** @returns its id */
async function publish(title: string, url?: string): Promise<number> {
  const { id } = await site.call<{ id: number }>('POST', '/api/pages', { locale: 'nl', title })
  const { text, version } = await site.call<{ text: object; version: number }>('GET', `/api/pages/${id}/nl`)
  const body = url === undefined ? [] : [{ type: 'rich-text', content: `<p><a href="${url}">verder</a></p>` }]
  await site.call('PUT', `/api/pages/${id}/nl`, { text: { ...text, body }, version, publish: true })
  return id
}

beforeAll(async () => {
  site = await aProgramWithAdministrator()
  await addPersianAdministrator(site)
  await publish('Voorjaarsactie')
  await publish('Nieuws', '/voorjaarsactie#prijs')
})

test('a page that is deleted: the pages that link to it are named, its address answers 410, and the dead link is listed; links to other websites are checked on request, never at a private address', async () => {
  const page = await signInAndOpen(await visitor(site.url), '/admin/links')
  await page.getByText(links.allWell).waitFor()

  await goToScreen(page, '/admin/pages?search=voorjaarsactie')
  await page.getByRole('button', { name: 'Voorjaarsactie naar de prullenbak' }).click()
  const question = page.getByRole('alertdialog')
  await question.getByText(links.willBeDead).waitFor()
  await question.getByRole('link', { name: 'Nieuws' }).waitFor()
  expect(await axeViolations(page)).toEqual([])
  await question.getByRole('button', { name: pages.moveToTrash }).click()
  await page.getByText('Voorjaarsactie ligt in de prullenbak.').waitFor()

  await goToScreen(page, '/admin/pages?bin=true')
  await page.getByRole('button', { name: 'Voorjaarsactie voorgoed verwijderen' }).click()
  await question.getByLabel(pages.answerGone).check()
  await question.getByRole('button', { name: 'Verwijderen' }).click()
  await page.getByText('Voorjaarsactie is voorgoed verwijderd.').waitFor()
  expect((await fetch(`${site.url}/voorjaarsactie`)).status).toBe(410)

  await goToScreen(page, '/admin/redirects')
  await page.getByText(redirects.gone).waitFor()
  await page.getByRole('button', { name: redirects.add }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(redirects.from).fill('/kerst')
  await dialog.getByLabel(redirects.isGone).check()
  await expect.poll(() => dialog.getByLabel(redirects.to).count()).toBe(0)
  expect(await axeViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Opslaan' }).click()
  await page.getByText(redirects.saved).waitFor()
  expect((await fetch(`${site.url}/kerst`)).status).toBe(410)

  await goToScreen(page, '/admin/links')
  const dead = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: '/voorjaarsactie' }) })
  await dead.getByRole('link', { name: 'Nieuws' }).waitFor()

  // The default privacy statement links to a real website, which a test must not request.
  const { data } = await site.call<{ data: { id: number }[] }>('GET', '/api/pages?search=privacy')
  for (const locale of ['nl', 'fa']) {
    const at = `/api/pages/${data[0]?.id}/${locale}`
    const { text, version } = await site.call<{ text: object; version: number }>('GET', at)
    await site.call('PUT', at, { text: { ...text, body: [] }, version, publish: true })
  }
  await publish('Intern', 'http://127.0.0.1:9/geheim')
  await page.getByRole('button', { name: links.check }).click()
  const found = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name: 'http://127.0.0.1:9/geheim' }) })
  await found.getByText(links.outcomes.refused).waitFor()
  await found.getByRole('link', { name: 'Intern' }).waitFor()
  await page.getByText('adressen gecontroleerd.').waitFor()
  expect(await axeViolations(page)).toEqual([])
})

test('in Persian dead links are listed from right to left, and deleting a page names the pages that link to it', async () => {
  await publish('Zomer')
  await publish('Strand', '/zomer')
  const page = await signInAndOpen(await visitor(site.url, { width: 'phone' }), '/admin/links', roya)
  await page.getByRole('heading', { name: '۱ نشانی که چیزی در آن نیست' }).waitFor()
  await page.getByRole('heading', { level: 1, name: fa.title }).waitFor()
  await expect.poll(() => page.getByText('/voorjaarsactie', { exact: true }).getAttribute('dir')).toBe('ltr')
  await page.getByRole('button', { name: fa.check }).click()
  await page.getByText(fa.outcomes.refused).waitFor()
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  expect(await axeViolations(page)).toEqual([])

  await goToScreen(page, '/admin/pages?search=zomer')
  await page.getByRole('button', { name: faPages.trashOne.replace('{{name}}', 'Zomer') }).click()
  const question = page.getByRole('alertdialog')
  await question.getByText(fa.willBeDead).waitFor()
  await question.getByRole('link', { name: 'Strand' }).waitFor()
  expect(await axeViolations(page)).toEqual([])
  await question.getByRole('button', { name: faPages.moveToTrash }).click()
  await page.getByText(faPages.trashed.replace('{{name}}', 'Zomer')).waitFor()
})
