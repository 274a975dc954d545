import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { localizedPath } from '../../src/contract/locales.ts'
import { aTempFolder } from '../support/databases.ts'
import { aParagraph, publishedPage, savePageIn } from '../support/pages.ts'
import { aMessageOf } from '../support/people.ts'
import { defaultSiteFile, type SiteFile, siteLocales } from '../support/site-file.ts'
import { as } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'
import { waitUntil } from '../support/wait-until.ts'

const origin = defaultSiteFile().url
const html = async ({ request }: TestApp, path: string) => (await request(path)).text()
const dataOf = (page: string): { '@type': string; [name: string]: unknown }[] =>
  JSON.parse(/ld\+json">(.*?)<\/script>/s.exec(page)?.[1] ?? '{}')['@graph']

describe('spec 2 routes', () => {
  test('an unknown page is 404, with the title and heading Page Not Found, and not indexed', async () => {
    const { request } = await aTestApp()
    for (const path of ['/nergens', '/fa/nergens', '/nl']) {
      const response = await request(path)
      const page = await response.text()
      expect(response.status, path).toBe(404)
      expect(page).toContain('<title>Page Not Found</title>')
      expect(page).toMatch(/<h1[^>]*>Page Not Found<\/h1>/)
      expect(page).toContain('<meta name="robots" content="noindex"/>')
      expect(page).toContain(path.startsWith('/fa') ? '<html lang="fa" dir="rtl">' : '<html lang="nl" dir="ltr">')
      expect(response.headers.get('set-cookie')).toBeNull()
    }
  })

  test('/.well-known/… renders nothing', async () => {
    const { request } = await aTestApp()
    for (const path of ['/.well-known/', '/.well-known/change-password', '/.well-known/a/b/c']) {
      const response = await request(path)
      expect([path, response.status, await response.text()]).toEqual([path, 204, ''])
    }
  })

  test('a file in /.well-known is served', async () => {
    const folder = aTempFolder()
    cpSync('public', folder, { recursive: true })
    mkdirSync(join(folder, '.well-known'))
    writeFileSync(join(folder, '.well-known', 'security.txt'), 'Contact: mailto:info@maaslicht.example')
    const { request } = await aTestApp({ folders: { client: 'none', public: folder } })
    expect(await (await request('/.well-known/security.txt')).text()).toContain('Contact:')
    expect((await request('/.well-known/other.txt')).status).toBe(204)
  })

  test('a page has one canonical path, to which its other spellings redirect', async () => {
    const { request } = await aTestApp({ site: withPage('over-ons/café') })
    for (const [second, own] of [
      ['/disclaimer/', '/disclaimer'],
      ['/%64isclaimer', '/disclaimer'],
      ['/fa/', '/fa'],
      ['/fa/disclaimer/', '/fa/disclaimer'],
      ['/privacy-verklaring/?bron=mail', '/privacy-verklaring?bron=mail'],
      ['/over-ons/caf%c3%a9', '/over-ons/caf%C3%A9'],
      ['/over-ons/cafe%CC%81', '/over-ons/caf%C3%A9'],
    ] as const) {
      const response = await request(second)
      expect([second, response.status, response.headers.get('location')]).toEqual([second, 308, own])
      expect((await request(own)).status, own).toBe(200)
    }
  })

  test('a page may have an address with Persian characters, and with several segments', async () => {
    const site = await aTestApp({ site: withPage('خدمات/میزبانی') })
    const own = encodeURI('/fa/خدمات/میزبانی')
    expect((await site.request(own)).status).toBe(200)
    const chosen = await site.request(`${own}?locale=nl`)
    expect([chosen.status, chosen.headers.get('location')]).toEqual([303, encodeURI('/خدمات/میزبانی')])
    expect(await html(site, '/sitemap.xml')).toContain(`<loc>${origin}${own}</loc>`)
  })
})

function withPage(slug: string) {
  return (config: SiteFile) => {
    config.pages.push({ ...structuredClone(config.pages[1]), slug })
  }
}

test('a heading and questions for signed-in users are hidden from visitors, who get a heading of their own', async () => {
  const site = await aTestApp({
    site: (config) => {
      const showIf = 'logged-in'
      const body = [
        { type: 'content', selector: 'h1', content: 'Welkom collega', className: '', showIf },
        { type: 'faq', title: 'Intern', items: [{ question: 'Wat is de code?', answer: '<p>geheimtaal</p>' }], showIf },
        { type: 'rich-text', content: '<p>Voor iedereen</p>' },
      ]
      config.pages.push({
        slug: 'team',
        updated: '2026-11-21',
        content: { nl: { title: 'Ons team', description: 'Wie er werken.', body } },
      })
    },
  })
  const headings = (page: string) => [...page.matchAll(/<h1[^>]*>(.*?)<\/h1>/gs)].map(([, text]) => text)
  const page = await html(site, '/team')
  expect(headings(page)).toEqual(['Ons team'])
  expect(page).not.toContain('geheimtaal')
  const bente = await as(site, 'beheerder')
  const own = await (await bente.get('/team')).text()
  expect(headings(own)).toEqual(['Welkom collega'])
  expect(own).toContain('geheimtaal')
})

describe('search engines', () => {
  test('find every page and its translations in the sitemap, and the sitemap in robots.txt', async () => {
    const site = await aTestApp()
    const map = await site.request('/sitemap.xml')
    const xml = await map.text()
    expect(map.headers.get('content-type')).toBe('application/xml; charset=utf-8')
    const { pages, collections } = defaultSiteFile()
    const wanted = [...pages, ...collections].flatMap(({ slug }) =>
      siteLocales.map((locale) => localizedPath(`/${slug.nl ?? slug}`, locale, {})),
    )
    expect([...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url]) => url).sort()).toEqual(
      wanted.map((path) => origin + path).sort(),
    )
    for (const path of wanted) expect((await site.request(path)).status, path).toBe(200)
    expect(xml.match(/hreflang="fa"/g)).toHaveLength(wanted.length)

    const robots = await html(site, '/robots.txt')
    expect(robots).toContain(`Sitemap: ${origin}/sitemap.xml`)
    // As RFC 9309 matches: from the start of the address, `$` is its end.
    const rules = [...robots.matchAll(/^Disallow: (\S+)$/gm)].map(([, rule = '']) => rule)
    const isAllowed = (address: string) =>
      !rules.some((rule) => (rule.endsWith('$') ? `${address}$` === rule : address.startsWith(rule)))
    const refused = ['/admin', '/admin?x', '/admin/pages', '/user', '/user?x', '/api/me']
    for (const address of [...refused, '/', '/administratie', '/user-experience']) {
      expect([address, isAllowed(address)]).toEqual([address, !refused.includes(address)])
    }
  })

  test('find a page without a Persian text neither in the sitemap nor in the alternates, while its Persian address works', async () => {
    const site = await aTestApp({
      site: (config) => {
        delete config.pages.find((page: { slug: string }) => page.slug === 'disclaimer').content.fa
      },
    })
    expect(await html(site, '/sitemap.xml')).not.toContain(`${origin}/fa/disclaimer`)
    const dutch = await html(site, '/disclaimer')
    expect(dutch).not.toMatch(/hrefLang="fa"/i)
    const persian = await html(site, '/fa/disclaimer')
    expect(persian).toContain('<html lang="fa" dir="rtl">')
    expect(persian).toContain('<main id="inhoud" lang="nl" dir="ltr">')
  })

  test('get no x-default link for a page that lacks a text in the language at the root', async () => {
    const site = await aTestApp({
      site: (config) => {
        config.locales = ['nl', 'fa', 'en']
      },
    })
    const bente = await as(site, 'beheerder')
    const id = await publishedPage(bente, { title: 'Team', slug: 'tim', locale: 'fa' })
    const english = { title: 'Team', slug: 'team', body: [aParagraph('Who we are')] }
    await savePageIn(bente, id, english, { locale: 'en', publish: true })
    const page = await html(site, '/en/team')
    expect(page).toContain(`hrefLang="fa" href="${origin}/fa/tim"`)
    expect(page).not.toContain('x-default')
  })

  test('get the answers to questions as complete HTML', async () => {
    const site = await aTestApp({
      site: (config) => {
        config.brand = 'Jansen & Zn'
        const items = [
          { question: 'Waar?', answer: '<p>Bij [brand].</p><p>Of thuis.</p>' },
          { question: 'Hoe?', answer: '<p>Zo.</p>' },
        ]
        config.pages[0].content.nl.body = [{ type: 'faq', title: 'Vragen', items }]
      },
    })
    const questions = dataOf(await html(site, '/')).find((one) => one['@type'] === 'FAQPage')?.mainEntity
    expect(
      (questions as { acceptedAnswer: { text: string } }[]).map(({ acceptedAnswer }) => acceptedAnswer.text),
    ).toEqual(['<p>Bij Jansen &amp; Zn.</p><p>Of thuis.</p>', 'Zo.'])
  })

  test('find the canonical URL of each page, under BASE_URL where that is set', async () => {
    for (const [baseUrl, found] of [
      [undefined, origin],
      ['https://www.elders.example', 'https://www.elders.example'],
    ] as const) {
      const site = await aTestApp({ settings: { baseUrl } })
      const page = await html(site, '/fa/disclaimer')
      expect(page).toContain(`<link rel="canonical" href="${found}/fa/disclaimer"/>`)
      expect(page).toContain(`<link rel="alternate" hrefLang="nl" href="${found}/disclaimer"/>`)
      expect(page).toContain(`<link rel="alternate" hrefLang="x-default" href="${found}/disclaimer"/>`)
      expect(page).toContain(`<meta property="og:image" content="${found}/fa/opengraph.png"/>`)
      expect(await html(site, '/sitemap.xml')).toContain(`<loc>${found}/fa/disclaimer</loc>`)
    }
  })
})

