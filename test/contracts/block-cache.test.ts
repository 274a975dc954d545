import { describe, expect, test } from 'vitest'
import type { RenderContext } from '../../src/blocks/define-block.ts'
import { siteMenuItem } from '../../src/blocks/menu.tsx'
import { blockSchema } from '../../src/blocks/registry.ts'
import type { ResponsiveImage } from '../../src/contract/images.ts'
import { localizedPath } from '../../src/contract/locales.ts'
import { type StoredBlock, siteConfigSchema } from '../../src/contract/site-config.ts'
import { createRenderContext } from '../../src/site/render-context.ts'
import { renderPage } from '../../src/site/render-page.tsx'
import { databases } from '../support/databases.ts'
import { blockTypes, filledBlock } from '../support/filled-blocks.ts'
import { aParagraph, publishedPage, savePageIn } from '../support/pages.ts'
import { defaultSiteFile } from '../support/site-file.ts'
import { as } from '../support/staff.ts'
import { aTestApp } from '../support/test-app.ts'

const readSite = () => siteConfigSchema(blockSchema, siteMenuItem).parse(defaultSiteFile())
const site = readSite()
const menuPages = new Map()

/** A page with these blocks. */
function rendered(
  body: readonly StoredBlock[],
  more: {
    locale?: string
    viewer?: string
    cacheBlocks?: boolean
    of?: typeof site
    now?: string
    path?: string
    found?: Partial<RenderContext>
  } = {},
): string {
  const {
    locale = 'nl',
    viewer,
    cacheBlocks = true,
    of = site,
    now = '2026-11-21T12:00:00Z',
    path = '/ons-werk',
  } = more
  const context = createRenderContext({
    site: of,
    menuPages,
    locale,
    path,
    now: new Date(now),
    viewer: viewer === undefined ? undefined : { name: viewer },
    cacheBlocks,
  })
  return renderPage({
    context: { ...context, ...more.found },
    page: { title: 'Ons werk', description: '', slug: path.slice(1), body },
    alternates: site.locales.map((one) => ({ locale: one, path: localizedPath(path, one, site) })),
    origin: 'https://www.example',
  })
}

const pages = site.pages.flatMap(({ slug, content }) =>
  Object.entries(content).map(([locale, text]) => [slug, locale, text?.body ?? []] as const),
)

test.each(pages)('the page "%s" in %s is the same from cached blocks, rendered first and later', (_, locale, body) => {
  for (const viewer of [undefined, 'Roya']) {
    const whole = rendered(body, { locale, cacheBlocks: false, ...(viewer && { viewer }) })
    for (const _time of ['first', 'later']) {
      expect(rendered(body, { locale, ...(viewer && { viewer }) })).toBe(whole)
    }
  }
})

describe.each(blockTypes)('a %s block', (type) => {
  const parsed = (text: string) => blockSchema.parse(filledBlock(type, text)) as StoredBlock

  test('with the name of the signed-in user never shows the name of another user, or a name to an anonymous visitor', () => {
    const inSection = { type: 'section', content: { locale: 'nl', body: [parsed('In een sectie [user]')] } }
    const body = [parsed('Welkom [user]'), parsed('Tot ziens [user]'), { ...inSection, showIf: 'always' }]
    for (const viewer of ['Roya Moradi', 'Sjef de Vries', undefined, 'Roya Moradi']) {
      const options = viewer === undefined ? {} : { viewer }
      const html = rendered(body, options)
      expect(html).toBe(rendered(body, { ...options, cacheBlocks: false }))
      for (const other of ['Roya Moradi', 'Sjef de Vries']) if (other !== viewer) expect(html).not.toContain(other)
    }
  })

  test('for signed-in or anonymous visitors alone is shown to no others', () => {
    const body = (['logged-in', 'logged-out'] as const).map((showIf) => ({ ...parsed(showIf), showIf }))
    for (const viewer of ['Roya', undefined, 'Sjef', undefined]) {
      const options = viewer === undefined ? {} : { viewer }
      expect(rendered(body, options)).toBe(rendered(body, { ...options, cacheBlocks: false }))
    }
  })
})

test('a text cannot contain the marker of a cached block', () => {
  const body = ['0;', '00000000-0000-0000-0000-000000000000;', '$&', "$'"].map((text) =>
    aParagraph(`${text} <strong>nadruk</strong>`),
  )
  for (const _time of ['first', 'later']) expect(rendered(body)).toBe(rendered(body, { cacheBlocks: false }))
})

