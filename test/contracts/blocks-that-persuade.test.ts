import { describe, expect, test } from 'vitest'
import { publishedPage, savePageIn } from '../support/pages.ts'
import { parseHtml } from '../support/parse-html.ts'
import { heroWith } from '../support/persuading-blocks.ts'
import { as } from '../support/staff.ts'
import { aTestApp, type TestApp } from '../support/test-app.ts'
import { aPdf, uploadFile } from '../support/uploads.ts'

/** A site with pages of these blocks by their slugs, in both languages. */
const siteWithPages = (pages: Record<string, object[]>): Promise<TestApp> =>
  aTestApp({
    site: (config) => {
      for (const [slug, body] of Object.entries(pages)) {
        const content = { title: 'Proef', description: '', body }
        config.pages.push({ slug, updated: '2026-11-21', content: { nl: content, fa: content } })
      }
    },
  })

/** A site with these blocks at /proef. */
const siteWith = (...proef: object[]): Promise<TestApp> => siteWithPages({ proef })

async function opened(site: TestApp, path = '/proef') {
  const response = await site.request(path)
  const html = await response.text()
  expect([response.status, path]).toEqual([200, path])
  const document = parseHtml(html)
  const policy = response.headers.get('content-security-policy') ?? ''
  return { html, document, policy, main: document.querySelector('main') as HTMLElement }
}

const textOf = (element: Element | null | undefined) => (element?.textContent ?? '').replace(/\s+/g, ' ').trim()

describe('a video of a platform', () => {
  const video = { type: 'video', src: 'https://youtu.be/aqz-KE-bpKQ', title: 'Een dag', picture: '/beeld.svg' }

  test('is a link until the click: the page requests nothing of the platform, and allows only its player', async () => {
    const { html, document, policy } = await opened(await siteWith(video))
    const link = document.querySelector<HTMLAnchorElement>('.video a')
    expect(link?.href).toBe('https://www.youtube.com/watch?v=aqz-KE-bpKQ')
    expect(textOf(link)).toContain('Speelt af bij YouTube')
    expect(link?.querySelector('img')?.getAttribute('src')).toBe('/beeld.svg')
    const requested = [...document.querySelectorAll('main :is([src], [srcset], [poster]), link[href]')]
    for (const one of requested) expect(one.outerHTML.replace(/href="[^"]*localhost[^"]*"/, '')).not.toMatch(/youtu/)
    expect(html).not.toMatch(/preconnect|dns-prefetch|<iframe/)
    expect(policy).toContain('frame-src https://www.youtube-nocookie.com;')
  })

  test('changes the policy of no other page, and of Vimeo allows only Vimeo', async () => {
    const inColumn = {
      type: 'columns',
      columns: [{ blocks: [{ ...video, src: 'https://vimeo.com/76979871' }] }, { blocks: [] }],
    }
    const site = await siteWith(inColumn)
    expect((await opened(site)).policy).toContain('frame-src https://player.vimeo.com;')
    expect((await opened(site, '/')).policy).not.toContain('frame-src')
  })

  test('of another host is refused at its field, in words', async () => {
    const site = await aTestApp()
    const bente = await as(site, 'beheerder')
    const id = await publishedPage(bente, { title: 'Film' })
    const answer = await savePageIn(bente, id, { body: [{ ...video, src: 'https://video.example/1' }] })
    expect(answer.status).toBe(422)
    const { errors } = await answer.json()
    expect(errors).toEqual([
      { path: 'text.body.0.src', message: expect.stringMatching(/eigen film.*YouTube of Vimeo/) },
    ])
  })
})

test('an uploaded film has controls, and is not loaded before it plays', async () => {
  const { document, policy } = await opened(
    await siteWith({ type: 'video', src: '/film.webm', title: 'Onze oven', picture: '/beeld.svg' }),
  )
  const film = document.querySelector('video')
  expect(film?.outerHTML).toMatch(/controls="".*preload="none".*aria-label="Onze oven" poster="\/beeld\.svg"/)
  expect(film?.querySelector('source')?.outerHTML).toBe('<source src="/film.webm" type="video/webm">')
  expect(policy).toContain("media-src 'self'")
  expect(policy).not.toContain('frame-src')
})

