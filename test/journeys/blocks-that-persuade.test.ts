import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Locale, localizedPath } from '../../src/contract/locales.ts'
import { horizontalOverflow } from '../support/accessible-layout.ts'
import { aProgramWithAdministrator, type ProgramWithAdministrator, signInByApi } from '../support/admin-program.ts'
import { axeViolations } from '../support/axe.ts'
import { aBrowser, heights, recordRequests, widths } from '../support/browser.ts'
import { heroWith, persuadingBlocks, type SampleFiles } from '../support/persuading-blocks.ts'
import { anSvg, aPdf } from '../support/uploads.ts'

const { visitor } = aBrowser()
/** Visitors who chose text of 200 % in the settings of their browser. */
const { visitor: visitorWithEnlargedText } = aBrowser(['--blink-settings=defaultFontSize=32'])
let site: ProgramWithAdministrator
let files: SampleFiles & { film: string }

beforeAll(async () => {
  site = await aProgramWithAdministrator()
  const page = await visitor(site.url)
  await signInByApi(page)
  files = await uploadedFiles(page)
  const steps = { type: 'rich-text', content: '<ol><li>1</li><li>2</li></ol>' }
  const id = await addPage(page, 'nl', [
    heroWith('nl', { media: 'picture', src: files.landscape }),
    ...persuadingBlocks('nl', files),
    steps,
  ])
  await addPage(
    page,
    'fa',
    [heroWith('fa', { media: 'screenshot', src: files.works[0] }), ...persuadingBlocks('fa', files), steps],
    id,
  )
  const film = { media: 'film', src: files.landscape, film: files.film }
  await addPage(
    page,
    'nl',
    [
      heroWith('nl', film),
      { type: 'pricing', title: 'Prijzen', button: 'Neem contact op' },
      { type: 'contact-form', title: 'Contact' },
    ],
    undefined,
    'film',
  )
})

async function uploadedFiles(page: Page): Promise<SampleFiles & { film: string }> {
  const upload = async (name: string, bytes: Uint8Array): Promise<string> => {
    const headers = { 'Content-Type': 'application/octet-stream' }
    // A process checks each file, which takes long on a busy machine.
    const file = { headers, data: Buffer.from(bytes), timeout: 180_000 }
    const answer = await page.context().request.post(`/api/files?name=${name}`, file)
    return (await answer.json()).url
  }
  const svg = (colour: string) => upload(`${colour}.svg`, anSvg(`<rect width="40" height="20" fill="${colour}"/>`))
  // Each is cleaned by a process of its own.
  const landscape = await svg('teal')
  const two = [await svg('navy'), await svg('maroon')]
  return {
    landscape,
    works: [...two, landscape],
    faces: two,
    logos: two,
    document: await upload('prijslijst.pdf', aPdf()),
    captions: await upload(
      'film.vtt',
      new TextEncoder().encode('WEBVTT\n\n00:00.000 --> 00:02.000\nDe oven gaat aan.\n'),
    ),
    // The header of a webm: enough to be recognised and requested.
    film: await upload(
      'film.webm',
      Buffer.from('1a45dfa39f4286810142f7810142f2810442f381084282847765626d42878104', 'hex'),
    ),
  }
}

/** @param of the page of which this is another language */
async function addPage(page: Page, locale: Locale, body: object[], of?: number, slug = 'overtuigen'): Promise<number> {
  const { request } = page.context()
  const id = of ?? (await (await request.post('/api/pages', { data: { locale, title: slug } })).json()).id
  const inLocale = `/api/pages/${id}/${locale}`
  const found = await request.get(inLocale)
  const { text, version } = await (found.ok() ? found : await request.post(inLocale)).json()
  const data = { text: { ...text, title: slug, slug, body }, version, publish: true }
  const saved = await request.put(inLocale, { data })
  expect([saved.status(), await saved.text()]).toEqual([200, expect.anything()])
  return id
}