test('a site in Dutch only has no Persian pages and no language menu', async () => {
  const site = await aTestApp({
    site: (config) => {
      config.locales = ['nl']
    },
  })
  expect((await site.request('/fa')).status).toBe(404)
  expect((await site.request('/fa/opengraph.png')).status).toBe(404)
  expect((await site.request('/?locale=fa')).status).toBe(200)
  expect((await site.request('/', { headers: { Cookie: 'locale=fa' } })).status).toBe(200)
  expect(await html(site, '/')).not.toContain('locale=fa')
})

test('spec 9 language cookie: a year, SameSite=Lax, only after choosing a language', async () => {
  const { request } = await aTestApp()
  for (const [path, to] of [
    ['/?locale=fa', '/fa'],
    ['/fa?locale=nl', '/'],
    ['/disclaimer?locale=fa', '/fa/disclaimer'],
  ] as const) {
    const response = await request(path)
    expect([response.status, response.headers.get('location')]).toEqual([303, to])
    expect(response.headers.get('set-cookie')).toBe(
      `locale=${to.startsWith('/fa') ? 'fa' : 'nl'}; Max-Age=31536000; Path=/; SameSite=Lax`,
    )
    expect(response.headers.get('cache-control')).toBe('private, no-store')
  }
  for (const path of ['/', '/fa', '/?locale=xx', '/?locale=', '/nergens?locale=fa']) {
    expect((await request(path)).headers.get('set-cookie'), path).toBeNull()
  }
})

