import { expect, test } from 'vitest'
import { contrast, faintPairs } from '../../src/contract/palette.ts'
import { deliveredSite } from '../support/site-file.ts'
import { as, type SignedIn } from '../support/staff.ts'
import { aTestApp } from '../support/test-app.ts'

const preview = (who: Pick<SignedIn, 'request'>, config: object, more: Record<string, string> = {}) =>
  who.request('/voorbeeld/configuratie', {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ config: JSON.stringify(config), path: '/', locale: 'nl', ...more }).toString(),
  })

test('a page is shown with what nobody has saved yet, in each language, and nothing is changed', async () => {
  const site = await aTestApp()
  const bente = await as(site, 'beheerder')
  const { palette } = deliveredSite()
  const config = { brand: 'Zonlicht', palette: { ...palette, accent: '#5b21b6' } }

  const home = await (await preview(bente, config)).text()
  expect(home).toContain('Zonlicht')
  expect(home).toContain('--accent:#5b21b6')
  const persian = await (await preview(bente, config, { path: '/privacy-verklaring', locale: 'fa' })).text()
  expect(persian).toMatch(/<html lang="fa" dir="rtl">.*Zonlicht/s)
  // A page that is not there is shown as the home page.
  expect(await (await preview(bente, config, { path: '/nergens' })).text()).toContain('id="prijzen"')

  expect(await (await site.request('/')).text()).not.toContain('Zonlicht')
  expect((await (await bente.get('/api/config')).json()).version).toBe(0)
})

test('nothing runs in it, only this site may frame it, and it is kept nowhere', async () => {
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
  // Every other page still lets nobody frame it.
  expect((await site.request('/')).headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
})

test('what is not right yet is no page and no error', async () => {
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

test('it is for who may change the configuration, and not for another site', async () => {
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

test('spec 9: the delivered colours can all be read, by day and by night; white on the primary could not', () => {
  const { palette } = deliveredSite()
  expect(faintPairs(palette)).toEqual([])
  expect(contrast('#FFFFFF', palette.primary)).toBeCloseTo(2.5, 1)
  expect(contrast('#000000', '#FFFFFF')).toBe(21)
})

test('a palette that cannot be read says which pairs, and of which colours they are made', () => {
  const { palette } = deliveredSite()
  const faint = faintPairs({ ...palette, accent: palette.primary })
  expect(faint.map(({ pair, scheme }) => `${pair.name} ${scheme}`)).toEqual(
    expect.arrayContaining(['button light', 'link light']),
  )
  for (const { ratio, pair } of faint) expect(ratio).toBeLessThan(pair.least)
})
