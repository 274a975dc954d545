import { describe, expect, test } from 'vitest'
import { publicFileIdsIn } from '../../src/contract/file-urls.ts'
import type { PreviewData } from '../../src/contract/preview-data.ts'
import { defaultRetention } from '../../src/contract/retention.ts'
import { databases } from '../support/databases.ts'
import { as } from '../support/staff.ts'
import { aTestApp } from '../support/test-app.ts'
import { aPhoto, uploadFile, waitUntilProcessed } from '../support/uploads.ts'

describe.each(databases)('on %s', (database) => {
  test('the preview data of the editor is what a visitor gets, with the images of the blocks and of the header', async () => {
    const site = await aTestApp({ database })
    const rik = await as(site, 'redacteur')
    const { id } = await uploadFile(rik, 'gevel.jpg', await aPhoto(80, 60))
    const { url } = await waitUntilProcessed(rik, id)
    const answer = await rik.post('/api/scene', { pictures: [...publicFileIdsIn(url), '0'.repeat(32)] })
    expect(answer.status).toBe(200)
    const { site: seen, pictures } = (await answer.json()) as PreviewData
    expect(seen).toMatchObject({ brand: 'Maaslicht', logo: { src: '/logo.svg' }, contact: { action: '/api/contact' } })
    const [publicId = ''] = publicFileIdsIn(url)
    expect(Object.keys(pictures).filter((key) => !key.startsWith('/'))).toEqual([publicId])
    expect(pictures[publicId]).toMatchObject({ width: 80, height: 60 })

    const bente = await as(site, 'beheerder')
    const { version, config } = await (await bente.get('/api/config')).json()
    const { navbar, footer } = config.branding
    const top = { nl: [{ type: 'image', src: url, alt: 'Gevel' }] }
    await bente.put('/api/config', { version, config: { branding: { navbar: { ...navbar, top }, footer } } })
    const around = (await (await rik.post('/api/scene', { pictures: [] })).json()) as PreviewData
    expect(around.site.branding.navbar.top.nl).toMatchObject([{ type: 'image', alt: 'Gevel' }])
    expect(around.pictures[publicId]).toMatchObject({ width: 80, height: 60 })
  })
})

test('the preview data has the look, the retention periods and the texts that blocks depend on', async () => {
  const retention = { ...defaultRetention, auditDays: 365 }
  const site = await aTestApp({
    site: (config) => {
      config.locales = ['nl', 'de']
      config.look = { illustration: 'hills' }
      config.retention = retention
      config.fallbackLocales = ['en']
      config.texts = { de: { 'contact.send': 'Senden', 'signIn.title': 'Anmelden' }, fa: { 'contact.send': 'بفرست' } }
    },
  })
  const rik = await as(site, 'redacteur')
  const found = (await (await rik.post('/api/scene', { pictures: [], locale: 'de' })).json()) as PreviewData
  expect(found.site).toMatchObject({ look: { illustration: 'hills' }, retention, fallbackLocales: ['en'] })
  expect(found.site.texts).toEqual({ de: { 'contact.send': 'Senden' }, en: {} })
})

test('the preview data contains nothing that visitors cannot see: no recipient, no subject, no sender', async () => {
  const site = await aTestApp({
    site: (config) => {
      config.contact.recipients = ['geheim@intern.example']
      config.contact.subject = 'Intern onderwerp'
      config.sender = { name: 'Interne afzender', email: 'afzender@intern.example' }
    },
  })
  const rik = await as(site, 'redacteur')
  const text = await (await rik.post('/api/scene', { pictures: [] })).text()
  expect(text).not.toMatch(/intern/i)
})

test.each(['nl', 'fa'])('the stylesheet of the site in %s has a URL for the editor, light and dark', async (locale) => {
  const { request } = await aTestApp()
  const answer = await request(`/site.${locale}.css`)
  expect(answer.headers.get('content-type')).toBe('text/css; charset=utf-8')
  const css = await answer.text()
  expect(css).toContain('@font-face')
  expect(css).toContain('--primary:#10b981')
  expect(css).toMatch(/@media ?\(prefers-color-scheme: ?dark\)/)
  expect(css).not.toContain('scripting')
})