test('the manifest and the icons are made from brand, palette and logo', async () => {
  const site = await aTestApp()
  const response = await site.request('/site.webmanifest')
  expect(response.headers.get('content-type')).toBe('application/manifest+json')
  const manifest = await response.json()
  expect(manifest).toMatchObject({
    name: 'Maaslicht',
    lang: 'nl',
    dir: 'ltr',
    start_url: '/',
    theme_color: '#047857',
    description: 'Webontwikkeling en hosting uit Maastricht',
  })
  const sizes = Object.fromEntries(manifest.icons.map((icon: { src: string; sizes: string }) => [icon.src, icon.sizes]))
  for (const [path, size] of Object.entries({
    ...sizes,
    '/apple-touch-icon.png': '180x180',
    '/opengraph.png': '1200x630',
    '/fa/opengraph.png': '1200x630',
  })) {
    const picture = await site.request(path)
    expect([path, picture.status, picture.headers.get('content-type')]).toEqual([path, 200, 'image/png'])
    const { width, height } = await sharp(await picture.arrayBuffer()).metadata()
    expect(`${width}x${height}`, path).toBe(size)
  }
  expect((await site.request('/favicon.ico')).headers.get('content-type')).toBe('image/x-icon')
  expect((await site.request('/favicon.svg')).headers.get('content-type')).toBe('image/svg+xml')
  const [dutch, persian] = await Promise.all(
    ['/opengraph.png', '/fa/opengraph.png'].map(async (path) =>
      Buffer.from(await (await site.request(path)).arrayBuffer()),
    ),
  )
  expect(persian?.equals(dutch as Buffer), 'the Persian picture says something else').toBe(false)
})

