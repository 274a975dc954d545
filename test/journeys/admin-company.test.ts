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
  administrator,
  aProgramWithAdministrator,
  openScreen,
  type ProgramWithAdministrator,
  signInByApi,
  waitUntilLoaded,
} from '../support/admin-program.ts'
import { aBrowser } from '../support/browser.ts'
import { getPageIn, switchToBlockList } from '../support/drafts.ts'
import { arrowTo, press, tabTo } from '../support/keyboard.ts'
import { aMailbox } from '../support/mailbox.ts'
import { sendMessage } from '../support/messages.ts'
import { type SiteLocale, siteLocales } from '../support/site-file.ts'
import { aPhoto } from '../support/uploads.ts'

const { visitor } = aBrowser()
const texts = {
  nl: { ...nl, ...pagesNl, ...configNl, ...blocksNl },
  fa: { ...fa, ...pagesFa, ...configFa, ...blocksFa },
}
const words = {
  nl: {
    title: 'Ons werk in Maastricht',
    text: 'Zo ziet dat eruit.',
    answer: 'Goedemiddag, wij bellen u vandaag.',
    amount: '1.975',
  },
  fa: {
    title: 'کار ما در ماستریخت',
    text: 'این هم نمونه‌اش.',
    answer: 'سلام، امروز با شما تماس می‌گیریم.',
    amount: '۱۹۷۵',
  },
}
const roya = { email: 'roya@example.nl', password: 'geheim-roya' }
const photo = { nl: 'gevel.jpg', fa: 'نما.jpg' }
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
  const page = await visitor(site.url)
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

describe.each(siteLocales)('by keyboard alone, in %s, the staff', (locale) => {
  test('change a price, and undo it', async () => {
    const { t, page, go, follow } = await atTheKeyboard(locale)
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
    await page.keyboard.type(words[locale].amount)
    await follow('button', t.form.save)
    await page.getByText(t.config.saved).waitFor()
    await expect.poll(() => firstPrice()).toBe(197_500)
    await follow('button', t.form.undo)
    await page.getByText(t.config.undone).waitFor()
    await expect.poll(() => firstPrice()).toBe(before)
  })

  test('add a page with an image, and schedule it for tomorrow at nine', async () => {
    const response = await visitor(site.url).then(async (page) => {
      await signInByApi(page)
      return page.context().request.post(`/api/files?name=${encodeURIComponent(photo[locale])}`, {
        data: Buffer.from(await aPhoto(locale === 'nl' ? 640 : 600, 400)),
      })
    })
    expect(response.status()).toBe(201)
    const { t, page, go, follow } = await atTheKeyboard(locale)
    await go(t.pages.title)
    await follow('link', t.pages.add)
    await page.getByRole('heading', { level: 1, name: t.pages.add }).waitFor()
    await tabTo(page, page.getByLabel(t.pages.fields.title))
    await page.keyboard.type(words[locale].title)
    await press(page, 'Enter')
    await page.getByRole('heading', { level: 1, name: words[locale].title }).waitFor()
    await waitUntilLoaded(page)

    await follow('button', t.blocks.add)
    await follow('button', blocks.image.labels[locale].name, page.getByRole('dialog'))
    const body = page.locator('[data-page-field="body"]')
    await tabTo(page, body.locator('button', { hasText: t.blocks.image.another }))
    await press(page, 'Enter')
    await follow('button', named(t.files.picker.use, photo[locale]), page.getByRole('dialog'))
    await tabTo(page, body.getByLabel(blocks.image.labels[locale].fields.alt))
    await page.keyboard.type(words[locale].text)

    await follow('button', t.pages.moreActions)
    await arrowTo(page, page.getByRole('menuitem', { name: t.pages.schedule.open, exact: true }))
    await press(page, 'Enter')
    const dialog = page.getByRole('dialog', { name: t.pages.schedule.title })
    await expect.poll(() => dialog.getByRole('switch', { name: t.pages.schedule.publishAtOn }).isChecked()).toBe(true)
    await follow('button', t.pages.schedule.tomorrow, dialog)
    await follow('button', t.pages.schedule.saveAndSchedule, dialog)
    await page.getByText(t.pages.schedule.saved).waitFor()
    const { data } = await site.call<ListOf<ListedPage>>(
      'GET',
      `/api/pages?search=${encodeURIComponent(words[locale].title)}`,
    )
    const { publishAt, text } = await getPageIn(site, data[0]?.id ?? 0, locale)
    const there = new Intl.DateTimeFormat('nl-NL', { timeStyle: 'short', timeZone: 'Europe/Amsterdam' })
    expect(there.format(new Date(publishAt ?? 0))).toBe('09:00')
    expect(text.body).toMatchObject([
      { type: 'image', alt: words[locale].text, src: expect.stringMatching(/^\/files\//) },
    ])
  })

  test('reply to a message', async () => {
    const post = (path: string, init: RequestInit) => fetch(site.url + path, init)
    const id = await sendMessage({ request: post }, locale === 'fa' ? 'parisa' : 'sanne', { taal: locale })
    const { t, page, go, follow } = await atTheKeyboard(locale)
    await go(t.messages.title)
    const { naam } = await site.call<Message>('GET', `/api/messages/${id}`)
    await tabTo(page, page.getByRole('link', { name: naam }).first())
    await press(page, 'Enter')
    await page.getByRole('heading', { level: 1, name: naam }).waitFor()
    await waitUntilLoaded(page)
    await tabTo(page, page.locator('textarea[name=text]'))
    await press(page, 'Control+Home')
    await page.keyboard.type(words[locale].answer)
    await follow('button', t.messages.reply.send)
    await page.getByText(t.messages.reply.queued).waitFor()
    const { replies } = await site.call<Message>('GET', `/api/messages/${id}`)
    expect(replies.map(({ text }) => text)).toEqual([expect.stringContaining(words[locale].answer)])
  })

  test('restore a page from the trash', async () => {
    const { id } = await site.call<ListedPage>('POST', '/api/pages', { locale: 'nl', title: `Per ongeluk ${locale}` })
    const { t, page, go, follow } = await atTheKeyboard(locale)
    await go(t.pages.title)
    const name = `Per ongeluk ${locale}`
    await follow('button', named(t.pages.trashOne, name))
    await follow('button', t.pages.moveToTrash, page.getByRole('alertdialog'))
    await page.getByText(named(t.pages.trashed, name)).first().waitFor()
    await follow('link', t.pages.trash)
    await follow('button', named(t.pages.restoreOne, name))
    await page.getByText(named(t.pages.restored, name)).waitFor()
    await expect.poll(async () => (await getPageIn(site, id)).text.title).toBe(name)
  })
})
