import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { localizedPath } from '../../src/contract/locales.ts'
import { surfaces } from '../../src/contract/surfaces.ts'
import { horizontalOverflow } from '../support/accessible-layout.ts'
import { axeViolations } from '../support/axe.ts'
import { aBrowser } from '../support/browser.ts'
import { aProgram, type Program } from '../support/program.ts'
import { changedSite } from '../support/site-file.ts'

const { visitor } = aBrowser()
let site: Program
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'etalage-style-'))
  const file = changedSite(folder, (config) => {
    for (const locale of ['nl', 'fa']) {
      const home = config.pages.find((page: { slug: string }) => page.slug === '').content[locale]
      const [hero, ...others] = home.body
      home.body = [hero, ...surfaces.flatMap((surface, index) => styledBlocks(others, surface, index))]
    }
  })
  site = await aProgram({ SITE_CONFIG: file })
})

type Block = Record<string, unknown>

/** The blocks of the home page on one background; the contact form, whose ids are fixed, on a single one. */
const styledBlocks = (blocks: Block[], background: string, index: number): Block[] =>
  [...blocks, testimonial]
    .filter(({ type }) => type !== 'contact-form' || background === 'accent')
    .map((block) => ({
      ...block,
      anchor: undefined,
      style: {
        background,
        ...(background === 'picture' && { picture: '/logo.svg' }),
        space: (['none', 'small', 'normal', 'large', 'normal'] as const)[index],
        width: (['narrow', 'normal', 'wide', 'full', 'normal'] as const)[index],
        align: index % 2 === 0 ? 'center' : 'start',
        edge: (['straight', 'wave', 'slant', 'none', 'wave'] as const)[index],
      },
    }))
const testimonial: Block = {
  type: 'testimonial',
  quote: 'Zij kwamen na wat zij beloofden.',
  name: 'Roya',
  role: 'Bakker',
}

describe.each(['nl', 'fa'] as const)('blocks are accessible in each style in %s', (locale) => {
  test.each(['phone', 'desktop'] as const)('on a %s', async (width) => {
    // Each pair of a language, a width and a colour scheme is there once.
    const page = await visitor(site.url, { width, dark: (locale === 'fa') === (width === 'phone') })
    await page.goto(localizedPath('/', locale))
    expect(await page.locator('.styled').count()).toBeGreaterThan(20)
    expect(await horizontalOverflow(page)).toBe(0)
    expect(await axeViolations(page)).toEqual([])
  })
})
