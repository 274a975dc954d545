import { beforeAll, describe, expect, test } from 'vitest'
import { adminPaths } from '../../src/contract/admin-start.ts'
import { localizedPath } from '../../src/contract/locales.ts'
import { translator } from '../../src/i18n/translate.ts'
import { parseHtml } from '../support/parse-html.ts'
import { as } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'

let site: TestApp
beforeAll(async () => {
  site = await aTestApp()
})

const parameters: Record<string, string> = { part: 'brand', locale: 'nl', section: 'a'.repeat(32) }

test('every address of the admin says in words that it needs JavaScript, and links to the site', async () => {
  const bente = await as(site, 'beheerder')
  for (const locale of ['nl', 'fa', 'en'] as const) {
    await site.db.updateTable('user').set({ locale }).where('id', '=', bente.id).execute()
    for (const path of adminPaths) {
      const screen = await bente.get(path.replaceAll(/\$(\w+)/g, (_, name) => parameters[name] ?? '1'))
      expect(screen.status, path).toBe(200)
      const html = await screen.text()
      expect(html, path).toContain(`<html lang="${locale}"`)
      const [, shown] = /<noscript>(.*?)<\/noscript>/s.exec(html) ?? []
      expect(shown, path).toContain(translator(locale)('adminPage.requiresJavaScript'))
      expect(shown, path).toContain(`href="${locale === 'fa' ? '/fa' : '/'}"`)
    }
  }
})

describe.each(['nl', 'fa'] as const)('in %s', (locale) => {
  test.each([
    '/',
    '/privacy-verklaring',
    '/disclaimer',
    '/projecten',
    '/nieuws/zelf-bijwerken',
    '/zoeken',
    '/zoeken?q=site',
    '/login',
    '/wachtwoord-vergeten',
    '/bestaat-niet',
  ])('%s has its text in the response, and no visible control that works only with a script', async (path) => {
    const page = parseHtml(await (await site.request(localizedPath(path, locale, {}))).text())
    expect(page.querySelector('h1')?.textContent?.trim()).toBeTruthy()
    const dead = page.querySelectorAll('button:not(form button), a:not([href]), a[href="#"], a[href^="javascript:"]')
    const pressed = [...dead].filter((one) => !one.closest('[hidden], noscript'))
    expect(pressed.map((one) => one.outerHTML)).toEqual([])
  })
})
