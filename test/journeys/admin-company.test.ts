import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { blocks } from '../../src/blocks/registry.ts'
import type { Configuration } from '../../src/contract/configuration.ts'
import type { ListOf } from '../../src/contract/list.ts'
import type { Message } from '../../src/contract/messages.ts'
import type { ListedPage } from '../../src/contract/pages.ts'
import * as blocksFa from '../../src/i18n/fa/admin/blocks.ts'
import * as configFa from '../../src/i18n/fa/admin/config.ts'
import * as pagesFa from '../../src/i18n/fa/admin/pages.ts'
import { admin as fa } from '../../src/i18n/fa/admin.ts'
import * as blocksNl from '../../src/i18n/nl/admin/blocks.ts'
import * as configNl from '../../src/i18n/nl/admin/config.ts'
import * as pagesNl from '../../src/i18n/nl/admin/pages.ts'
import { admin as nl } from '../../src/i18n/nl/admin.ts'
import {
  aProgramWithAdministrator,
  openScreen,
  type ProgramWithAdministrator,
  signInByApi,
  waitUntilLoaded,
} from '../support/admin-program.ts'
import { administrator } from '../support/administrator.ts'
import { aBrowser } from '../support/browser.ts'
import { arrowTo, press, tabTo } from '../support/keyboard.ts'
import { aMailbox } from '../support/mailbox.ts'
import { sendMessage } from '../support/messages.ts'
import { getPageIn, switchToBlockList } from '../support/page-editor.ts'
import { signInAsAdministrator } from '../support/session-cookies.ts'
import type { SiteLocale } from '../support/site-file.ts'
import { aPhoto } from '../support/uploads.ts'

const { visitor } = aBrowser()
const texts = {
  nl: { ...nl, ...pagesNl, ...configNl, ...blocksNl },
  fa: { ...fa, ...pagesFa, ...configFa, ...blocksFa },
}
const words = {
  title: 'کار ما در ماستریخت',
  text: 'این هم نمونه‌اش.',
  answer: 'سلام، امروز با شما تماس می‌گیریم.',
  amount: '1.975',
}
const roya = { email: 'roya@example.nl', password: 'geheim-roya' }
const photo = 'نما.jpg'
let site: ProgramWithAdministrator
beforeAll(async () => {
  const mailbox = await aMailbox()
  site = await aProgramWithAdministrator({ SMTP_URL: mailbox.url })
  await site.addUser({ name: 'رویا مرادی', ...roya, roleId: 2, locale: 'fa' })
})

const named = (text: string, name: string) => text.replace('{{name}}', name)

/** A person with only a keyboard, who finds controls by their text. */
async function atTheKeyboard(locale: SiteLocale) {
  const t = texts[locale]
  // Without the preview, whose links are all before the notification.
  const page = await visitor(site.url, { width: 1200 })
  await switchToBlockList(page)
  await signInByApi(page, locale === 'fa' ? roya : administrator)
  await openScreen(page, '/user')
  const menu = page.getByRole('navigation', { name: t.shell.navigation })
  const go = async (name: string) => {
    await tabTo(page, menu.getByRole('link', { name, exact: true }))
    await press(page, 'Enter')
    await page.getByRole('heading', { level: 1, name }).waitFor()
    await waitUntilLoaded(page)
  }
  const follow = async (role: 'link' | 'button', name: string, within: Pick<Page, 'getByRole'> = page) => {
    await tabTo(page, within.getByRole(role, { name, exact: true }).first())
    await press(page, 'Enter')
  }
  return { t, page, go, follow }
}

const firstPrice = async () =>
  (await site.call<Configuration>('GET', '/api/config')).config.offer.prices.find((price) => price.amount > 0)?.amount

