import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { blocks } from '../../src/blocks/registry.ts'
import type { Configuration } from '../../src/contract/configuration.ts'
import type { ListOf } from '../../src/contract/list.ts'
import { type Locale, locales } from '../../src/contract/locales.ts'
import type { Message } from '../../src/contract/messages.ts'
import type { ListedPage } from '../../src/contract/pages.ts'
import { admin as fa } from '../../src/i18n/fa/admin.ts'
import { adminBlocks as blocksFa } from '../../src/i18n/fa/admin-blocks.ts'
import { adminConfig as configFa } from '../../src/i18n/fa/admin-config.ts'
import { adminPages as pagesFa } from '../../src/i18n/fa/admin-pages.ts'
import { admin as nl } from '../../src/i18n/nl/admin.ts'
import { adminBlocks as blocksNl } from '../../src/i18n/nl/admin-blocks.ts'
import { adminConfig as configNl } from '../../src/i18n/nl/admin-config.ts'
import { adminPages as pagesNl } from '../../src/i18n/nl/admin-pages.ts'
import { aStaffedProgram, boss, enter, type StaffedProgram, settled, show } from '../support/admin.ts'
import { aBrowser } from '../support/browser.ts'
import { byOutline, savedIn } from '../support/drafts.ts'
import { press, tabTo } from '../support/keyboard.ts'
import { aStoredMessage } from '../support/messages.ts'
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
let site: StaffedProgram
beforeAll(async () => {
  site = await aStaffedProgram()
  await site.addUser({ name: 'رویا مرادی', ...roya, roleId: 2, locale: 'fa' })
})

const named = (text: string, name: string) => text.replace('{{name}}', name)

/** Somebody at the keyboard, who knows the way by the words on the screen. */
async function atTheKeyboard(locale: Locale) {
  const t = texts[locale]
  const page = await visitor(site.url)
  await byOutline(page)
  await enter(page, locale === 'fa' ? roya : boss)
  await show(page, '/user')
  const menu = page.getByRole('navigation', { name: t.shell.navigation })
  const go = async (name: string) => {
    await tabTo(page, menu.getByRole('link', { name, exact: true }))
    await press(page, 'Enter')
    await page.getByRole('heading', { level: 1, name }).waitFor()
    await settled(page)
  }
  const follow = async (role: 'link' | 'button', name: string, within: Pick<Page, 'getByRole'> = page) => {
    await tabTo(page, within.getByRole(role, { name, exact: true }).first())
    await press(page, 'Enter')
  }
  return { t, page, go, follow }
}

const firstPrice = async () =>
  (await site.call<Configuration>('GET', '/api/config')).config.offer.prices.find((price) => price.amount > 0)?.amount

describe.each(locales)('by keyboard alone, in %s, the company', (locale) => {
  test('changes a price, and undoes it', async () => {
    const { t, page, go, follow } = await atTheKeyboard(locale)
    const before = await firstPrice()
    await go(t.config.title)
    await tabTo(page, page.getByRole('link', { name: t.config.screens.offer.title }))
    await press(page, 'Enter')
    await page.getByRole('heading', { level: 1, name: t.config.screens.offer.title }).waitFor()
    await settled(page)
    await tabTo(page, page.getByRole('button', { name: new RegExp(`^${t.config.offer.edit}`) }).first())
    await press(page, 'Enter')
    await tabTo(page, page.getByLabel(t.config.fields.item.amount))
    await press(page, 'Control+a')
    await page.keyboard.type(words[locale].amount)
    await follow('button', t.form.save)
    await page.getByText(t.config.saved).waitFor()
    expect(await firstPrice()).toBe(197_500)
    await follow('button', t.form.undo)
    await page.getByText(t.config.undone).waitFor()
    expect(await firstPrice()).toBe(before)
  })

  test('adds a page with a picture, and plans it for tomorrow at nine', async () => {
    const response = await visitor(site.url).then(async (page) => {
      await enter(page)
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
    await settled(page)

    await follow('button', t.blocks.add)
    await follow('button', blocks.image.labels[locale].name, page.getByRole('dialog'))
    const body = page.locator('[data-page-field="body"]')
    await tabTo(page, body.locator('button', { hasText: t.blocks.picture.another }))
    await press(page, 'Enter')
    await follow('button', named(t.files.picker.use, photo[locale]), page.getByRole('dialog'))
    await tabTo(page, body.getByLabel(blocks.image.labels[locale].fields.alt))
    await page.keyboard.type(words[locale].text)

    await follow('button', t.pages.plan.open)
    const dialog = page.getByRole('dialog', { name: t.pages.plan.title })
    expect(await dialog.getByRole('switch', { name: t.pages.plan.publishAtOn }).isChecked()).toBe(true)
    await follow('button', t.pages.plan.tomorrow, dialog)
    await follow('button', t.pages.plan.saveAndPlan, dialog)
    await page.getByText(t.pages.plan.saved).waitFor()
    const { data } = await site.call<ListOf<ListedPage>>(
      'GET',
      `/api/pages?search=${encodeURIComponent(words[locale].title)}`,
    )
    const { publishAt, text } = await savedIn(site, data[0]?.id ?? 0, locale)
    const there = new Intl.DateTimeFormat('nl-NL', { timeStyle: 'short', timeZone: 'Europe/Amsterdam' })
    expect(there.format(new Date(publishAt ?? 0))).toBe('09:00')
    expect(text.body).toMatchObject([
      { type: 'image', alt: words[locale].text, src: expect.stringMatching(/^\/files\//) },
    ])
  })

  test('answers a message', async () => {
    const post = (path: string, init: RequestInit) => fetch(site.url + path, init)
    const id = await aStoredMessage({ request: post }, locale === 'fa' ? 'parisa' : 'sanne', { taal: locale })
    const { t, page, go, follow } = await atTheKeyboard(locale)
    await go(t.messages.title)
    const { naam } = await site.call<Message>('GET', `/api/messages/${id}`)
    await tabTo(page, page.getByRole('link', { name: naam }).first())
    await press(page, 'Enter')
    await page.getByRole('heading', { level: 1, name: naam }).waitFor()
    await settled(page)
    await tabTo(page, page.locator('textarea[name=text]'))
    await press(page, 'Control+Home')
    await page.keyboard.type(words[locale].answer)
    await follow('button', t.messages.reply.send)
    await page.getByText(t.messages.reply.queued).waitFor()
    const { replies } = await site.call<Message>('GET', `/api/messages/${id}`)
    expect(replies.map(({ text }) => text)).toEqual([expect.stringContaining(words[locale].answer)])
  })

  test('takes a page that was thrown away out of the bin', async () => {
    const { id } = await site.call<ListedPage>('POST', '/api/pages', { locale: 'nl', title: `Per ongeluk ${locale}` })
    const { t, page, go, follow } = await atTheKeyboard(locale)
    await go(t.pages.title)
    const name = `Per ongeluk ${locale}`
    await follow('button', named(t.pages.binOne, name))
    await page.getByText(named(t.pages.wasBinned, name)).first().waitFor()
    await follow('link', t.pages.bin)
    await follow('button', named(t.pages.restoreOne, name))
    await page.getByText(named(t.pages.restored, name)).waitFor()
    expect((await savedIn(site, id)).text.title).toBe(name)
  })
})