test('the captions of an uploaded film are tracks, each named by its language, in the language of the visitor', async () => {
  const captions = [
    { file: '/oven.nl.vtt', language: 'nl' },
    { file: '/oven.fa.vtt', language: 'fa' },
  ]
  const { document } = await opened(await siteWith({ type: 'video', src: '/film.webm', title: 'Onze oven', captions }))
  expect([...document.querySelectorAll('video > track')].map((track) => track.outerHTML)).toEqual([
    '<track kind="captions" src="/oven.nl.vtt" srclang="nl" label="Nederlands">',
    '<track kind="captions" src="/oven.fa.vtt" srclang="fa" label="Perzisch">',
  ])

  const site = await aTestApp()
  const bente = await as(site, 'beheerder')
  const id = await publishedPage(bente, { title: 'Film' })
  const wrong = [
    { file: 'https://elders.example/oven.vtt', language: 'nl' },
    { file: '/oven.srt', language: 'vl' },
  ]
  const answer = await savePageIn(bente, id, {
    body: [{ type: 'video', src: '/film.webm', title: '', captions: wrong }],
  })
  expect([answer.status, (await answer.json()).errors.map(({ path }: { path: string }) => path)]).toEqual([
    422,
    ['text.body.0.captions.0.file', 'text.body.0.captions.1.file', 'text.body.0.captions.1.language'],
  ])
})

describe('the hero', () => {
  test('with a film plays it without sound, and with reduced motion only on request', async () => {
    const { main } = await opened(
      await siteWith(heroWith('nl', { media: 'film', film: '/film.mp4', src: '/beeld.svg' })),
    )
    const [moving, still] = [...main.querySelectorAll('video')]
    expect([...(moving?.attributes ?? [])].map(({ name }) => name)).toEqual(
      expect.arrayContaining(['muted', 'autoplay', 'loop', 'playsinline', 'controls', 'poster']),
    )
    // The only source of the one that plays by itself does not match with reduced motion.
    expect([...(moving?.children ?? [])].map((source) => source.getAttribute('media'))).toEqual([
      '(prefers-reduced-motion: no-preference)',
    ])
    expect([still?.hasAttribute('autoplay'), still?.hasAttribute('controls'), still?.preload]).toEqual([
      false,
      true,
      'none',
    ])
  })

  test('shows a drawing by default, or nothing, a picture or a screenshot', async () => {
    const shown = [
      ['tekening', {}, '.view', 1],
      ['niets', { media: 'none' }, '.view, .media', 0],
      [
        'beeld',
        { media: 'picture', src: '/beeld.svg', alt: 'De Maas' },
        '.media > img[alt="De Maas"][fetchpriority]',
        1,
      ],
      ['scherm', { media: 'screenshot', src: '/beeld.svg' }, '.media.screen > img', 1],
    ] as const
    const pages = shown.map(([slug, media]): [string, object[]] => [slug, [heroWith('nl', media)]])
    const site = await siteWithPages(Object.fromEntries(pages))
    for (const [slug, , selector, count] of shown) {
      const { main } = await opened(site, `/${slug}`)
      expect(main.querySelectorAll(selector), slug).toHaveLength(count)
    }
  })
})

test('a download shows the type and the size of the file, in both languages', async () => {
  const site = await aTestApp()
  const bente = await as(site, 'beheerder')
  const { url } = await uploadFile(bente, 'prijzen.pdf', aPdf('x'.repeat(1_234_000)))
  const items = [
    { file: url, title: 'Prijslijst' },
    { file: '/voorwaarden.pdf', title: 'Voorwaarden' },
  ]
  await publishedPage(bente, { title: 'Proef', body: [{ type: 'download', items }] })
  await expect.poll(async () => (await site.request('/proef')).status).toBe(200)
  const notes = async (path: string) =>
    [...(await opened(site, path)).main.querySelectorAll('.downloads .note')].map(textOf)
  expect(await notes('/proef')).toEqual(['PDF · 1,2 MB', 'PDF'])
  expect((await opened(site)).main.querySelector('.downloads a')?.getAttribute('href')).toBe(url)
})

