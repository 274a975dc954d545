import { readFileSync } from 'node:fs'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { ContactState } from '../blocks/define-block.ts'
import { siteMenuItem } from '../blocks/menu.tsx'
import { blockSchema, blocks, renderBlocks } from '../blocks/registry.ts'
import { renderValue } from '../blocks/render-value.tsx'
import { weekdays } from '../contract/config-choices.ts'
import { imageKey } from '../contract/file-urls.ts'
import { type Locale, localized, localizedPath } from '../contract/locales.ts'
import { siteConfigSchema } from '../contract/site-config.ts'
import { headScript } from './html-document.tsx'
import { createRenderContext } from './render-context.ts'
import { renderErrorPage, renderPage } from './render-page.tsx'

const delivered = JSON.parse(readFileSync('site.config.json', 'utf8'))
const site = siteConfigSchema(blockSchema, siteMenuItem).parse(delivered)
const menuPages = new Map()
const origin = 'https://www.example'
const now = new Date('2026-11-21T12:00:00Z')

function rendered(
  path: string,
  locale: Locale,
  more: { contact?: ContactState; viewer?: string; of?: typeof site } = {},
) {
  const of = more.of ?? site
  const page = of.pages.find(({ slug }) => `/${slug}` === path)
  if (!page?.content.nl) throw new Error(`no page ${path}`)
  const found = localized({ ...page.content, nl: page.content.nl }, locale)
  const viewer = more.viewer === undefined ? undefined : { name: more.viewer }
  const contact = more.contact ?? { values: {}, errors: {} }
  return renderPage({
    context: createRenderContext({
      site: of,
      menuPages,
      locale,
      contentLocale: found.locale,
      path,
      now,
      viewer,
      contact,
    }),
    page: { ...found.value, slug: page.slug, updated: page.updated },
    alternates: site.locales.map((one) => ({ locale: one, path: localizedPath(path, one, {}) })),
    origin,
  })
}

const everyPage = site.pages
  .filter(({ collection }) => collection === undefined)
  .flatMap(({ slug }) => site.locales.map((locale) => [`/${slug}`, locale] as const))

test.each(everyPage)(
  '%s in %s has one main heading, no id twice and nothing that the security policy forbids',
  (path, locale) => {
    const html = rendered(path, locale)
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    const scripts = [...html.matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag)

    expect(html.match(/<h1\b/g)).toHaveLength(1)
    expect(ids).toEqual([...new Set(ids)])
    expect(html).not.toMatch(/ style="| on[a-z]+="/)
    expect(html.match(/<style\b/g)).toHaveLength(1)
    // A form with conditions adds a script of the site's own.
    const own = /^<script type="module" src="\/[^/"][^"]*">$/
    expect(scripts.filter((tag) => !tag.includes('application/ld+json') && !own.test(tag))).toEqual(['<script>'])
    expect(html).toContain(`<script>${headScript.code}</script>`)
    expect(html).not.toMatch(/\[(brand|year|user|legal\.\w+|retentionDays)\]/)
  },
)

