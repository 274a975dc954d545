import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { blocks } from '../../src/blocks/registry.ts'
import { localizedPath } from '../../src/contract/locales.ts'
import { blocks as faBlocks } from '../../src/i18n/fa/admin/blocks.ts'
import { files as faFiles } from '../../src/i18n/fa/admin/files.ts'
import { pages as faPages } from '../../src/i18n/fa/admin/pages.ts'
import { form as faForm } from '../../src/i18n/fa/admin.ts'
import { blocks as nlBlocks } from '../../src/i18n/nl/admin/blocks.ts'
import { files as nlFiles } from '../../src/i18n/nl/admin/files.ts'
import { pages as nlPages } from '../../src/i18n/nl/admin/pages.ts'
import { form as nlForm } from '../../src/i18n/nl/admin.ts'
import {
  addPersianAdministrator,
  aProgramWithAdministrator,
  openScreen,
  type ProgramWithAdministrator,
  roya,
  signInByApi,
} from '../support/admin-program.ts'
import { administrator } from '../support/administrator.ts'
import { aBrowser } from '../support/browser.ts'
import { canvasOf } from '../support/canvas.ts'
import { arrowTo, isFocused, tabTo } from '../support/keyboard.ts'
import { type LocalFile, localFile } from '../support/local-files.ts'
import { aPhoto } from '../support/uploads.ts'

const { visitor } = aBrowser()
let site: ProgramWithAdministrator
let photos: { hero: LocalFile; workshop: LocalFile; team: LocalFile[]; work: LocalFile[] }
beforeAll(async () => {
  site = await aProgramWithAdministrator()
  await addPersianAdministrator(site)
  const photo = async (name: string, width = 160, height = 120) => localFile(name, await aPhoto(width, height))
  photos = {
    hero: await photo('pand.jpg', 320, 240),
    workshop: await photo('werkplaats.jpg'),
    team: [await photo('sanne.jpg'), await photo('roya.jpg')],
    // The first takes longest, and is still the first.
    work: [await photo('brug.jpg', 480, 360), await photo('kade.jpg'), await photo('plein.jpg')],
  }
})

/** Short texts, because each key press renders the editor again. */
const languages = {
  nl: {
    who: administrator,
    text: { blocks: nlBlocks, pages: nlPages, form: nlForm, files: nlFiles },
    title: 'Over ons',
    subtitle: 'Samen.',
    story: 'Sinds 2012.',
    names: ['Sanne', 'Roya'],
    roles: ['Vorm', 'Code'],
    quote: 'Eerlijk.',
    customer: 'Jansen',
  },
  fa: {
    who: roya,
    text: { blocks: faBlocks, pages: faPages, form: faForm, files: faFiles },
    title: 'دربارهٔ ما',
    subtitle: 'با هم.',
    story: 'از سال ۱۳۹۱.',
    names: ['سانه', 'رویا'],
    roles: ['طراحی', 'فنی'],
    quote: 'صادق.',
    customer: 'یانسن',
  },
} as const

/** The ways to work: what is done is the same. */
interface Hands {
  /** @param key for the keyboard: the way from the focus that is shorter */
  press(target: Locator, key?: 'Tab' | 'Shift+Tab'): Promise<void>
  /** Adds a block below the chosen one, from the list beside the page. */
  add(name: string): Promise<void>
  /** Puts a photo at its place on the page, or in the form of the chosen block. */
  place(place: Locator, label: string, photo: LocalFile): Promise<void>
  /** Types over sample texts on the page, in their order. */
  type(texts: readonly (readonly [sample: Locator, text: string])[]): Promise<void>
  chooseFromMenu(button: Locator, item: Locator): Promise<void>
}

type Texts = (typeof languages)['nl' | 'fa']['text']
type Parts = { page: Page; text: Texts }

const fieldsOf = (page: Page) => page.locator('[data-panel="fields"]')

async function upload(page: Page, open: () => Promise<void>, files: LocalFile | LocalFile[]) {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), open()])
  await chooser.setFiles(files)
}

