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
  })
  site = await aProgram({ SITE_CONFIG: file })
})

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
