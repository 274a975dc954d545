import { describe, expect, test } from 'vitest'
import { addressesIn } from '../../src/contract/pictures.ts'
import type { SceneParts } from '../../src/contract/scene.ts'
import { databases } from '../support/databases.ts'
import { as } from '../support/staff.ts'
import { aTestApp } from '../support/test-app.ts'
import { aPhoto, settledFile, uploaded } from '../support/uploads.ts'

describe.each(databases)('on %s', (database) => {
  test('who edits blocks gets what they look at: the site as visitors see it, and the pictures in them', async () => {
    const site = await aTestApp({ database })
    const rik = await as(site, 'redacteur')
    const { id } = await uploaded(rik, 'gevel.jpg', await aPhoto(640, 480))
    const { url } = await settledFile(rik, id)
    const answer = await rik.post('/api/scene', { pictures: [...addressesIn(url), '0'.repeat(32)] })
    expect(answer.status).toBe(200)
    const { site: seen, pictures } = (await answer.json()) as SceneParts
    expect(seen).toMatchObject({ brand: 'Maaslicht', logo: { src: '/logo.svg' }, contact: { action: '/api/contact' } })
    expect(Object.keys(pictures)).toEqual(addressesIn(url))
    expect(Object.values(pictures)[0]).toMatchObject({ width: 640, height: 480 })
  })
})

test('nothing that visitors do not see leaves with it: no recipient, no subject, no sender', async () => {
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

test.each(['nl', 'fa'])('the styles of the site in %s have an address for the editor, by day alone', async (locale) => {
  const { request } = await aTestApp()
  const answer = await request(`/site.${locale}.css`)
  expect(answer.headers.get('content-type')).toBe('text/css; charset=utf-8')
  const css = await answer.text()
  expect(css).toContain('@font-face')
  expect(css).toContain('--primary:#10b981')
  expect(css).not.toMatch(/scripting|prefers-color-scheme: ?dark/)
})
