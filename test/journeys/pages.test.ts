import { beforeAll, describe, expect, test } from 'vitest'
import { localizedPath } from '../../src/contract/locales.ts'
import { aBrowser } from '../support/browser.ts'
import { parseHtml } from '../support/parse-html.ts'
import { aProgram, type Program } from '../support/program.ts'
import { defaultSiteFile } from '../support/site-file.ts'

const { visitor } = aBrowser()
let site: Program
beforeAll(async () => {
  site = await aProgram()
})

const config = defaultSiteFile()
const year = {
  nl: new Date().getFullYear().toString(),
  fa: new Intl.DateTimeFormat('fa-IR', { year: 'numeric' }).format(),
}

describe.each(['nl', 'fa'] as const)('in %s', (locale) => {
  const at = (path: string) => localizedPath(path, locale, {})
  /** The home page. */
  let document: Document
  beforeAll(async () => {
    document = parseHtml(await (await fetch(site.url + at('/'))).text())
  })

  test.each(['/privacy-verklaring', '/disclaimer'])('spec 2 routes: %s is a text page', async (path) => {
    const response = await fetch(site.url + at(path))
    expect(response.status).toBe(200)
    const main = parseHtml(await response.text()).querySelector('main')
    expect(main?.querySelectorAll('h1')).toHaveLength(1)
    expect(main?.textContent?.length).toBeGreaterThan(500)
  })

  test('spec 1: the home page has the services, the prices, the subscriptions and the contact form', () => {
    const home = config.pages.find((one: { slug: string }) => one.slug === '').content[locale].body
    const services = home.find((block: { type: string }) => block.type === 'services').items
    const shown = (anchor: string) => document.getElementById(anchor)?.textContent
    expect(services).toHaveLength(3)
    for (const { title } of services) expect(shown('diensten')).toContain(title)
    for (const [anchor, offers] of [
      ['prijzen', config.offer.prices],
      ['abonnementen', config.offer.subscriptions],
    ]) {
      expect(offers.length).toBeGreaterThan(1)
      for (const { name, amount } of offers) {
        expect(shown(anchor)).toContain(name[locale])
        const digits = new Intl.NumberFormat(locale === 'fa' ? 'fa-IR' : 'nl-NL').format(Math.floor(amount / 100))
        expect(shown(anchor)).toContain(digits)
      }
    }
    expect(document.querySelectorAll('#contact form')).toHaveLength(1)
  })

  test('the home page shows work, figures, the editor, the steps with their dates, customers and the team', async () => {
    /** How many there are, and how many of them have something. */
    const count = (selector: string, having = '*') => {
      const found = [...document.querySelectorAll(`main ${selector}`)]
      return [found.length, found.filter((one) => one.querySelector(having)).length]
    }
    expect(count('.works > li', 'img')).toEqual([4, 4])
    expect(count('.figures dd', 'strong')).toEqual([3, 3])
    expect(count('.text-image', 'img[src^="/pictures/editor"]:not([alt=""])')).toEqual([1, 1])
    expect(count('.stages > li', '.when')).toEqual([4, 4])
    expect(count('.voices > li', 'img')).toEqual([3, 3])
    expect(count('.people > li', 'img')).toEqual([4, 4])
    const offers = config.offer.prices.length + config.offer.subscriptions.length
    expect(count('li.offer', 'a.button[data-subject]')).toEqual([offers, offers])
    // The work and the customers are samples, and say so.
    for (const part of ['.cases', '.testimonials']) {
      expect(document.querySelector(`main ${part}`)?.textContent).toMatch(locale === 'fa' ? /نمونه/ : /voorbeeld/i)
    }
    const images = [...document.querySelectorAll('main img')].map((image) => image.getAttribute('src'))
    for (const url of new Set(images)) expect([url, (await fetch(site.url + url)).status]).toEqual([url, 200])
  })

  test('spec 2 layout: the header has its top, desktop and mobile areas, the footer left, right and bottom', () => {
    for (const area of [
      '.strip .wrap',
      'header .desktop',
      'header .mobile',
      'footer .left',
      'footer .right',
      'footer .bottom',
    ]) {
      expect(document.querySelectorAll(area), area).toHaveLength(1)
    }
  })

  test('spec 4: the menu for signed-in users is hidden from an anonymous visitor', () => {
    const menus = config.branding.navbar.top[locale].filter(
      (block: { showIf?: string }) => block.showIf === 'logged-in',
    )
    expect(menus).toHaveLength(1)
    expect(document.querySelectorAll('header a[href$="/user"], .strip a[href$="/user"]')).toHaveLength(0)
    expect(document.body.textContent).not.toContain('[user]')
  })

  test('spec 2 and 9 hero: 400-500 px high with the mobile menu, 80vh and at least 600 px on a desktop; one slide with title, subtitle and a button to the contact form', async () => {
    const page = await visitor(site.url)
    await page.goto(at('/'))
    const heroHeight = async (width: number, height: number) => {
      await page.setViewportSize({ width, height })
      return (await page.locator('.hero').boundingBox())?.height ?? 0
    }
    for (const width of [320, 360, 414, 540, 768, 991]) {
      const found = await heroHeight(width, 844)
      expect(found, `at ${width}`).toBeGreaterThanOrEqual(400)
      expect(found, `at ${width}`).toBeLessThanOrEqual(500)
    }
    for (const [width, height] of [
      [992, 600],
      [1280, 720],
      [1366, 768],
      [1920, 1200],
      [3840, 2160],
    ] as const) {
      expect(await heroHeight(width, height), `at ${width}x${height}`).toBeCloseTo(Math.max(600, height * 0.8), 0)
    }

    const hero = page.locator('.hero')
    await expect.poll(() => page.locator('h1').count()).toBe(1)
    if (locale === 'nl') await expect.poll(() => hero.locator('h1').innerText()).toBe('Makkelijk & Snel Online')
    await expect.poll(async () => (await hero.locator('.lead').innerText()).length).toBeGreaterThan(40)
    await hero.getByRole('link').click()
    await expect.poll(() => new URL(page.url()).hash).toBe('#contact')
    await expect.poll(() => page.locator('#contact form').isVisible()).toBe(true)
  })

  test('spec 2 footer: logo, three icon blocks, the contact link, and the bottom line', () => {
    const footer = document.querySelector('footer')
    const link = (path: string) => footer?.querySelectorAll(`a[href="${at(path)}"]`)
    expect([...(link('/') ?? [])].some((one) => one.querySelector('img, svg'))).toBe(true)
    expect(footer?.querySelectorAll('.icon-block')).toHaveLength(3)
    expect(footer?.textContent).toContain(`© ${year[locale].replace(/\D*$/, '')}`)

    const named = (name: RegExp) =>
      [...(footer?.querySelectorAll('a') ?? [])].find((one) => name.test(one.textContent?.trim() ?? ''))
    const made = named(locale === 'nl' ? /^Gemaakt door/ : /^طراحی و ساخت/)
    expect(made?.getAttribute('target')).toBe('_blank')
    expect(made?.getAttribute('rel')).toContain('noopener')
    for (const path of ['/privacy-verklaring', '/disclaimer']) expect(link(path), path).toHaveLength(1)
    if (locale === 'nl') {
      const titles = [...(footer?.querySelectorAll('.icon-title') ?? [])].map((one) => one.textContent?.trim())
      expect(titles).toEqual(['Moderne Websites', 'Professionele Hosting', 'Webapplicaties'])
      const more = named(/^Wilt u graag meer informatie\? Neem dan contact op met ons\.$/)
      expect(more?.getAttribute('href')).toBe('/#contact')
    }
  })

  test('spec 2 menu behaviour: social icons open in a new tab', () => {
    const icons = document.querySelectorAll('footer .social a')
    expect(icons).toHaveLength(config.business.sameAs.length)
    for (const icon of icons) {
      expect(icon.getAttribute('target')).toBe('_blank')
      expect(icon.getAttribute('aria-label')).toMatch(/\S/)
    }
  })

  test('spec 1 and 9: the structured data has hours, price range, area, profiles and location', () => {
    const data = JSON.parse(document.querySelector('script[type="application/ld+json"]')?.textContent ?? '')
    const things: Record<string, unknown>[] = data['@graph'] ?? [data].flat()
    expect(things.find((thing) => thing['@type'] === 'ProfessionalService')).toMatchObject({
      name: config.brand,
      openingHoursSpecification: [
        {
          dayOfWeek: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'].map((day) =>
            expect.stringContaining(day),
          ),
          opens: '09:00',
          closes: '18:00',
        },
      ],
      priceRange: config.business.priceRange,
      areaServed: expect.anything(),
      sameAs: config.business.sameAs,
      geo: config.business.geo,
    })
    const keywords = document.querySelector('meta[name="keywords"]')
    expect(keywords?.getAttribute('content')).toBe(config.seo.keywords[locale].join(', '))
  })
})

