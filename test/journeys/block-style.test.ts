import { beforeAll, expect, test } from 'vitest'
import { type BlockType, blocks } from '../../src/blocks/registry.ts'
import { localizedPath } from '../../src/contract/locales.ts'
import { type Surface, surfaces } from '../../src/contract/surfaces.ts'
import { horizontalOverflow } from '../support/accessible-layout.ts'
import { axeViolations } from '../support/axe.ts'
import { aBrowser, widths } from '../support/browser.ts'
import { aTempFolder } from '../support/databases.ts'
import { aProgram, type Program } from '../support/program.ts'
import { type SiteLocale, siteLocales, writeSiteFile } from '../support/site-file.ts'

const { visitor } = aBrowser()
let site: Program
beforeAll(async () => {
  const file = writeSiteFile(aTempFolder(), (config) => {
    const home = config.pages.find((page: { slug: string }) => page.slug === '').content
    for (const locale of siteLocales) {
      home[locale].body = [home[locale].body[0], ...surfaces.flatMap((surface) => blocksOn(surface, locale))]
    }
    const text = { type: 'content', selector: 'div', content: listsAndTable }
    const links = { type: 'footer-links', copyright: '', items: [{ title: 'Start', url: '/' }] }
    const columns = { type: 'columns', columns: [{ blocks: [text] }, { blocks: [links] }] }
    const contentOf = (slug: string) => config.pages.find((page: { slug: string }) => page.slug === slug).content
    const faq = { type: 'faq', title: 'Vragen', items: [{ question: 'Wat?', answer: listsAndTable }] }
    contentOf('disclaimer').nl.body = [text, columns, faq, { type: 'rich-text', content: listsAndTable }]
    contentOf('privacy-verklaring').nl.body = [home.nl.body[0], faq]
  })
  site = await aProgram({ SITE_CONFIG: file })
})

const listsAndTable =
  '<ul><li>Kersen</li></ul><ol><li>Bel ons</li></ol><table><tbody><tr><td>Klein</td><td>€ 12</td></tr></tbody></table>'

/** Every block of a page on one background; those whose ids or names must be unique, on a single one. */
const blocksOn = (background: Surface, locale: SiteLocale) =>
  types
    .filter((type) => !['contact-form', 'comparison'].includes(type) || background === 'accent')
    .map((type) => ({
      type,
      ...blocks[type].defaults[locale],
      anchor: undefined,
      style: { background, ...(background === 'picture' && { picture: '/logo.svg' }), ...others[background] },
    }))

/** A section is no part of a configuration. */
const types = (Object.keys(blocks) as BlockType[]).filter(
  (type) => !['site', 'saved'].includes(blocks[type].group) && type !== 'hero',
)

/** Each of the other choices is there once. */
const others = {
  plain: { space: 'none', width: 'narrow', align: 'center', edge: 'straight' },
  tinted: { space: 'small', width: 'normal', align: 'start', edge: 'wave' },
  dark: { space: 'normal', width: 'wide', align: 'center', edge: 'slant' },
  accent: { space: 'large', width: 'full', align: 'start', edge: 'none' },
  picture: { align: 'center' },
} as const satisfies Record<Surface, object>

// Each language, width and colour scheme is there once.
test.each([
  ['nl', 'desktop', 'light'],
  ['fa', 'phone', 'dark'],
] as const)('blocks are accessible in each style in %s, on a %s, %s', async (locale, width, scheme) => {
  const page = await visitor(site.url, { width, dark: scheme === 'dark' })
  await page.goto(localizedPath('/', locale, {}))
  await expect.poll(() => page.locator('.styled').count()).toBeGreaterThan(60)
  for (const one of Object.values(widths)) {
    await page.setViewportSize({ width: one, height: 900 })
    await expect.poll(() => horizontalOverflow(page), { message: `${one}` }).toBe(0)
  }
  await page.setViewportSize({ width: widths[width], height: 900 })
  expect(await axeViolations(page)).toEqual([])
})

test('lists and tables look the same in a short text, in a column, in an answer and in running text', async () => {
  const page = await visitor(site.url)
  const styleOf = async (selector: string, path = '/disclaimer') => {
    await page.goto(path)
    return page.locator(`main ${selector}`).evaluateAll((elements) =>
      elements.map((element) => {
        const { listStyleType, paddingInlineStart, paddingBlockStart, borderBlockEndWidth } = getComputedStyle(element)
        return { listStyleType, paddingInlineStart, paddingBlockStart, borderBlockEndWidth }
      }),
    )
  }
  for (const selector of ['ul:not(.footer-links *)', 'ol', 'td:first-child']) {
    const [inBlock, inColumn, inAnswer, running] = await styleOf(selector)
    // A page with a hero and answers has no running text.
    const [alone] = await styleOf(selector, '/privacy-verklaring')
    expect([inBlock, inColumn, inAnswer, alone], selector).toEqual([running, running, running, running])
  }
  expect((await styleOf('.footer-links ul'))[0]).toMatchObject({ listStyleType: 'none', paddingInlineStart: '0px' })
  expect((await styleOf('ul'))[0]).toMatchObject({ listStyleType: '"– "' })
  expect((await styleOf('td'))[0]).toMatchObject({ borderBlockEndWidth: '1px' })
})