/** The visible texts that stand out of the content of the page, or of their field, and are not in a box that scrolls. */
const textsOutsideTheirBox = (page: Page) =>
  page.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const outside: string[] = []
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const { parentElement: element, textContent = '' } = text
      if (
        !textContent?.trim() ||
        !element?.checkVisibility() ||
        element.closest('.visually-hidden, .skip, .honey, .table')
      )
        continue
      const range = document.createRange()
      range.selectNodeContents(text)
      const { left, right, bottom } = range.getBoundingClientRect()
      const content = element.closest('.wrap') ?? document.body
      const box = content.getBoundingClientRect()
      const { paddingLeft, paddingRight } = getComputedStyle(content)
      const endOfField = element.closest('.field')?.getBoundingClientRect().bottom ?? Number.POSITIVE_INFINITY
      if (
        left < box.left + Number.parseFloat(paddingLeft) - 1 ||
        right > box.right - Number.parseFloat(paddingRight) + 1 ||
        bottom > endOfField + 1
      )
        outside.push(textContent.trim())
    }
    return outside
  })

const overlap = async (page: Page, ...selectors: [string, string]) => {
  const [one, other] = await Promise.all(selectors.map((selector) => page.locator(selector).boundingBox()))
  if (!one || !other) return undefined
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  )
}

const isInWindow = (element: Locator) =>
  element.evaluate((one) => {
    const { left, right } = one.getBoundingClientRect()
    return left >= 0 && right <= innerWidth && right > left
  })

describe.each(['nl', 'fa'] as const)('a page with every marketing block in %s', (locale) => {
  const path = localizedPath('/overtuigen', locale, {})

  test('fits on a phone and on a desktop, and needs no JavaScript', async () => {
    const page = await visitor(site.url, { width: 'phone', javaScript: false })
    await page.goto(path)
    await expect.poll(() => page.locator('main > *').count()).toBeGreaterThan(15)
    const heightOfHero = async () => (await page.locator('.hero').boundingBox())?.height ?? 0
    await expect.poll(() => horizontalOverflow(page), { message: 'on a phone' }).toBe(0)
    expect(await heightOfHero()).toBeGreaterThanOrEqual(400)
    expect(await heightOfHero()).toBeLessThanOrEqual(500)

    const countedIn = await page.locator('.prose ol').evaluate((list) => getComputedStyle(list).listStyleType)
    expect(countedIn).toBe(locale === 'fa' ? 'persian' : 'decimal')

    const table = page.locator('.table').first()
    const hiddenWidth = () => table.evaluate((box) => box.scrollWidth - box.clientWidth)
    const fade = () => table.evaluate((box) => getComputedStyle(box).getPropertyValue('--rest'))
    await expect.poll(hiddenWidth, { message: 'three columns' }).toBeGreaterThan(0)
    await expect.poll(fade).not.toBe('0px')
    await table.locator('tr > :last-child').evaluateAll((cells) => cells.map((cell) => cell.remove()))
    await expect.poll(hiddenWidth, { message: 'two columns' }).toBe(0)
    await expect.poll(fade).toBe('0px')

    await page.setViewportSize({ width: widths.desktop, height: heights.desktop })
    await expect.poll(() => horizontalOverflow(page), { message: 'on a desktop' }).toBe(0)
    expect(await heightOfHero()).toBeCloseTo(720, 0)

    await page.setViewportSize({ width: 320, height: heights.phone })
    await page.goto(localizedPath('/login', locale, {}))
    expect(await overlap(page, '.bar .wordmark', '.bar .languages'), 'the name and the languages').toBe(false)
  })

  test('fits on a phone with text of 200 %, like other pages, and what is scrolled to stands below the bar', async () => {
    const page = await visitorWithEnlargedText(site.url, { width: 'phone' })
    for (const otherPath of ['/overtuigen', '/', '/offerte-aanvragen', '/login']) {
      await page.goto(localizedPath(otherPath, locale, {}))
      await expect.poll(() => textsOutsideTheirBox(page), { message: otherPath }).toEqual([])
      await expect.poll(() => horizontalOverflow(page), { message: otherPath }).toBe(0)
      for (const button of ['.burger:not(.close)', '.close']) {
        await expect.poll(() => isInWindow(page.locator(button)), { message: `${otherPath} ${button}` }).toBe(true)
        await page.locator(button).click()
      }
      const hiddenByBar = await page.locator('main :is(section, a, input, summary)').evaluateAll((elements) =>
        elements
          .filter((element) => element.checkVisibility() && !element.closest('.honey'))
          .filter((element) => {
            element.scrollIntoView()
            const bar = document.querySelector('.bar')?.getBoundingClientRect().bottom ?? Number.NaN
            return !(element.getBoundingClientRect().top >= bar - 1)
          })
          .map(({ outerHTML }) => outerHTML.slice(0, 80)),
      )
      expect(hiddenByBar, otherPath).toEqual([])
    }
  })

  // axe is a script itself; those of the page change nothing of what it checks.
  test('is accessible on a phone and on a desktop', async () => {
    const page = await visitor(site.url)
    await page.goto(path)
    for (const width of ['phone', 'desktop'] as const) {
      await page.setViewportSize({ width: widths[width], height: heights[width] })
      // Each pair of a language, a width and a colour scheme is there once.
      await page.emulateMedia({ colorScheme: (locale === 'fa') === (width === 'desktop') ? 'dark' : 'light' })
      expect(await axeViolations(page), width).toEqual([])
    }
  })
})