function mouse({ page, text }: Parts): Hands {
  const outline = page.locator('[data-panel="outline"]')
  const tile = (name: string) => outline.locator('strong:visible').getByText(name, { exact: true })
  let added = 0
  return {
    press: (target) => target.click(),
    async add(name) {
      await outline.getByLabel(text.blocks.search).fill(name)
      if (added++ > 0) return tile(name).click()
      // The first is dragged to its place.
      await tile(name).hover()
      const [from, to] = [await tile(name).boundingBox(), await page.locator('[data-page-field] iframe').boundingBox()]
      if (!from || !to) throw new Error('the block or the page is not to be seen')
      await page.mouse.move(from.x + 30, from.y - 30)
      await page.mouse.down()
      await page.mouse.move(from.x + 60, from.y, { steps: 4 })
      await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 8 })
      await page.mouse.up()
    },
    async place(place, _label, photo) {
      await place.click({ force: true })
      const menu = page.getByRole('group', { name: text.blocks.visual.image.label })
      await menu.getByRole('button', { name: text.blocks.image.choose, exact: true }).click()
      const choose = page.getByRole('dialog').locator('button', { hasText: text.files.choose })
      await upload(page, () => choose.click(), photo)
    },
    async type(texts) {
      for (const [sample, typed] of texts) {
        await sample.click()
        await waitUntilSelected(page)
        await page.keyboard.type(typed)
      }
    },
    async chooseFromMenu(button, item) {
      await button.click()
      await item.click()
    },
  }
}

function keyboard({ page, text }: Parts): Hands {
  let added = 0
  const press: Hands['press'] = async (target, key) => {
    await tabTo(page, target, key)
    await page.keyboard.press('Enter')
  }
  return {
    press,
    async add(name) {
      // The list is before the page, where the last text of a block was typed.
      const search = page.locator('[data-panel="outline"]').getByLabel(text.blocks.search)
      await tabTo(page, search, added++ > 0 ? 'Shift+Tab' : 'Tab')
      await page.keyboard.press('Control+a')
      await page.keyboard.type(name)
      await page.keyboard.press('Enter')
    },
    async place(_place, label, photo) {
      const name = `${text.blocks.image.choose}: ${label}`
      await press(fieldsOf(page).getByRole('button', { name }))
      const choose = page.getByRole('dialog').locator('button', { hasText: text.files.choose })
      await upload(page, () => press(choose), photo)
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    },
    async type(texts) {
      // The page is before the form in which the focus is.
      for (const [sample, typed] of texts.toReversed()) {
        await tabTo(page, sample, 'Shift+Tab')
        if ((await sample.getAttribute('role')) === 'group') await page.keyboard.press('Enter')
        await waitUntilSelected(page)
        await page.keyboard.type(typed)
      }
    },
    async chooseFromMenu(button, item) {
      await press(button)
      await expect.poll(() => isFocused(page.getByRole('menuitem').first())).toBe(true)
      await arrowTo(page, item)
      await page.keyboard.press('Enter')
    },
  }
}

/** A sample text is selected when it gets the caret, so that typing replaces it. */
const waitUntilSelected = (page: Page) =>
  expect.poll(() => page.locator('[data-page-field] iframe').evaluate(selectionIn)).not.toBe('')
const selectionIn = (frame: Element) => String((frame as HTMLIFrameElement).contentDocument?.getSelection() ?? '')

