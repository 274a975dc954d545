import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { blocks } from '../../src/blocks/registry.ts'
import * as blocksEn from '../../src/i18n/en/admin/blocks.ts'
import * as configEn from '../../src/i18n/en/admin/config.ts'
import * as healthEn from '../../src/i18n/en/admin/health.ts'
import * as helpEn from '../../src/i18n/en/admin/help.ts'
import * as pagesEn from '../../src/i18n/en/admin/pages.ts'
import * as redirectsEn from '../../src/i18n/en/admin/redirects.ts'
import * as statisticsEn from '../../src/i18n/en/admin/statistics.ts'
import { admin as en } from '../../src/i18n/en/admin.ts'
import * as blocksNl from '../../src/i18n/nl/admin/blocks.ts'
import * as configNl from '../../src/i18n/nl/admin/config.ts'
import * as healthNl from '../../src/i18n/nl/admin/health.ts'
import * as helpNl from '../../src/i18n/nl/admin/help.ts'
import * as pagesNl from '../../src/i18n/nl/admin/pages.ts'
import * as redirectsNl from '../../src/i18n/nl/admin/redirects.ts'
import * as statisticsNl from '../../src/i18n/nl/admin/statistics.ts'
import { admin as nl } from '../../src/i18n/nl/admin.ts'
import {
  aProgramWithAdministrator,
  goToScreen,
  type ProgramWithAdministrator,
  pressSave,
  signInAndOpen,
} from '../support/admin-program.ts'
import { aBrowser } from '../support/browser.ts'
import { sendMessage } from '../support/messages.ts'
import { aSavedPage } from '../support/page-editor.ts'
import { defaultSiteFile } from '../support/site-file.ts'

const { visitor } = aBrowser()
let site: ProgramWithAdministrator
let pageId: number
let messageId: number
beforeAll(async () => {
  site = await aProgramWithAdministrator()
  const post = (path: string, init: RequestInit) => fetch(site.url + path, init)
  messageId = await sendMessage({ request: post }, 'sanne')
  pageId = await aSavedPage(site, 'Spring offer')
})

type Tree = { [key: string]: string | Tree | undefined }
const textsIn = (tree: object): string[] =>
  Object.values(tree as Tree).flatMap((value) => (typeof value === 'string' ? [value] : textsIn(value ?? {})))
const labels = (locale: 'nl' | 'en') => Object.values(blocks).map((block) => block.labels[locale])

/** Tells the Dutch texts of the admin that are nothing else: not English too, and not a text of the default site. */
function dutchTexts(): (text: string) => boolean {
  const dutch = textsIn([nl, blocksNl, configNl, healthNl, helpNl, pagesNl, redirectsNl, statisticsNl, labels('nl')])
  const english = [en, blocksEn, configEn, healthEn, helpEn, pagesEn, redirectsEn, statisticsEn, labels('en')]
  const others = new Set(textsIn([...english, defaultSiteFile()]).map((text) => text.toLowerCase()))
  const own = dutch.filter(
    (text) => !others.has(text.toLowerCase()) && /\p{L}{3}.*\p{L}/u.test(text.replace(/\{\{.*?\}\}/g, '')),
  )
  const whole = new Set(own)
  const patterns = [...whole]
    .filter((text) => text.includes('{{'))
    .map((text) => RegExp.escape(text).replace(/\\\{\\\{count.*?\\\}\\\}/g, '[\\d.,]+'))
    .map((text) => new RegExp(`^${text.replace(/\\\{\\\{.*?\\\}\\\}/g, '.+')}$`))
  return (text) => whole.has(text) || patterns.some((one) => one.test(text))
}

/** Everything that is written on the screen, or read aloud of it. */
const textsOn = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = []
    for (const element of document.body.querySelectorAll('*')) {
      if (element.matches('script, style, noscript, [lang=nl] *, [lang=fa] *, [lang=nl], [lang=fa]')) continue
      for (const name of ['aria-label', 'placeholder', 'title', 'alt']) found.push(element.getAttribute(name) ?? '')
      for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE) found.push(node.textContent ?? '')
    }
    return found.map((text) => text.trim()).filter(Boolean)
  })