test('prices are data: cents, once, per month or per year, with or without VAT, formatted per language', async () => {
  const site = await aTestApp({
    site: (config) => {
      config.offer.vat = 'incl'
      config.offer.prices = [
        { ...config.offer.prices[0], id: 'a', amount: 123_456, period: 'once', from: true },
        { ...config.offer.prices[0], id: 'b', amount: 5_000, period: 'year', from: false, recommended: true },
      ]
      config.offer.subscriptions = [{ ...config.offer.subscriptions[0], id: 'c', amount: 750, period: 'month' }]
    },
  })
  const pricesOf = async (path: string) =>
    [...(await html(site, path)).matchAll(/<p class="price">(.*?)<\/p>/g)].map(([, price = '']) =>
      price
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    )
  expect(await pricesOf('/')).toEqual([
    'vanaf € 1.234,56 eenmalig, incl. btw',
    '€ 50 per jaar, incl. btw',
    '€ 7,50 per maand, incl. btw',
  ])
  const persian = await pricesOf('/fa')
  expect(persian).toHaveLength(3)
  for (const [at, digits] of ['۱٬۲۳۴٫۵۶', '۵۰', '۷٫۵۰'].entries()) expect(persian[at]).toContain(digits)
  expect((await html(site, '/')).match(/class="offer best"/g)).toHaveLength(1)
})