/** Each language and each way is there once; the other pairs stand in the journeys of the editor and the company. */
describe.each([
  ['fa', 'mouse', mouse],
  ['nl', 'keyboard', keyboard],
] as const)('in %s by %s', (locale, _way, handsOf) => {
  test('a newcomer makes a page with own photos by typing on it, puts it into the menu and publishes it', async () => {
    const { who, text, title, names, roles, story, subtitle, quote, customer } = languages[locale]
    const page = await visitor(site.url)
    await signInByApi(page, who)
    const canvas = canvasOf(page)
    const hands = handsOf({ page, text })
    const nameOf = (type: 'hero' | 'text-image' | 'team' | 'testimonials' | 'gallery') =>
      blocks[type].labels[locale].name
    const sample = (type: 'hero' | 'text-image' | 'team' | 'testimonials') =>
      blocks[type].defaults[locale] as {
        title: string
        subtitle: string
        text: string
        items: Record<string, string>[]
      }
    const onPage = (words: string | undefined) => canvas.locator('main').getByText(words ?? '', { exact: true })

    await openScreen(page, '/admin/pages')
    await hands.press(page.getByRole('link', { name: text.pages.add }))
    await page.getByRole('button', { name: text.pages.create }).waitFor()
    await expect.poll(() => isFocused(page.getByLabel(text.pages.fields.title))).toBe(true)
    await page.keyboard.type(title)
    await hands.press(page.getByRole('button', { name: text.pages.create }))
    await canvas.getByRole('heading', { name: title }).waitFor()

    await hands.add(nameOf('hero'))
    await canvas.locator('.hero > .view').waitFor()
    await hands.place(canvas.locator('.hero > .view'), blocks.hero.labels[locale].fields.src, photos.hero)
    await canvas.locator('.hero .media img').first().waitFor()
    await hands.type([
      [onPage(sample('hero').title), title],
      [canvas.locator('.hero .lead'), subtitle],
    ])

    await hands.add(nameOf('text-image'))
    await canvas.locator('.text-image .missing').waitFor()
    await hands.place(
      canvas.locator('.text-image .missing'),
      blocks['text-image'].labels[locale].fields.src,
      photos.workshop,
    )
    await canvas.locator('.text-image .beside img').first().waitFor()
    await hands.type([[canvas.locator('.text-image .text'), story]])

    await hands.add(nameOf('team'))
    await canvas.locator('.team .missing').waitFor()
    const sendTo = (files: LocalFile[]) =>
      upload(page, () => hands.press(fieldsOf(page).locator('button', { hasText: text.blocks.image.upload })), files)
    await sendTo(photos.team)
    await expect.poll(() => canvas.locator('.team .portrait:has(img)').count()).toBe(2)
    const person = (index: number) => canvas.locator('.team .people li').nth(index)
    await hands.type(
      names.flatMap((name, index) => [
        [person(index).locator('h3'), name] as const,
        [person(index).locator('.note'), roles[index] ?? ''] as const,
      ]),
    )

    await hands.add(nameOf('testimonials'))
    await hands.type([
      [onPage(sample('testimonials').items[0]?.quote), quote],
      [onPage(sample('testimonials').items[0]?.name), customer],
    ])

    await hands.add(nameOf('gallery'))
    await canvas.locator('.gallery .missing').waitFor()
    await sendTo(photos.work)
    await expect.poll(() => canvas.locator('.gallery a').count()).toBe(3)

    const inMenu = page.getByRole('menuitem', { name: text.pages.menu.add })
    await hands.chooseFromMenu(page.getByRole('button', { name: text.pages.moreActions }), inMenu)
    const confirm = page.getByRole('dialog').getByRole('button', { name: text.pages.menu.add })
    await confirm.waitFor()
    await hands.press(confirm)
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const publish = page.getByRole('button', { name: text.pages.saveAndPublish })
    // It is before the menu button, which has the focus again.
    await hands.press(publish, 'Shift+Tab')
    await page.getByText(text.pages.saved).first().waitFor()
    // The notification with this link goes away by itself.
    const address = (await page.getByRole('link', { name: text.pages.view }).getAttribute('href')) ?? ''
    // The focus stays where the work goes on.
    await expect.poll(() => publish.evaluate((one) => one === document.activeElement)).toBe(true)
    expect(address.startsWith('/fa/')).toBe(locale === 'fa')

    const reader = await visitor(site.url, { javaScript: false })
    await reader.goto(address)
    await reader.getByRole('heading', { level: 1, name: title }).waitFor()
    const hero = reader.locator('.hero .media img').last()
    await expect.poll(() => hero.getAttribute('src')).toContain('pand')
    await expect.poll(() => hero.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBeGreaterThan(0)
    const [written, picture] = [reader.locator('.text-image .text'), reader.locator('.text-image .beside')]
    await expect.poll(() => written.textContent()).toBe(story)
    const [words, beside, image] = [
      await written.boundingBox(),
      await picture.boundingBox(),
      await picture.locator('img').last().boundingBox(),
    ]
    expect((words?.x ?? 0) < (beside?.x ?? 0), 'the picture is beside the text').toBe(locale === 'nl')
    expect(image, 'it fills its place').toEqual(beside)
    await expect.poll(() => reader.locator('.team h3').allTextContents()).toEqual(names)
    await expect.poll(() => reader.locator('.team .note').allTextContents()).toEqual(roles)
    const portraits = reader.locator('.team .portrait img:not(.blurred)')
    await expect
      .poll(() => portraits.evaluateAll((all) => all.map((one) => one.getAttribute('src'))))
      .toEqual([expect.stringContaining('sanne'), expect.stringContaining('roya')])
    await reader.getByText(quote).waitFor()
    await reader.getByText(customer).waitFor()
    const enlargements = reader.locator('.gallery a')
    await expect
      .poll(() => enlargements.evaluateAll((all) => all.map((one) => one.getAttribute('href'))))
      .toEqual(photos.work.map(({ name }) => expect.stringMatching(new RegExp(`${name}$`))))
    await reader.goto(localizedPath('/', locale, {}))
    await reader.getByRole('navigation').getByRole('link', { name: title, exact: true }).first().click()
    await reader.getByRole('heading', { level: 1, name: title }).waitFor()
  })
})
