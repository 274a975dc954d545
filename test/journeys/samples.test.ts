import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { localizedPath } from '../../src/contract/locales.ts'
import { axeViolations } from '../support/axe.ts'
import { aBrowser } from '../support/browser.ts'
import { aProgram } from '../support/program.ts'
import type { SiteFile } from '../support/site-file.ts'

const { visitor } = aBrowser()

test.each(['bakery', 'builder', 'notary'])('the %s has no axe violation, and fits on a phone', async (name) => {
  const siteConfig = `samples/${name}/site.config.json`
  const site = await aProgram({ SITE_CONFIG: siteConfig })
  const { pages } = JSON.parse(readFileSync(siteConfig, 'utf8')) as SiteFile
  const page = await visitor(site.url, { width: 'phone' })
  for (const { slug } of pages.slice(0, 3)) {
    for (const [locale, colorScheme] of [
      ['nl', 'light'],
      ['fa', 'dark'],
    ] as const) {
      await page.emulateMedia({ colorScheme })
      await page.goto(localizedPath(`/${slug}`, locale, {}), { waitUntil: 'networkidle' })
      expect(await axeViolations(page), `${slug} ${locale} ${colorScheme}`).toEqual([])
      await expect
        .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
        .toBeLessThanOrEqual(0)
    }
  }
  const desktop = await visitor(site.url, { width: 'desktop' })
  await desktop.goto('/', { waitUntil: 'networkidle' })
  for (const list of ['.menu-desktop', '.languages']) {
    const tops = await desktop
      .locator(`.bar ${list} > li`)
      .evaluateAll((items) => items.map((item) => item.getBoundingClientRect()).map(({ top, height }) => [top, height]))
    const [[top, height] = []] = tops
    expect(height, list).toBeLessThan(60)
    expect(tops, `${list} in one line`).toEqual(tops.map(() => [top, height]))
  }
  await page.goto('about:blank')
  await desktop.goto('about:blank')
  await site.stop()
})