test('a block is rendered again for another page, day, language or configuration', () => {
  const form = blockSchema.parse(filledBlock('contact-form', 'Schrijf ons')) as StoredBlock
  const body = [form, aParagraph('[brand], [year], [openingHours]')]
  const changed = { ...readSite(), brand: 'Voorbeeld BV' }
  const variants = [
    {},
    { path: '/elders' },
    { now: '2027-01-02T12:00:00Z' },
    { locale: 'fa' },
    { of: changed },
    { of: changed, viewer: 'Roya' },
  ]
  for (const _time of ['first', 'later']) {
    const all = variants.map((variant) => rendered(body, variant))
    expect(all).toEqual(variants.map((variant) => rendered(body, { ...variant, cacheBlocks: false })))
    expect(new Set(all).size).toBe(variants.length)
  }
})

const photoId = '1'.repeat(32)
const listId = '2'.repeat(32)
const menuOfOne = [{ title: '', page: 'werk', className: '', submenu: [] }]
const withMenuPage = { ...site, menus: { main: { nl: menuOfOne, fa: menuOfOne, en: menuOfOne } } }
const photo = (name: string): ResponsiveImage => ({
  src: `/files/${photoId}/${name}.jpg`,
  width: 80,
  height: 60,
  sources: [],
  placeholder: null,
  focal: { x: 50, y: 50 },
  alt: { nl: '', fa: '' },
})

describe.each<[string, Record<string, unknown>, Partial<RenderContext>[]]>([
  [
    'an image',
    { type: 'image', src: `/files/${photoId}/atelier.jpg`, className: '', alt: '' },
    ['atelier', 'werkplaats'].map((name) => ({ images: new Map([[photoId, photo(name)]]) })),
  ],
  [
    'a file',
    { type: 'download', items: [{ file: `/files/${listId}/lijst.pdf`, title: 'Prijslijst' }] },
    [1_000, 2_000].map((bytes) => ({ files: new Map([[listId, { bytes }]]) })),
  ],
  [
    'a link',
    aParagraph('<a href="/contact">Contact</a>'),
    ['/contact', '/fa/contact'].map((to) => ({ linkedPaths: new Map([['/contact', to]]) })),
  ],
  [
    'a menu',
    { type: 'menu', menuType: 'desktop', menu: 'main', className: '' },
    ['Werk', 'Ons werk'].map((title) => ({ menuPages: new Map([['werk', { nl: { title, slug: 'werk' } }]]) })),
  ],
  [
    'the logo',
    { type: 'image', src: '[logo]', className: '', alt: '' },
    // React preloads any other image, and then the block is not cached.
    ['oud', 'nieuw'].map((name) => ({ logoUrl: `data:image/svg+xml,${name}` })),
  ],
])('a block with %s', (_, filled, variants) => {
  test('is rendered again when that changes, although the configuration is the same', () => {
    const body = [blockSchema.parse(filled) as StoredBlock]
    for (const _time of ['first', 'later']) {
      const all = variants.map((found) => rendered(body, { of: withMenuPage, found }))
      expect(all).toEqual(variants.map((found) => rendered(body, { of: withMenuPage, found, cacheBlocks: false })))
      expect(new Set(all).size).toBe(variants.length)
    }
  })
})

describe.each(databases)('on %s', (database) => {
  test('two people on the same page read their own names, and a new text at once', async () => {
    const app = await aTestApp({ database, startJobs: false })
    const [bente, rik] = [await as(app, 'beheerder'), await as(app, 'redacteur')]
    const body = (text: string) => [aParagraph('Welkom, [user].'), aParagraph(text)]
    const id = await publishedPage(bente, { title: 'Ons werk', body: body('Eerst.') })
    const htmlFor = async (who: typeof bente) => (await who.get('/ons-werk')).text()
    for (const _time of ['first', 'later']) {
      const [own, other] = [await htmlFor(bente), await htmlFor(rik)]
      expect(own).toContain('Welkom, Bente de Beheerder.')
      expect(other).toContain('Welkom, Rik Redacteur.')
      expect(other).not.toContain('Bente')
      expect(await (await app.request('/ons-werk')).text()).toContain('Welkom, [user].')
    }
    await savePageIn(bente, id, { body: body('Daarna.') }, { publish: true })
    for (const who of [bente, rik]) {
      const html = await htmlFor(who)
      expect(html).toContain('Daarna.')
      expect(html).not.toContain('Eerst.')
    }
  })
})
