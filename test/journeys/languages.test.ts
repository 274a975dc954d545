import { beforeAll, describe, expect, test } from 'vitest'
import { aBrowser } from '../support/browser.ts'
import { aProgram, type Program } from '../support/program.ts'

const { visitor } = aBrowser()
let site: Program
beforeAll(async () => {
  site = await aProgram()
})

const dayS = 86_400

describe.each(['phone', 'desktop'] as const)('on a %s', (width) => {
  test.each([true, false])(
    'spec 9 language cookie: choosing sets it for 365 days, SameSite=Lax (JavaScript %s)',
    async (javaScript) => {
      const page = await visitor(site.url, { width, javaScript })
      await page.goto('/disclaimer')
      await expect.poll(() => page.context().cookies()).toEqual([])

      await page.getByRole('link', { name: 'فارسی' }).click()

      await page.waitForURL('**/fa/disclaimer')
      await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('fa')
      await expect.poll(() => page.locator('html').getAttribute('dir')).toBe('rtl')
      const [cookie, ...more] = await page.context().cookies()
      expect(more).toEqual([])
      expect(cookie).toMatchObject({ name: 'locale', value: 'fa', path: '/', sameSite: 'Lax' })
      const days = ((cookie?.expires ?? 0) - Date.now() / 1_000) / dayS
      expect(days).toBeGreaterThan(364.9)
      expect(days).toBeLessThanOrEqual(365)
    },
  )
})

test('a visitor who chose Persian is redirected to Persian from /, and can choose Dutch again', async () => {
  const page = await visitor(site.url)
  await page.goto('/')
  await page.getByRole('link', { name: 'فارسی' }).click()
  await page.goto('/')
  await expect.poll(() => new URL(page.url()).pathname).toBe('/fa')

  await page.getByRole('link', { name: 'Nederlands' }).click()
  await expect.poll(() => new URL(page.url()).pathname).toBe('/')
  await page.goto('/')
  await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('nl')
  await expect
    .poll(async () => (await page.context().cookies()).map(({ name, value }) => [name, value]))
    .toEqual([['locale', 'nl']])
})

test('the language of the browser alone does not redirect', async () => {
  const page = await visitor(site.url, { locale: 'fa-IR' })
  await page.goto('/')
  await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('nl')
  await expect.poll(() => page.context().cookies()).toEqual([])
})

test('an unknown language is not stored', async () => {
  const page = await visitor(site.url)
  await page.goto('/?locale=xx')
  await expect.poll(() => page.context().cookies()).toEqual([])
})