describe('one change of the configuration shows everywhere:', () => {
  test('brand, url, profiles and email addresses: nothing of the old values is left', async () => {
    const site = await aTestApp({
      site: (config) => {
        config.brand = 'Bakkerij Hondt'
        config.url = 'https://bakkerij-hondt.example'
        config.business.sameAs = ['https://social.example/hondt']
        config.legal.email = 'winkel@bakkerij-hondt.example'
        config.sender.email = 'website@bakkerij-hondt.example'
        config.contact.recipients = ['winkel@bakkerij-hondt.example']
      },
    })
    for (const path of [
      '/',
      '/fa',
      '/privacy-verklaring',
      '/fa/privacy-verklaring',
      '/disclaimer',
      '/fa/disclaimer',
      '/nergens',
      '/site.webmanifest',
      '/sitemap.xml',
      '/robots.txt',
    ]) {
      const text = await html(site, path)
      expect(text, path).not.toMatch(/maaslicht/i)
      if (!/\.(?:xml|txt)$/.test(path)) expect(text, path).toContain('Bakkerij Hondt')
    }
    for (const path of ['/', '/fa']) {
      const page = await html(site, path)
      expect(page).toMatch(
        /<a href="https:\/\/bakkerij-hondt\.example" target="_blank" rel="noopener">[^<]*Bakkerij Hondt/,
      )
      const social = /<ul class="social">.*?<\/ul>/s.exec(page)?.[0] ?? ''
      expect([...social.matchAll(/href="([^"]*)"/g)].map(([, url]) => url)).toEqual(['https://social.example/hondt'])
    }

    const body = JSON.stringify(aMessageOf('roya'))
    await site.request('/api/contact', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
    const [email] = await waitUntil(async () => {
      const emails = await site.writtenEmails()
      return emails.length === 1 && emails
    }, 'email')
    expect(email?.subject).toBe('Nieuw contactbericht via Bakkerij Hondt')
    expect(email?.from?.text).toContain('Bakkerij Hondt')
    const headers = email?.headerLines.map(({ line }) => line).join(' ')
    expect(`${email?.subject} ${email?.from?.text} ${email?.text} ${email?.html} ${headers}`).not.toMatch(/maaslicht/i)
  })

  test('the legal identity, in footer, top, contact section, statements, structured data and emails', async () => {
    const site = await aTestApp({
      site: (config) => {
        config.legal = {
          name: 'Hondt & Zn. B.V.',
          address: { street: 'Broodstraat 3', postalCode: '6221 AB', city: 'Wyck', country: 'NL' },
          email: 'winkel@hondt.example',
          telephone: '+31 (43) 765 43 21',
          kvk: '87654321',
          vat: 'NL008765432B01',
        }
      },
    })
    for (const [path, telephone] of [
      ['/', '+31 (43) 765 43 21'],
      ['/fa', '+۳۱ (۴۳) ۷۶۵ ۴۳ ۲۱'],
    ] as const) {
      const page = await html(site, path)
      const footer = page.slice(page.indexOf('<footer'))
      for (const fact of [
        'Hondt &amp; Zn. B.V.',
        'Broodstraat 3',
        '6221 AB',
        'Wyck',
        'winkel@hondt.example',
        telephone,
        '87654321',
        'NL008765432B01',
      ]) {
        expect(footer, fact).toContain(fact)
      }
      const top = /<div class="strip">.*?<\/div><\/div>/s.exec(page)?.[0] ?? ''
      expect(top).toContain(`<a href="tel:+31437654321">${telephone}</a>`)
      expect(page.match(/href="tel:\+31437654321"/g)?.length).toBe(3)
      expect(page).toContain('href="mailto:winkel@hondt.example"')
      expect(dataOf(page)[0]).toMatchObject({
        legalName: 'Hondt & Zn. B.V.',
        telephone: '+31 (43) 765 43 21',
        email: 'winkel@hondt.example',
        vatID: 'NL008765432B01',
        identifier: { value: '87654321' },
        address: {
          streetAddress: 'Broodstraat 3',
          postalCode: '6221 AB',
          addressLocality: 'Wyck',
          addressCountry: 'NL',
        },
      })
      expect(page).not.toMatch(/012 34 56|12345678|Lichtkade/)
    }
    for (const path of ['/privacy-verklaring', '/disclaimer']) {
      expect(await html(site, path)).toContain('Hondt &amp; Zn. B.V.')
    }
    await site.request('/api/contact', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(aMessageOf('roya')),
    })
    const [email] = await waitUntil(async () => {
      const emails = await site.writtenEmails()
      return emails.length === 2 && emails
    }, 'emails')
    for (const fact of ['Hondt & Zn. B.V.', 'Broodstraat 3', '6221 AB Wyck', 'KvK 87654321', 'NL008765432B01']) {
      expect(email?.text).toContain(fact)
    }
  })

  test('a company without a telephone number has no link for it, and no link to a missing profile', async () => {
    const site = await aTestApp({
      site: (config) => {
        delete config.legal.telephone
        config.business.sameAs = []
      },
    })
    for (const path of ['/', '/fa', '/disclaimer', '/fa/privacy-verklaring']) {
      const page = (await html(site, path)).replaceAll(/<(script|style)>.*?<\/\1>/gs, '')
      expect(page).not.toContain('tel:')
      expect(page).not.toMatch(/\[[a-zA-Z.]+\d?\]/)
      expect(page).not.toContain('href=""')
      expect(page).not.toContain('Instagram')
    }
  })
})
