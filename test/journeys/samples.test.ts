import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { localizedPath } from '../../src/contract/locales.ts'
import { axeViolations } from '../support/axe.ts'
import { aBrowser, heights, widths } from '../support/browser.ts'
import { waitForNetworkIdle } from '../support/network-idle.ts'
import { aProgram } from '../support/program.ts'
import type { SiteFile } from '../support/site-file.ts'

const { visitor } = aBrowser()

test.each(['bakery', 'builder', 'notary'])('the %s has no axe violation, and fits on a phone', async (name) => {
  const siteConfig = `samples/${name}/site.config.json`
  const site = await aProgram({ SITE_CONFIG: siteConfig })
  const { pages } = JSON.parse(readFileSync(siteConfig, 'utf8')) as SiteFile
  const page = await visitor(site.url, { width: 'phone' })
  for (const [locale, colorScheme] of [
    ['fa', 'dark'],
    ['nl', 'light'],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    for (const { slug } of pages.slice(0, 3)) {
      await page.goto(localizedPath(`/${slug}`, locale, {}))
      await waitForNetworkIdle(page)
      expect(await axeViolations(page), `${slug} ${locale} ${colorScheme}`).toEqual([])
      await expect
        .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
        .toBeLessThanOrEqual(0)
    }
  }
  // Every page has the same header.
  await page.setViewportSize({ width: widths.desktop, height: heights.desktop })
  for (const list of ['.menu-desktop', '.languages']) {
    const tops = await page
      .locator(`.bar ${list} > li`)
      .evaluateAll((items) => items.map((item) => item.getBoundingClientRect()).map(({ top, height }) => [top, height]))
    const [[top, height] = []] = tops
    expect(height, list).toBeGreaterThan(0)
    expect(height, list).toBeLessThan(60)
    expect(tops, `${list} in one line`).toEqual(tops.map(() => [top, height]))
  }
  await page.goto('about:blank')
  await site.stop()
})