test('a page is printed in black on white, without header, footer and form, with all answers and the addresses of links', async () => {
  const page = await visitor(site.url, { javaScript: false, dark: true })
  await page.goto('/fa')
  await page.emulateMedia({ media: 'print' })
  for (const part of ['.bar', 'footer', 'form'])
    await expect.poll(() => page.locator(part).isVisible(), { message: part }).toBe(false)
  const answers = await page.locator('.questions .answer').all()
  for (const answer of answers) expect((await answer.boundingBox())?.height).toBeGreaterThan(10)
  expect(answers.length).toBeGreaterThan(2)
  const coloursOf = (one: Element) => [getComputedStyle(one).color, getComputedStyle(one).backgroundColor]
  expect(await page.locator('h1').evaluate(coloursOf)).toEqual(['rgb(0, 0, 0)', 'rgba(0, 0, 0, 0)'])

  await page.goto('/fa/privacy-verklaring')
  await page.emulateMedia({ media: 'print' })
  const written = (one: Element) => getComputedStyle(one, '::after').content
  const links = page.locator('main a')
  const spelledOut = await links.evaluateAll((all) => all.map((one) => one.getAttribute('href')))
  expect(spelledOut).toContain('https://autoriteitpersoonsgegevens.nl')
  await expect
    .poll(() => page.locator('main a[href^="https"]').first().evaluate(written))
    .toMatch(/attr\(href\)|autoriteitpersoonsgegevens/)
  await expect.poll(() => page.locator('main a[href^="mailto"]').first().evaluate(written)).toBe('none')
})

test('spec 9 colours: buttons are accent with light, text is dark on light', async () => {
  const page = await visitor(site.url)
  await page.goto('/')
  const rgb = (hex: string) => `rgb(${[1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join(', ')})`
  const { accent, light, dark } = config.palette
  const look = (selector: string) =>
    page.locator(selector).evaluate((one) => {
      const { color, backgroundColor } = getComputedStyle(one)
      return { color, backgroundColor }
    })
  expect(await look('#contact button')).toEqual({ color: rgb(light), backgroundColor: rgb(accent) })
  expect((await look('body')).color).toBe(rgb(dark))
  expect((await look('html')).backgroundColor).toBe(rgb(light))
})
