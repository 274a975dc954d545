import { beforeAll, expect, test } from 'vitest'
import { statistics as fa } from '../../src/i18n/fa/admin/statistics.ts'
import { statistics as texts } from '../../src/i18n/nl/admin/statistics.ts'
import { admin as nl } from '../../src/i18n/nl/admin.ts'
import {
  addPersianAdministrator,
  aProgramWithAdministrator,
  type ProgramWithAdministrator,
  roya,
  signInAndOpen,
} from '../support/admin-program.ts'
import { axeViolations } from '../support/axe.ts'
import { aBrowser } from '../support/browser.ts'
import { waitUntil } from '../support/wait-until.ts'

const { visitor } = aBrowser()
const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148'
let site: ProgramWithAdministrator
beforeAll(async () => {
  site = await aProgramWithAdministrator()
  await addPersianAdministrator(site)
  const visit = (path: string, referer: string) => fetch(site.url + path, { headers: { 'user-agent': phone, referer } })
  for (const path of ['/', '/', '/?utm_source=nieuwsbrief&utm_campaign=voorjaar']) {
    expect((await visit(path, 'https://www.google.com/')).status).toBe(200)
  }
  await visit('/disclaimer', 'https://mediawijzer.example/')
  await waitUntil(async () => {
    const { visits } = await site.call<{ visits: { count: number } }>('GET', '/api/dashboard/statistics')
    return visits.count === 4
  }, 'four visits')
})

test('visits, sources, devices and campaigns are on one screen, each as a table', async () => {
  const page = await signInAndOpen(await visitor(site.url), '/user')
  await page.getByRole('link', { name: nl.home.allStatistics }).click()
  const sources = page.getByRole('table', { name: texts.sources })
  await sources.getByRole('row', { name: 'google.com 3 75%' }).waitFor()
  await page.getByRole('table', { name: texts.devicesTitle }).getByRole('row', { name: 'Telefoon 4 100%' }).waitFor()
  await page
    .getByRole('table', { name: texts.campaigns })
    .getByRole('row', { name: /voorjaar.*nieuwsbrief.*1 100%/ })
    .waitFor()
  await page.getByText(texts.noMessages).waitFor()
  await expect.poll(() => page.getByText(texts.notCompared).count()).toBe(4)

  // By months, from the keyboard.
  await page.getByRole('radio', { name: '30 dagen' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.waitForURL('**/admin/statistics?days=365')
  await page.getByText(nl.home.monthsAsTable).click()
  const months = page.getByRole('table').filter({ hasText: nl.home.month }).getByRole('row')
  await waitUntil(async () => [13, 14].includes(await months.count()), 'the months')
  expect(await axeViolations(page)).toEqual([])
})

test('in Persian the figures have Persian digits and the months are those of the Persian calendar', async () => {
  const page = await signInAndOpen(await visitor(site.url, { width: 'phone' }), '/admin/statistics?days=365', roya)
  await page.getByRole('table', { name: fa.sources }).getByRole('row', { name: 'google.com ۳ ۷۵٪' }).waitFor()
  await page.getByText('همهٔ ماه‌ها در یک جدول').click()
  const month = new Intl.DateTimeFormat('fa-IR', { month: 'long', year: 'numeric', timeZone: 'Europe/Amsterdam' })
  await page.getByRole('row', { name: `${month.format(new Date())} ۴` }).waitFor()
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  expect(await axeViolations(page)).toEqual([])
})
