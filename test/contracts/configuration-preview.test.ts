import { expect, test } from 'vitest'
import { coloursOf, contrast, lowContrastPairs } from '../../src/contract/palette.ts'
import { defaultSiteFile } from '../support/site-file.ts'
import { as, type SignedIn } from '../support/staff.ts'
import { aTestApp } from '../support/test-app.ts'

const preview = (who: Pick<SignedIn, 'request'>, config: object, more: Record<string, string> = {}) =>
  who.request('/voorbeeld/configuratie', {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ config: JSON.stringify(config), path: '/', locale: 'nl', ...more }).toString(),
  })

test('a page is previewed with unsaved settings, in each language, and nothing is changed', async () => {
  const site = await aTestApp()
  const bente = await as(site, 'beheerder')
  const { palette } = defaultSiteFile()
  const config = { brand: 'Zonlicht', palette: { ...palette, accent: '#5b21b6' } }

  const home = await (await preview(bente, config)).text()
  expect(home).toContain('Zonlicht')
  expect(home).toContain('--accent:#5b21b6')
  const persian = await (await preview(bente, config, { path: '/privacy-verklaring', locale: 'fa' })).text()
  expect(persian).toMatch(/<html lang="fa" dir="rtl">.*Zonlicht/s)
  // An unknown page is shown as the home page.
  expect(await (await preview(bente, config, { path: '/nergens' })).text()).toContain('id="prijzen"')

  expect(await (await site.request('/')).text()).not.toContain('Zonlicht')
  expect((await (await bente.get('/api/config')).json()).version).toBe(0)
})

test('a removed part is previewed as removed', async () => {
  const bente = await as(await aTestApp(), 'beheerder')
  await bente.put('/api/config', { version: 0, config: { texts: { nl: { 'contact.send': 'Kom maar op' } } } })
  expect(await (await preview(bente, {})).text()).toContain('Kom maar op')
  expect(await (await preview(bente, { texts: null })).text()).not.toMatch(/Kom maar op|content="refused"/)
})

test('a look is previewed before it is saved: fonts, corners, header and illustration; an unknown one is refused', async () => {
  const bente = await as(await aTestApp(), 'beheerder')
  const shown = async (look: object) => (await preview(bente, { look })).text()
  // The same look twice gives the same page.
  const looks = [
    {},
    {},
    { fonts: 'editorial' },
    { corners: 'square' },
    { header: 'centered' },
    { illustration: 'none' },
  ]
  expect(new Set(await Promise.all(looks.map(shown))).size).toBe(looks.length - 1)
  expect(await shown({ fonts: 'Comic Sans' })).toContain('<meta name="preview" content="refused">')
})

test('a preview runs no script, can only be framed by this site, and is not cached', async () => {
  const site = await aTestApp()
  const bente = await as(site, 'beheerder')
  const answer = await preview(bente, { tagline: { nl: '</script><script>alert(1)</script>' } })
  expect(answer.status).toBe(200)
  const policy = answer.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("script-src 'none'")
  expect(policy).toContain("form-action 'none'")
  expect(policy).toContain("frame-ancestors 'self'")
  expect(policy).not.toContain('unsafe-inline')
  expect(answer.headers.get('x-frame-options')).toBe('SAMEORIGIN')
  expect(answer.headers.get('cache-control')).toBe('private, no-store')
  expect(answer.headers.get('x-robots-tag')).toBe('noindex')
  const html = await answer.text()
  expect(html).toContain('<meta name="robots" content="noindex"/>')
  expect(html.replace(/<script type="application\/ld\+json">.*?<\/script>/gs, '')).not.toMatch(/<script/i)
  // Every other page cannot be framed at all.
  expect((await site.request('/')).headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
})

test('invalid settings give neither a page nor an error', async () => {
  const site = await aTestApp()
  const bente = await as(site, 'beheerder')
  for (const answer of [
    await preview(bente, { brand: '' }),
    await preview(bente, {}, { config: '{' }),
    await preview(bente, {}, { config: 'null' }),
  ]) {
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain('<meta name="preview" content="refused">')
  }
  expect((await site.request('/voorbeeld/configuratie')).status).toBe(405)
})

test('a preview needs the right to change the configuration, and is refused to other sites', async () => {
  const site = await aTestApp()
  const rik = await as(site, 'redacteur')
  expect((await preview(rik, { brand: 'x' })).status).toBe(403)
  expect((await preview({ request: async (path, init) => site.request(path, init) }, {})).status).toBe(401)
  const bente = await as(site, 'beheerder')
  const forged = await preview(
    {
      request: (path, init) =>
        bente.request(path, { ...init, headers: { ...(init?.headers as object), 'Sec-Fetch-Site': 'cross-site' } }),
    },
    {},
  )
  expect(forged.status).toBe(403)
})

test('spec 9: the default colours have enough contrast, light and dark; white on the primary colour does not', () => {
  const { palette } = defaultSiteFile()
  expect(lowContrastPairs(palette)).toEqual([])
  expect(contrast('#FFFFFF', palette.primary)).toBeCloseTo(2.5, 1)
  expect(contrast('#000000', '#FFFFFF')).toBe(21)
})

test('a palette with too little contrast names the pairs and their colours', () => {
  const { palette } = defaultSiteFile()
  const faint = lowContrastPairs({ ...palette, accent: palette.primary })
  expect(faint.map(({ pair, scheme }) => `${pair.name} ${scheme}`)).toEqual(
    expect.arrayContaining(['button light', 'link light']),
  )
  for (const { ratio, pair } of faint) expect(ratio).toBeLessThan(pair.least)
})

test('each pair with too little contrast names the colour that changes it most, in light and dark mode', () => {
  const grey = { primary: '#777777', secondary: '#777777', accent: '#777777', light: '#777777', dark: '#777777' }
  const faint = lowContrastPairs(grey)
  expect(faint.map(({ scheme }) => scheme)).toEqual(expect.arrayContaining(['light', 'dark']))
  for (const { pair, scheme, from, ratio } of faint) {
    const changes = (['primary', 'secondary', 'accent', 'light', 'dark'] as const).map((name) => {
      const colours = coloursOf({ ...grey, [name]: '#ffffff' }, scheme)
      return { name, change: Math.abs(contrast(colours[pair.of], colours[pair.on]) - ratio) }
    })
    const [strongest] = changes.sort((a, b) => b.change - a.change)
    expect(from, `${pair.name} ${scheme}`).toContain(strongest?.name)
  }
})
