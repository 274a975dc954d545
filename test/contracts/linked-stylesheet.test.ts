import { expect, test } from 'vitest'
import type { Configuration } from '../../src/contract/configuration.ts'
import { as } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'
import { waitUntil } from '../support/wait-until.ts'

const linkIn = (html: string) => /<link rel="stylesheet" href="([^"]+)"\/>/.exec(html)?.[1]
const linkOf = async (site: Pick<TestApp, 'request'>, path: string) => linkIn(await (await site.request(path)).text())

test('the styles of the lower blocks have an immutable address, which every instance serves', async () => {
  const site = await aTestApp()
  const response = await site.request('/')
  const html = await response.text()
  const url = linkIn(html) ?? ''
  expect(html).toMatch(/<section class="hero">.*<\/section><link rel="stylesheet" [^>]*><section/s)
  expect(response.headers.get('content-security-policy')).toMatch(/style-src 'self' 'sha256-[\w+/=]+';/)

  const beside = await aTestApp({ beside: site, settings: { secret: site.settings.secret } })
  const styles = await beside.request(url)
  expect(styles.status).toBe(200)
  expect(Object.fromEntries(styles.headers)).toMatchObject({
    'content-type': 'text/css; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    etag: expect.stringMatching(/^"[\w-]+"$/),
    vary: 'Accept-Encoding',
    'content-security-policy': "default-src 'none'",
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
  })
  const etag = styles.headers.get('etag') ?? ''
  expect((await site.request(url, { headers: { 'If-None-Match': etag } })).status).toBe(304)
  expect((await site.request(url, { method: 'PUT' })).status).toBe(405)
})

test('a page of one block has no linked stylesheet, and its policy allows none', async () => {
  const site = await aTestApp()
  const response = await site.request('/disclaimer')
  expect(linkIn(await response.text())).toBeUndefined()
  expect(response.headers.get('content-security-policy')).toMatch(/style-src 'sha256-[\w+/=]+';/)
})

test('an address of a stylesheet whose signature does not fit is not found', async () => {
  const site = await aTestApp()
  const url = (await linkOf(site, '/')) ?? ''
  const [, bits = '', signature = ''] = /blocks-(\w+)-(.+)\.css/.exec(url) ?? []
  const more = (Number.parseInt(bits, 36) + 1).toString(36)
  for (const made of [
    `blocks-${more}-${signature}`,
    `blocks-0${bits}-${signature}`,
    `blocks-zzzzzzzzzz-${signature}`,
    `blocks-${bits}-${[...signature].reverse().join('')}`,
    `blocks-${bits}-`,
    `blocks--${signature}`,
  ])
    expect((await site.request(`/assets/${made}.css`)).status, made).toBe(404)
})

test('the address of the stylesheet stays the same when the colours and the look change', async () => {
  const site = await aTestApp()
  const bente = await as(site, 'beheerder')
  const url = await linkOf(site, '/')
  const { version, config } = (await (await bente.get('/api/config')).json()) as Configuration
  const palette = { ...config.palette, accent: '#1d4ed8' }
  const saved = await bente.put('/api/config', { version, config: { palette, look: { corners: 'square' } } })
  expect(saved.status).toBe(200)
  await waitUntil(async () => (await (await site.request('/')).text()).includes('#1d4ed8'), 'the colours')
  expect(await linkOf(site, '/')).toBe(url)
})