/** Each language is there once: the same controls are tested in both by the journeys of their screens. */
describe('by keyboard alone, the staff', () => {
  test('change a price, and undo it, in Dutch', async () => {
    const { t, page, go, follow } = await atTheKeyboard('nl')
    const before = await firstPrice()
    await go(t.config.title)
    await tabTo(page, page.getByRole('link', { name: t.config.screens.offer.title }))
    await press(page, 'Enter')
    await page.getByRole('heading', { level: 1, name: t.config.screens.offer.title }).waitFor()
    await waitUntilLoaded(page)
    await tabTo(page, page.getByRole('button', { name: new RegExp(`^${t.config.offer.edit}`) }).first())
    await press(page, 'Enter')
    await tabTo(page, page.getByLabel(t.config.fields.item.amount))
    await press(page, 'Control+a')
    await page.keyboard.type(words.amount)
    await follow('button', t.form.save)
    await page.getByText(t.config.saved).waitFor()
    await expect.poll(() => firstPrice()).toBe(197_500)
    await follow('button', t.form.undo)
    await page.getByText(t.config.undone).waitFor()
    await expect.poll(() => firstPrice()).toBe(before)
  })

  test('add a page with an image, and schedule it for tomorrow at nine, in Persian', async () => {
    const locale = 'fa'
    const response = await fetch(`${site.url}/api/files?name=${encodeURIComponent(photo)}`, {
      method: 'POST',
      headers: { cookie: await signInAsAdministrator(site.url) },
      body: await aPhoto(60, 40),
    })
    expect(response.status).toBe(201)
    const { t, page, go, follow } = await atTheKeyboard(locale)
    await go(t.pages.title)
    await follow('link', t.pages.add)
    await page.getByRole('heading', { level: 1, name: t.pages.add }).waitFor()
    await tabTo(page, page.getByLabel(t.pages.fields.title))
    await page.keyboard.type(words.title)
    await press(page, 'Enter')
    await page.getByRole('heading', { level: 1, name: words.title }).waitFor()
    await waitUntilLoaded(page)

    await follow('button', t.blocks.add)
    await follow('button', blocks.image.labels[locale].name, page.getByRole('dialog'))
    const body = page.locator('[data-page-field="body"]')
    await tabTo(page, body.locator('button', { hasText: t.blocks.image.another }))
    await press(page, 'Enter')
    await follow('button', named(t.files.picker.use, photo), page.getByRole('dialog'))
    await tabTo(page, body.getByLabel(blocks.image.labels[locale].fields.alt))
    await page.keyboard.type(words.text)

    await follow('button', t.pages.moreActions)
    await arrowTo(page, page.getByRole('menuitem', { name: t.pages.schedule.open, exact: true }))
    await press(page, 'Enter')
    const dialog = page.getByRole('dialog', { name: t.pages.schedule.title })
    await expect.poll(() => dialog.getByRole('switch', { name: t.pages.schedule.publishAtOn }).isChecked()).toBe(true)
    await follow('button', t.pages.schedule.tomorrow, dialog)
    await follow('button', t.pages.schedule.saveAndSchedule, dialog)
    await page.getByText(t.pages.schedule.saved).waitFor()
    const { data } = await site.call<ListOf<ListedPage>>('GET', `/api/pages?search=${encodeURIComponent(words.title)}`)
    const { publishAt, text } = await getPageIn(site, data[0]?.id ?? 0, locale)
    const there = new Intl.DateTimeFormat('nl-NL', { timeStyle: 'short', timeZone: 'Europe/Amsterdam' })
    expect(there.format(new Date(publishAt ?? 0))).toBe('09:00')
    expect(text.body).toMatchObject([{ type: 'image', alt: words.text, src: expect.stringMatching(/^\/files\//) }])
  })

  test('reply to a message, in Persian', async () => {
    const locale = 'fa'
    const post = (path: string, init: RequestInit) => fetch(site.url + path, init)
    const id = await sendMessage({ request: post }, 'parisa', { taal: locale })
    const { t, page, go, follow } = await atTheKeyboard(locale)
    await go(t.messages.title)
    const { naam } = await site.call<Message>('GET', `/api/messages/${id}`)
    await tabTo(page, page.getByRole('link', { name: naam }).first())
    await press(page, 'Enter')
    await page.getByRole('heading', { level: 1, name: naam }).waitFor()
    await waitUntilLoaded(page)
    await tabTo(page, page.locator('textarea[name=text]'))
    await press(page, 'Control+Home')
    await page.keyboard.type(words.answer)
    await follow('button', t.messages.reply.send)
    await page.getByText(t.messages.reply.queued).waitFor()
    const { replies } = await site.call<Message>('GET', `/api/messages/${id}`)
    expect(replies.map(({ text }) => text)).toEqual([expect.stringContaining(words.answer)])
  })

  test('restore a page from the trash, in Dutch', async () => {
    const name = 'Per ongeluk'
    const { id } = await site.call<ListedPage>('POST', '/api/pages', { locale: 'nl', title: name })
    const { t, page, go, follow } = await atTheKeyboard('nl')
    await go(t.pages.title)
    await follow('button', named(t.pages.trashOne, name))
    await follow('button', t.pages.moveToTrash, page.getByRole('alertdialog'))
    await page.getByText(named(t.pages.trashed, name)).first().waitFor()
    // The link to the trash is above the list, so the way back is shorter.
    await tabTo(page, page.getByRole('link', { name: t.pages.trash, exact: true }).first(), 'Shift+Tab')
    await press(page, 'Enter')
    await follow('button', named(t.pages.restoreOne, name))
    await page.getByText(named(t.pages.restored, name)).waitFor()
    await expect.poll(async () => (await getPageIn(site, id)).text.title).toBe(name)
  })
})