test('a comparison is a table with headers, in which yes and no are words too', async () => {
  const { document } = await opened(
    await siteWith({
      type: 'comparison',
      title: 'Wat past bij u?',
      columns: [{ title: 'Zelf' }, { title: 'Samen', recommended: true }],
      rows: [
        { title: 'Snel', cells: ['Nee', 'ja'] },
        { title: 'Uren', cells: ['12'] },
      ],
    }),
  )
  expect([...document.querySelectorAll('thead th')].map((one) => [one.getAttribute('scope'), textOf(one)])).toEqual([
    ['col', 'Zelf'],
    ['col', 'AanbevolenSamen'],
  ])
  expect([...document.querySelectorAll('tbody th')].map((one) => [one.getAttribute('scope'), textOf(one)])).toEqual([
    ['row', 'Snel'],
    ['row', 'Uren'],
  ])
  expect([...document.querySelectorAll('tbody td')].map(textOf)).toEqual(['Nee', 'Ja', '12', ''])
  expect(document.querySelector('[role="region"][tabindex="0"][aria-label="Wat past bij u?"] > table')).not.toBeNull()
})

describe('the button of an offer', () => {
  const pricing = { type: 'pricing', title: 'Prijzen', button: 'Neem contact op' }

  test('leads to the form with its subject filled in, in each language, and names the offer', async () => {
    const site = await siteWith(pricing)
    for (const [path, href, subject] of [
      ['/proef', '/?onderwerp=onepager#contact', 'Onderwerp: Eén pagina'],
      ['/fa/proef', '/fa?onderwerp=onepager#contact', 'موضوع: تک‌صفحه‌ای'],
    ] as const) {
      const { main } = await opened(site, path)
      const [first] = main.querySelectorAll<HTMLAnchorElement>('.offer .button')
      expect(first?.getAttribute('href')).toBe(href)
      expect(textOf(first)).toMatch(/^Neem contact op \(.+\)$/)
      const form = await opened(site, href.split('#')[0])
      const message = form.document.querySelector<HTMLTextAreaElement>('[name=bericht]')
      expect(message?.value).toBe(`${subject}\n\n`)
      expect(first?.dataset.subject).toBe(message?.value)
    }
  })

  test('is cached separately for each existing offer, and for no other subject', async () => {
    const site = await siteWith(pricing)
    const etag = async (path: string) => (await site.request(path)).headers.get('etag')
    const [plain, about, other, unknown] = [
      await etag('/'),
      await etag('/?onderwerp=onepager'),
      await etag('/?onderwerp=hosting'),
      await etag('/?onderwerp=%3Cscript%3E'),
    ]
    expect(new Set([plain, about, other]).size).toBe(3)
    expect(unknown).toBe(plain)
    expect(await etag('/')).toBe(plain)
  })

  test('is not shown without a text for it', async () => {
    const { main } = await opened(await siteWith({ type: 'pricing', title: 'Prijzen' }))
    expect(main.querySelectorAll('.offer .button')).toHaveLength(0)
  })
})

test('the route consists of links to map services, from which the page requests nothing', async () => {
  const { main } = await opened(
    await siteWith({ type: 'location', title: 'Route', address: '[legal.street]\n[legal.postalCode] [legal.city]' }),
  )
  const links = [...main.querySelectorAll<HTMLAnchorElement>('.routes a')]
  expect(links.map(({ host }) => host)).toEqual(['www.google.com', 'maps.apple.com', 'www.openstreetmap.org'])
  expect(links[0]?.search).toContain('destination=Lichtkade%2012%2C%206211%20ZZ%20Maastricht')
  expect(main.querySelectorAll('[src]')).toHaveLength(0)
})

test('numbers, years and steps are in Persian digits on a Persian page', async () => {
  const site = await siteWith(
    { type: 'figures', title: '', items: [{ value: '98%', label: 'x' }] },
    { type: 'cases', title: 'x', items: [{ title: 'x', client: 'De Brug', year: '2025' }] },
    { type: 'steps', title: 'x', items: [{ title: 'x', when: 'Week 2' }] },
  )
  const { main } = await opened(site, '/fa/proef')
  // A name in Latin script would otherwise pull the year to its other side.
  expect([...main.querySelectorAll('.works .note bdi')].map(textOf)).toEqual(['De Brug', '۲۰۲۵'])
  expect(['.numbers strong', '.works .note', '.stages .when'].map((one) => textOf(main.querySelector(one)))).toEqual([
    '۹۸%',
    'De Brug · ۲۰۲۵',
    'Week ۲',
  ])
})

test('a wrong email address of a colleague is refused at its field', async () => {
  const starting = siteWith({ type: 'team', title: 'Team', items: [{ name: 'Anna', email: 'anna@' }] })
  await expect(starting).rejects.toThrow('items.0.email')
})
