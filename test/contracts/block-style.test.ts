import { describe, expect, test } from 'vitest'
import type { Configuration } from '../../src/contract/configuration.ts'
import { databases } from '../support/databases.ts'
import { aPage, publishedPage, savePageIn } from '../support/pages.ts'
import { as } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'
import { aPhoto, uploadFile, waitUntilProcessed } from '../support/uploads.ts'

const text = { type: 'rich-text', content: '<p>Gezellig</p>' }
const line = { type: 'line' }
const problemsOf = async (answer: Response) =>
  ((await answer.json()).errors as { path: string }[]).map(({ path }) => path)
const htmlOf = async (site: TestApp, path: string) => (await site.request(path)).text()
const mainOf = (html: string) => /<main.*<\/main>/s.exec(html)?.[0] ?? ''

test('a block is shown in its style, and only pages with a style carry the styles for it', async () => {
  const site = await aTestApp()
  const bente = await as(site, 'beheerder')
  await publishedPage(bente, {
    title: 'Werk',
    body: [
      { ...text, style: { background: 'dark', edge: 'slant', space: 'large' } },
      { ...line, style: { edge: 'wave', width: 'narrow', align: 'center' } },
      { type: 'testimonial', quote: 'Ja', name: 'Roya', style: { side: 'end' } },
      {
        type: 'columns',
        columns: [{ blocks: [{ ...line, style: { background: 'accent' } }] }, { blocks: [] }],
      },
    ],
  })
  await publishedPage(bente, { title: 'Zonder', body: [text, { ...line, style: {} }] })

  const html = mainOf(await htmlOf(site, '/werk'))
  expect(html).toContain(
    '<div class="styled on on-dark space-large edge-slant"><div class="wrap"><div class="prose"><p>Gezellig',
  )
  expect(html).toContain(
    '<div class="styled on on-plain width-narrow align-center edge-wave"><div class="wrap loose"><hr',
  )
  expect(html).toContain('<div class="styled side-end"><div class="wrap loose"><figure class="testimonial">')
  expect(html).toContain('<div class="columns"><div><div class="styled on on-accent"><hr class="line"/></div></div>')
  expect(await htmlOf(site, '/werk')).toContain('.on-dark')

  const plain = await htmlOf(site, '/zonder')
  expect(mainOf(plain)).toContain('<div class="wrap loose"><hr class="line"/></div></main>')
  expect(plain).not.toContain('.on-dark')
})

describe('a style that does not exist is refused at its field:', () => {
  test('on a page', async () => {
    const site = await aTestApp()
    const bente = await as(site, 'beheerder')
    const id = await aPage(site)
    for (const [what, block, style, field] of [
      ['an unknown background', text, { background: 'purple' }, 'background'],
      ['an unknown space', text, { space: '12px' }, 'space'],
      ['a field of its own', text, { colour: '#ff0000' }, 'colour'],
      ['a side of a block without image', text, { side: 'end' }, 'side'],
      ['a picture that is none', text, { background: 'picture' }, 'picture'],
      ['a picture with a script', text, { background: 'picture', picture: 'javascript:x()' }, 'picture'],
    ] as const) {
      const answer = await savePageIn(bente, id, { body: [line, { ...block, style }] })
      expect([what, answer.status, await problemsOf(answer)]).toEqual([what, 422, [`text.body.1.style.${field}`]])
    }
  })

  test('in the header and footer, also in columns', async () => {
    const bente = await as(await aTestApp(), 'beheerder')
    const { version, config } = (await (await bente.get('/api/config')).json()) as Configuration
    const branding = structuredClone(config.branding)
    const styled = { ...line, style: { background: 'dark' } }
    branding.footer.left.nl = [line, { type: 'columns', columns: [{ blocks: [] }, { blocks: [styled] }] } as never]
    const answer = await bente.put('/api/config', { version, config: { branding } })
    expect([answer.status, await problemsOf(answer)]).toEqual([
      422,
      ['branding.footer.left.nl.1.columns.1.blocks.0.style'],
    ])
  })
})

test('a block that only a page can show is refused in the header and footer, with the reason', async () => {
  const bente = await as(await aTestApp(), 'beheerder')
  const { version, config } = (await (await bente.get('/api/config')).json()) as Configuration
  const branding = structuredClone(config.branding)
  branding.footer.left.nl = [
    { type: 'video', src: 'https://vimeo.com/76979871', title: 'Film' },
    { type: 'entry-list', title: 'Nieuws', from: 'nieuws' },
  ] as never
  const answer = await bente.put('/api/config', { version, config: { branding } })
  expect([answer.status, (await answer.json()).errors]).toEqual([
    422,
    [0, 1].map((index) => ({
      path: `branding.footer.left.nl.${index}.type`,
      message: 'Dit blok kan alleen op een pagina staan, niet in de kop of voet van de website. Verwijder het hier.',
    })),
  ])
})

test.each(databases)(
  'a site with a block in its footer that was only refused there later starts and can be saved, on %s',
  async (database) => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const { version, config } = (await (await bente.get('/api/config')).json()) as Configuration
    const branding = structuredClone(config.branding)
    branding.footer.left.nl = [{ type: 'link', title: 'Route', url: '/' } as never]
    expect((await bente.put('/api/config', { version, config: { branding } })).status).toBe(200)
    const revisions = site.db.selectFrom('config_revision').select(['id', 'config'])
    for (const { id, config } of await revisions.execute()) {
      const stored = JSON.parse(config)
      stored.branding.footer.left.nl.push({ type: 'entry-list', title: 'Nieuws', from: 'nieuws' })
      const changed = { config: JSON.stringify(stored) }
      await site.db.updateTable('config_revision').set(changed).where('id', '=', id).execute()
    }
    const next = await aTestApp({ beside: site })
    expect(await htmlOf(next, '/')).toContain('Route')
    const sam = await as(next, 'beheerder')
    const found = (await (await sam.get('/api/config')).json()) as Configuration
    expect(found.config.branding.footer.left.nl?.map(({ type }) => type)).toEqual(['link'])
    const brand = { version: found.version, config: { brand: 'Zonlicht' } }
    expect((await sam.put('/api/config', brand)).status).toBe(200)
  },
)

test.each(databases)('an image in the background is shown, and its file is in use, on %s', async (database) => {
  const site = await aTestApp({ database })
  const bente = await as(site, 'beheerder')
  const { id, url } = await uploadFile(bente, 'stad.jpg', await aPhoto(64, 40))
  await waitUntilProcessed(bente, id)
  const style = { background: 'picture', picture: url }
  await publishedPage(bente, {
    title: 'Stad',
    body: [
      { ...text, style },
      { ...text, style },
    ],
  })

  const [first = '', second = ''] = [...(await htmlOf(site, '/stad')).matchAll(/class="backdrop".*?<\/div>/gs)].map(
    ([picture]) => picture,
  )
  expect(first).toMatch(/aria-hidden="true"><span class="image"><img[^>]*blurred[^>]*><picture><source [^>]*100vw/)
  expect(first).toContain('fetchPriority="high"')
  expect(second).toContain('loading="lazy"')
  expect((await bente.delete(`/api/files/${id}`)).status).toBe(409)
})
