import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { PreviewData } from '../../src/contract/preview-data.ts'
import { aTempFolder } from '../support/databases.ts'
import { type SiteFile, writeSiteFile } from '../support/site-file.ts'
import { as } from '../support/staff.ts'
import { aTestApp } from '../support/test-app.ts'

const largeSvg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 500">${'<path d="M0 0h800v500H0z"/>'.repeat(99)}</svg>`

/** A configuration in a folder of its own, with images beside it in every type that is measured. */
async function aSiteWithImages() {
  const folder = aTempFolder()
  const pictures = join(folder, 'public', 'pictures')
  mkdirSync(pictures, { recursive: true })
  writeFileSync(join(folder, 'public', 'logo.svg'), readFileSync('public/logo.svg'))
  writeFileSync(join(pictures, 'drawing.svg'), largeSvg)
  writeFileSync(join(pictures, 'broken.avif'), 'no image')
  const photo = sharp({ create: { width: 640, height: 400, channels: 3, background: '#47a' } })
  const clear = sharp({ create: { width: 640, height: 400, channels: 4, background: '#47a8' } })
  await photo.avif({ effort: 0 }).toFile(join(pictures, 'photo.avif'))
  await photo.webp().toFile(join(pictures, 'photo.webp'))
  await clear.webp().toFile(join(pictures, 'clear.webp'))
  await photo.png().toFile(join(pictures, 'photo.png'))
  await photo.png().toFile(join(pictures, 'ons team.png'))
  // Some systems name files by characters with combining accents.
  await photo.png().toFile(join(pictures, 'één.png'.normalize('NFD')))
  const names = [
    'drawing.svg',
    'ons team.png',
    'één.png',
    'photo.avif',
    'photo.webp',
    'clear.webp',
    'photo.png',
    'broken.avif',
  ]
  const siteConfig = writeSiteFile(folder, (config: SiteFile) => {
    const body = names.map((name) => ({ type: 'image', className: '', src: `/pictures/${encodeURI(name)}`, alt: name }))
    const content = { title: 'Beeld', description: 'Wat naast de configuratie staat.', body }
    config.pages.push({ slug: 'beeld', updated: '2026-11-21', content: { nl: content, fa: content } })
  })
  return aTestApp({ settings: { siteConfig } })
}

test('images in `public` beside the configuration are served, and shown with their size, which the editor knows too', async () => {
  const site = await aSiteWithImages()
  const html = await (await site.request('/beeld')).text()
  const shown = (name: string) => new RegExp(`<img src="/pictures/${name}"[^>]*>`).exec(html)?.[0]
  expect(shown('drawing.svg')).toContain('width="800" height="500" loading="lazy"')
  for (const name of ['photo.avif', 'photo.webp', 'clear.webp', 'photo.png']) {
    expect(shown(name), name).toContain('width="640" height="400"')
  }
  expect(shown('broken.avif')).not.toContain('width')

  const svg = await site.request('/pictures/drawing.svg', { headers: { 'Accept-Encoding': 'gzip' } })
  expect([svg.headers.get('content-type'), svg.headers.get('content-encoding')]).toEqual(['image/svg+xml', 'gzip'])
  const etag = svg.headers.get('etag') ?? ''
  expect((await site.request('/pictures/drawing.svg', { headers: { 'If-None-Match': etag } })).status).toBe(304)
  for (const name of ['ons team.png', 'één.png']) {
    expect(shown(encodeURI(name)), name).toContain('width="640" height="400"')
    expect((await site.request(`/pictures/${encodeURI(name)}`)).headers.get('content-type')).toBe('image/png')
  }
  expect((await site.request('/pictures/photo.avif')).headers.get('content-type')).toBe('image/avif')

  const rik = await as(site, 'redacteur')
  const { pictures } = (await (await rik.post('/api/scene', { pictures: [] })).json()) as PreviewData
  expect(pictures['/pictures/photo.avif']).toMatchObject({ src: '/pictures/photo.avif', width: 640, height: 400 })
})

test('a configuration without a folder `public` beside it uses the files of the program', async () => {
  const { request } = await aTestApp({ site: () => {} })
  expect((await request('/logo.svg')).status).toBe(200)
})