const isDutch = dutchTexts()
/** A language is named in itself. */
const isForeign = (text: string) =>
  !['Nederlands', 'فارسی'].includes(text) && (/[\u0600-\u06ff]/.test(text.replace('فارسی', '')) || isDutch(text))

async function expectEnglish(page: Page): Promise<void> {
  await expect.poll(async () => (await textsOn(page)).length, { message: page.url() }).toBeGreaterThan(15)
  await expect.poll(async () => (await textsOn(page)).filter(isForeign), { message: page.url() }).toEqual([])
}

const screens = [
  '/user',
  '/admin/statistics',
  '/admin/messages',
  '/admin/messages/{message}',
  '/admin/mail',
  '/admin/mail/letters',
  '/admin/pages',
  '/admin/pages/new',
  '/admin/pages/{page}/nl/history',
  '/admin/pages?bin=true',
  '/admin/redirects',
  '/admin/links',
  '/admin/health',
  '/admin/sections',
  '/admin/files',
  '/admin/users/new',
  '/admin/roles/3',
  '/admin/backups',
  '/admin/privacy',
  '/admin/audit',
  '/admin/config',
  '/admin/config/look',
  '/admin/config/offer',
  '/admin/config/palette',
  '/admin/config/locales',
  '/admin/config/menu',
  '/admin/config/forms',
  '/admin/config/mail',
  '/admin/config/revisions',
  // The last one: its help is opened below.
  '/admin/users',
]

test('a user chooses English: then every screen is in English, and amounts are read and written in English notation', async () => {
  // So narrow that the preview of the settings is behind a button: it would load the site on each of their screens.
  const page = await signInAndOpen(await visitor(site.url, { width: 1200 }), '/admin/profile')
  await page.getByLabel(nl.profile.language).selectOption('en')
  await pressSave(page, page.getByRole('button', { name: nl.form.save, exact: true }), /^\/api\/profile$/)
  await page.getByText(en.profile.saved).waitFor()
  await page.getByRole('heading', { level: 1, name: en.profile.title }).waitFor()
  await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('en')
  await expect.poll(() => page.locator('html').getAttribute('dir')).toBe('ltr')
  await expectEnglish(page)

  for (const path of screens) {
    await goToScreen(page, path.replace('{page}', String(pageId)).replace('{message}', String(messageId)))
    await expectEnglish(page)
  }

  await page.getByRole('button', { name: en.shell.help }).click()
  await page.getByText(helpEn.help.screens.users).waitFor()
  await page.keyboard.press('Escape')

  await goToScreen(page, `/admin/pages/${pageId}/nl`)
  await page.getByRole('button', { name: pagesEn.pages.saveAndPublish }).waitFor()
  await expectEnglish(page)

  await goToScreen(page, '/admin/config/offer')
  await page.getByRole('button', { name: configEn.config.preview.open }).click()
  await page.getByText(configEn.config.preview.unsaved).waitFor()
  await expectEnglish(page)
  await page.keyboard.press('Escape')
  const offer = async () =>
    (await site.call<{ config: { offer: { prices: { amount: number }[] } } }>('GET', '/api/config')).config.offer
  const { prices } = await offer()
  await page.getByRole('button', { name: configEn.config.offer.edit }).first().click()
  const amount = page.getByLabel(configEn.config.fields.item.amount)
  await expect.poll(() => amount.inputValue()).toBe(((prices[0]?.amount ?? 0) / 100).toLocaleString('en-GB'))
  await amount.fill('1,234.50')
  await pressSave(page, page.getByRole('button', { name: en.form.save, exact: true }), /^\/api\/config$/)
  await page.getByText(configEn.config.saved).waitFor()
  expect((await offer()).prices[0]?.amount).toBe(123_450)
})