test.each(everyPage)('%s in %s has a canonical URL, links to its languages and structured data', (path, locale) => {
  const html = rendered(path, locale)
  const data = JSON.parse(/ld\+json">(.*?)<\/script>/s.exec(html)?.[1] ?? '')
  const types = data['@graph'].map((thing: { '@type': string }) => thing['@type'])

  expect(html).toContain(`<link rel="canonical" href="${origin}${localizedPath(path, locale, {})}"/>`)
  for (const one of site.locales)
    expect(html).toContain(`hrefLang="${one}" href="${origin}${localizedPath(path, one, {})}"`)
  expect(types).toEqual(['ProfessionalService', 'WebSite', path === '/' ? 'FAQPage' : 'BreadcrumbList'])
})

test('user text cannot close the script element with structured data', () => {
  const of = { ...site, brand: '</script><img src=x onerror=alert(1)>' }

  expect(rendered('/', 'nl', { of })).not.toContain('<img src=x')
})

test('a page without a Persian translation is shown in Dutch, marked as Dutch', () => {
  const of = { ...site, pages: site.pages.map((page) => ({ ...page, content: { nl: page.content.nl } })) }
  const html = rendered('/', 'fa', { of })

  expect(html).toContain('<html lang="fa" dir="rtl">')
  expect(html).toContain('<main id="inhoud" lang="nl" dir="ltr">')
  expect(html).toContain(`<link rel="canonical" href="${origin}/"/>`)
  expect(html).toContain(`<meta property="og:url" content="${origin}/"/>`)
  expect(html).toContain('eenmalig')
})

test('the opening hours above the menu are those of the configuration, in the language of the surrounding text', () => {
  const strip = (locale: Locale, of: typeof site) =>
    /<div class="strip">(.*?)<\/p>/s.exec(rendered('/', locale, { of }))?.[1] ?? ''
  const of = structuredClone(site)
  of.business.openingHours.saturday = { opens: '10:00', closes: '16:00' }

  expect(strip('nl', of)).toContain('maandag t/m vrijdag 09:00–18:00, zaterdag 10:00–16:00')
  expect(strip('fa', of)).toContain('دوشنبه تا جمعه ۰۹:۰۰ تا ۱۸:۰۰، شنبه ۱۰:۰۰ تا ۱۶:۰۰')
  of.branding.navbar.top.fa = undefined
  expect(strip('fa', of)).toContain('lang="nl" dir="ltr"><p>maandag t/m vrijdag 09:00–18:00')
})

test('the favicon is the logo, wrapped in an SVG when it is another image type', () => {
  const icon = (src: string) =>
    /<link rel="icon"[^>]*>/.exec(rendered('/', 'nl', { of: { ...site, logo: { src } } }))?.[0]

  expect(icon('/logo.svg')).toBe('<link rel="icon" href="/logo.svg" type="image/svg+xml"/>')
  expect(icon('/logo.png')).toBe('<link rel="icon" href="/favicon.svg" type="image/svg+xml"/>')
})

test('the name of the signed-in user is in the menu, as text', () => {
  const html = rendered('/', 'nl', { viewer: '<b>Roya</b>' })

  expect(html).toContain('<bdi>&lt;b&gt;Roya&lt;/b&gt;</bdi>')
  expect(rendered('/', 'nl')).not.toContain('href="/user"')
})

test('a refused form is shown with its input, and the first invalid field has the focus', () => {
  const html = rendered('/', 'nl', {
    contact: {
      values: { naam: 'Sjef "de" Vries', bericht: 'Hoi </textarea>' },
      errors: { email: 'Dit is een verplicht veld!', tel: 'Dit is een verplicht veld!' },
    },
  })

  expect(html).toContain('value="Sjef &quot;de&quot; Vries"')
  expect(html).toContain('Hoi &lt;/textarea&gt;')
  expect(html.match(/aria-invalid="true"/g)).toHaveLength(2)
  expect(html.match(/<input[^>]*autofocus[^>]*>/gi)).toEqual([expect.stringContaining('name="email"')])
})

test('error pages have the titles of the specification and are not indexed', () => {
  const context = createRenderContext({ site, menuPages, locale: 'nl', path: '/nergens', now, viewer: undefined })
  const lost = renderErrorPage({ context, status: 404, title: 'Page Not Found', message: 'Niets.', origin })
  const fault = renderErrorPage({ context, status: 500, title: 'Internal Server Error', message: 'Kapot.', origin })

  expect(lost).toContain('<title>Page Not Found</title>')
  expect(lost).toContain('<meta name="robots" content="noindex"/>')
  expect(fault).toMatch(/500.*Internal Server Error.*Kapot\./s)
})

/** The home page with only these blocks, in Dutch or German. */
function withBlocks(body: object[], change: (of: typeof site) => void = () => {}, locale: Locale = 'nl') {
  const of = structuredClone(site)
  const [home] = of.pages
  if (!home) throw new Error('no home page')
  const text = { title: 'Proef', description: '', body: body.map((block) => blockSchema.parse(block)) }
  home.content = { nl: text, [locale]: text } as never
  change(of)
  return rendered('/', locale, { of })
}

test('in a comparison the words for yes and no in the language of the page are shown as signs', () => {
  const cells = ['ja', 'Nein', 'vielleicht']
  const comparison = {
    type: 'comparison',
    title: '',
    columns: cells.map(() => ({ title: '' })),
    rows: [{ title: '', cells }],
  }
  const html = withBlocks(
    [comparison],
    (of) => {
      of.locales = ['nl', 'de']
      of.texts = { de: { 'site.yes': 'Ja', 'site.no': 'Nein' } }
    },
    'de',
  )
  expect(html.match(/<span class="(?:yes|no)">/g)).toEqual(['<span class="yes">', '<span class="no">'])
  expect(html).toContain('vielleicht')
})

test('the year of a project may be the placeholder for the current year', () => {
  const cases = { type: 'cases', anchor: '', title: '', items: [{ title: 'Brug', year: '[year]' }] }
  expect(withBlocks([cases])).toContain('<bdi>2026</bdi>')
})

test('the contact details of a company without opening hours have no line for them', () => {
  const contact = { type: 'contact-form', ...blocks['contact-form'].defaults.nl }
  const closed = (of: typeof site) => {
    for (const day of weekdays) of.business.openingHours[day] = null
  }
  expect(withBlocks([contact])).toContain('Openingstijden:')
  expect(withBlocks([contact], closed)).not.toContain('Openingstijden:')
})

test('the logo has the classes of its block, also without a link', () => {
  const logo = { type: 'image', src: '[logo]', alt: '', className: 'square' }
  expect(withBlocks([logo])).toContain('<span class="lockup square">')
})

test('a photo that has no description in its gallery is announced by that of its file', () => {
  const src = '/pictures/gevel.jpg'
  const image = {
    src,
    width: 4,
    height: 3,
    sources: [],
    placeholder: null,
    focal: { x: 50, y: 50 },
    alt: { nl: 'De gevel', fa: '' },
  }
  const context = createRenderContext({
    ...{ site, menuPages, locale: 'nl', path: '/', now, viewer: undefined },
    images: new Map([[imageKey(src), image]]),
  })
  const gallery = blockSchema.parse({ type: 'gallery', items: [{ src }] })
  expect(renderToStaticMarkup(renderBlocks([gallery], context))).toContain('aria-label="Vergroot: De gevel"')
})

test.each([
  [0.0004, '0,0004'],
  [1.23456, '1,23456'],
  [-12345, '-12.345'],
])('the number %d of an entry is shown as %s', (value, shown) => {
  const context = createRenderContext({ site, menuPages, locale: 'nl', path: '/', now, viewer: undefined })
  const field = { id: 'dichtheid', name: { nl: 'Dichtheid' }, type: 'number', inList: true, inDetail: true } as const
  expect(renderToStaticMarkup(renderValue({ field, value }, context))).toBe(`<bdi>${shown}</bdi>`)
})

test('a block in the header or footer has its stylesheet and the script of its form on each page', () => {
  const column = { blocks: [{ type: 'content', selector: 'div', content: '<p>Kolom</p>' }] }
  const columns = blockSchema.parse({ type: 'columns', columns: [column, column] })
  const form = { id: 'stappen', fields: [{ id: 'een', kind: 'step', label: { nl: 'Een' } }] }
  const html = (...left: object[]) =>
    withBlocks([{ type: 'line' }], (of) => {
      of.forms = [form as never]
      of.branding.footer.left = { nl: left as never }
    })
  const script = /<script type="module" src="[^"]*form-steps/
  expect(html()).not.toMatch(/\.columns ?\{/)
  expect(html(columns)).toMatch(/\.columns ?\{/)
  expect(html()).not.toMatch(script)
  expect(html(blockSchema.parse({ type: 'form', title: '', form: 'stappen' }))).toMatch(script)
})