test('with JavaScript a video plays in its place, the captions of a film can be turned on, an image opens large, and an offer keeps what was typed', async () => {
  const page = await visitor(site.url)
  const requested = recordRequests(page)
  await page.route(/youtube|vimeo/, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>Speler</title>' }),
  )
  await page.goto('/overtuigen')
  expect(requested.filter((url) => !url.startsWith(site.url) && !url.startsWith('data:'))).toEqual([])
  await page.getByRole('link', { name: /Een dag in de bakkerij/ }).click()
  await page.locator('iframe[title="Een dag in de bakkerij"]').waitFor()
  await expect.poll(() => requested.find((url) => url.includes('youtube'))).toContain('youtube-nocookie.com/embed/')

  const captions = await page.locator('video > track').evaluate(async (element) => {
    const { track } = element as HTMLTrackElement
    const loaded = new Promise((resolve) => element.addEventListener('load', resolve))
    track.mode = 'showing'
    await loaded
    return [track.label, [...(track.cues ?? [])].map((cue) => (cue as VTTCue).text)]
  })
  expect(captions).toEqual(['Nederlands', ['De oven gaat aan.']])

  const second = page.locator('.gallery a').nth(1)
  await second.click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  expect(await axeViolations(page, { part: 'dialog', frames: false })).toEqual([])
  const shown = () => dialog.locator('img').getAttribute('src')
  const before = await shown()
  await page.keyboard.press('ArrowRight')
  await expect.poll(shown).not.toBe(before)
  await dialog.getByRole('button', { name: 'Vorige' }).click()
  await expect.poll(shown).toBe(before)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => second.evaluate((link) => link === document.activeElement)).toBe(true)

  await page.goto('/film')
  const message = page.locator('[name=bericht]')
  await message.fill('Hallo')
  await page.getByRole('link', { name: /^Neem contact op.*Eén pagina/ }).click()
  await expect.poll(() => message.inputValue()).toBe('Onderwerp: Eén pagina\n\nHallo')
  await page.getByRole('link', { name: /^Neem contact op.*Bedrijfswebsite/ }).click()
  await expect.poll(() => message.inputValue()).toBe('Onderwerp: Bedrijfswebsite\n\nHallo')
})

test('a film in the hero is loaded with motion, and with reduced motion not before it plays', async () => {
  for (const motion of [true, false]) {
    const page = await visitor(site.url, { motion })
    const requested = recordRequests(page)
    await page.goto('/film')
    const playing = page.locator('.media .moving')
    await expect.poll(() => playing.isVisible()).toBe(motion)
    await expect.poll(() => page.locator('.media .still').isVisible()).toBe(!motion)
    if (motion) await expect.poll(() => requested.includes(site.url + files.film)).toBe(true)
    else expect(requested).not.toContain(site.url + files.film)
  }
})
