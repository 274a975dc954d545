import { expect, test } from 'vitest'
import type { Configuration } from '../../src/contract/configuration.ts'
import { isCleanText } from '../../src/contract/text.ts'
import { commonForbiddenUrls, findInjectedScripts, scriptInjections } from '../support/script-injections.ts'
import { as, type SignedIn } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'
import { waitUntil } from '../support/wait-until.ts'

/** A page without the rules of its own styles, which take long to parse; a style with a `<` in it stays. */
const withoutRules = (html: string) => html.replace(/<style>[^<]*<\/style>/g, '<style></style>')

test('the check finds scripts', () => {
  expect(findInjectedScripts('<img src=x onerror=alert(1)>')).toHaveLength(1)
  expect(findInjectedScripts('<a href="java\nscript:alert(1)">x</a><script>alert(1)</script>')).toHaveLength(2)
})

test('a script in any text of the configuration is shown as text, and never runs', async () => {
  const site = await aTestApp()
  const bente = await as(site, 'beheerder')
  const { config }: Configuration = await (await bente.get('/api/config')).json()
  for (const payload of scriptInjections) await tryEverywhere(site, bente, config, payload)
})

async function tryEverywhere(site: TestApp, bente: SignedIn, config: Configuration['config'], payload: string) {
  const both = { nl: payload, fa: payload }
  const item = (one: (typeof config.offer.prices)[number]) => ({
    ...one,
    name: both,
    description: both,
    term: both,
    features: { nl: [payload], fa: [payload] },
  })
  const link = { type: 'link', title: payload, url: '/#contact' }
  const menu = {
    type: 'menu',
    menuType: 'desktop',
    items: [{ title: payload, url: '/', submenu: [{ title: payload, url: '/' }] }],
  }
  const area = { nl: [link, menu], fa: [link, menu, { type: 'content', selector: 'p', content: payload }] }
  const footer = { nl: [{ type: 'footer-links', copyright: payload, items: [{ title: payload, url: '/' }] }] }

  const { version }: Configuration = await (await bente.get('/api/config')).json()
  const saved = await bente.put('/api/config', {
    version,
    config: {
      brand: payload.slice(0, 60),
      tagline: both,
      seo: { title: both, description: both, keywords: { nl: [payload], fa: [payload] } },
      business: { ...config.business, description: both, priceRange: payload.slice(0, 20) },
      legal: { ...config.legal, name: payload, address: { ...config.legal.address, street: payload, city: payload } },
      contact: {
        ...config.contact,
        subject: payload,
        fields: config.contact.fields.map((field) => ({ ...field, placeholder: both })),
      },
      offer: {
        ...config.offer,
        prices: config.offer.prices.map(item),
        subscriptions: config.offer.subscriptions.map(item),
      },
      branding: {
        navbar: { ...config.branding.navbar, desktop: area },
        footer: { ...config.branding.footer, bottom: footer },
      },
    },
  })
  // A value with a control character is refused; everything else is text.
  if (!isCleanText(payload)) return expect(saved.status).toBe(422)
  expect(saved.status, await saved.clone().text()).toBe(200)
  await waitUntil(() => site.app.context().site.tagline.nl === payload, 'the new configuration')

  for (const path of ['/', '/fa', '/disclaimer', '/login', '/nergens']) {
    const answer = await site.request(path)
    expect(answer.status, path).toBeLessThan(500)
    const html = await answer.text()
    expect(findInjectedScripts(withoutRules(html)), `${path}: ${payload}`).toEqual([])
    for (const [, data = ''] of html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)) {
      expect(() => JSON.parse(data), path).not.toThrow()
    }
  }
  const admin = await (await bente.get('/user')).text()
  expect(findInjectedScripts(admin)).toEqual([])
  expect((await site.request('/site.webmanifest')).status).toBe(200)
}

test('no menu, link or profile accepts a URL that runs a script or hides its destination', async () => {
  const site = await aTestApp()
  const bente = await as(site, 'beheerder')
  for (const url of commonForbiddenUrls) await tryAddress(bente, url)
})

async function tryAddress(bente: SignedIn, url: string) {
  const { config }: Configuration = await (await bente.get('/api/config')).json()
  const blocks = [
    { type: 'link', title: 'x', url },
    { type: 'menu', menuType: 'desktop', items: [{ title: 'x', url, submenu: [{ title: 'x', url }] }] },
    { type: 'image', src: url, alt: 'x', url },
    { type: 'social-icons', items: [{ icon: 'linkedin', title: 'x', url }] },
    { type: 'footer-links', copyright: 'x', items: [{ title: 'x', url }] },
    { type: 'icon', icon: 'globe', title: 'x', description: 'x', titleUrl: url, descriptionUrl: url },
  ]
  const answer = await bente.put('/api/config', {
    version: 0,
    config: {
      url,
      logo: { src: url },
      business: { ...config.business, sameAs: [url] },
      branding: { ...config.branding, navbar: { ...config.branding.navbar, top: { nl: blocks } } },
    },
  })
  expect(answer.status, url).toBe(422)
  const paths = (await answer.json()).errors.map((one: { path: string }) => one.path)
  expect(paths).toEqual(
    expect.arrayContaining([
      'url',
      'logo.src',
      'business.sameAs.0',
      'branding.navbar.top.nl.0.url',
      'branding.navbar.top.nl.1.items.0.url',
      'branding.navbar.top.nl.1.items.0.submenu.0.url',
      'branding.navbar.top.nl.2.url',
      'branding.navbar.top.nl.3.items.0.url',
      'branding.navbar.top.nl.4.items.0.url',
      'branding.navbar.top.nl.5.titleUrl',
    ]),
  )
  expect((await (await bente.get('/api/config')).json()).version).toBe(0)
}
