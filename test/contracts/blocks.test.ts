import { describe, expect, test } from 'vitest'
import { blocks } from '../../src/blocks/registry.ts'
import { aTestApp } from '../support/test-app.ts'

/** What the left area of the footer shows with these blocks, for a visitor who is not signed in. */
async function shown(...blocks: object[]): Promise<string> {
  const { request } = await aTestApp({
    site: (config) => {
      config.branding.footer.left.nl = blocks
    },
  })
  const html = await (await request('/disclaimer')).text()
  return /<footer[^>]*><div class="wrap"><div class="left">(.*?)<\/div><div class="right">/s.exec(html)?.[1] ?? ''
}

test('spec 2 block types: the eight, and the sections of the home page', () => {
  expect(Object.keys(blocks)).toEqual(
    expect.arrayContaining(['content', 'footer-links', 'icon', 'image', 'line', 'link', 'menu', 'social-icons']),
  )
  expect(Object.keys(blocks)).toEqual(
    expect.arrayContaining(['hero', 'services', 'pricing', 'subscriptions', 'contact-form', 'rich-text']),
  )
})

describe('spec 3, a block on the page', () => {
  test('content is a h1, div or p with its class and its rich text', async () => {
    const selectors = ['h1', 'div', 'p']
    const content = {
      type: 'content',
      className: 'small muted',
      content: 'Hoi <strong>[brand]</strong><script>x()</script>',
    }
    expect(await shown(...selectors.map((selector) => ({ ...content, selector })))).toBe(
      selectors
        .map((selector) => `<${selector} class="small muted">Hoi <strong>Maaslicht</strong></${selector}>`)
        .join(''),
    )
  })

  test('content can contain only text and safe links: no script, no handler, no style', async () => {
    const html = await shown({
      type: 'content',
      content:
        '<p onclick="x()" style="color:red"><a href="javascript:x()">a</a><img src=x onerror=x()><iframe></iframe></p>',
    })
    expect(html).toBe('<div><p><a>a</a></p></div>')
  })

  test('link has its title, url, class and icon', async () => {
    const html = await shown({
      type: 'link',
      title: 'Bel [brand]',
      url: 'tel:[legal.telephone]',
      className: 'button',
      icon: 'phone',
    })
    expect(html).toMatch(/^<a href="tel:\+31430123456" class="link button"><svg[^>]*>.*<\/svg>Bel Maaslicht<\/a>$/s)
  })

  test('image has its file, class, description and, where it has one, its link', async () => {
    const picture = { type: 'image', src: '/werk.svg', alt: 'Ons werk voor "de Brug"', className: 'round' }
    const plain = await shown(picture)
    expect(plain).toMatch(/^<img [^>]*\/>$/)
    for (const part of ['src="/werk.svg"', 'alt="Ons werk voor &quot;de Brug&quot;"', 'class="round"']) {
      expect(plain).toContain(part)
    }
    expect(await shown({ ...picture, url: '/disclaimer' })).toBe(`<a href="/disclaimer">${plain}</a>`)
  })

  test('icon has its icon, title and description, each with a link where it has one', async () => {
    const icon = { type: 'icon', icon: 'globe', title: 'Moderne Websites', description: 'Snel op elk scherm.' }
    const plain = await shown(icon)
    expect(plain).toContain('<svg')
    expect(plain).toContain('<p class="icon-title">Moderne Websites</p><p>Snel op elk scherm.</p>')
    const linked = await shown({ ...icon, titleUrl: '/#diensten', descriptionUrl: 'https://elders.example' })
    expect(linked).toContain('<a href="/#diensten">Moderne Websites</a>')
    expect(linked).toContain('<a href="https://elders.example">Snel op elk scherm.</a>')
  })

  test('footer-links fills in the year, and opens a new tab where that is set', async () => {
    const html = await shown({
      type: 'footer-links',
      copyright: '© [year] Van ons',
      items: [
        { title: 'Gemaakt door [brand]', url: '[url]', target: '_blank' },
        { title: 'Disclaimer', url: '/disclaimer' },
      ],
    })
    expect(html).toContain(`<p>© ${new Date().getFullYear()} Van ons</p>`)
    expect(html).toContain('<a href="https://maaslicht.example" target="_blank" rel="noopener">Gemaakt door Maaslicht')
    expect(html).toContain('<a href="/disclaimer">Disclaimer</a>')
  })

  test('columns are shown side by side, each with its own blocks', async () => {
    const html = await shown({
      type: 'columns',
      widest: 'first',
      columns: [{ blocks: [{ type: 'content', content: '<p>Een</p>' }, { type: 'line' }] }, { blocks: [] }],
    })
    expect(html).toBe('<div class="columns first"><div><div><p>Een</p></div><hr class="line"/></div><div></div></div>')
  })

  test('gallery has images, each with its description, its caption and a link to the large image', async () => {
    const html = await shown({
      type: 'gallery',
      items: [{ src: '/werk.svg', alt: 'Ons werk', caption: 'Gemaakt in [legal.city]' }, { src: '/team.svg' }],
    })
    expect(html).toMatch(
      /^<ul class="gallery"[^>]*><li><figure><a href="\/werk\.svg" aria-label="Vergroot: Ons werk"><img src="\/werk\.svg" alt="Ons werk"[^>]*\/><\/a>/,
    )
    expect(html).toContain('<figcaption>Gemaakt in Maastricht</figcaption>')
    expect(html).toMatch(
      /<figure><a href="\/team\.svg" aria-label="Vergroot: Afbeelding 2"><img src="\/team\.svg" alt=""[^>]*\/><\/a><\/figure>/,
    )
  })

  test('testimonial has a quote, a name, and optionally a role and a portrait', async () => {
    const testimonial = { type: 'testimonial', quote: 'Zij komen <b>na</b>.', name: 'رویا مرادی' }
    const plain = await shown(testimonial)
    expect(plain).toContain('<blockquote><p>Zij komen &lt;b&gt;na&lt;/b&gt;.</p></blockquote>')
    expect(plain).toContain('<bdi class="who">رویا مرادی</bdi>')
    expect(plain).not.toMatch(/<img|class="note"/)
    const whole = await shown({ ...testimonial, role: 'Bakker', picture: '/roya.svg' })
    expect(whole).toMatch(/<img src="\/roya\.svg" alt="" class="portrait"/)
    expect(whole).toContain('<span class="note">Bakker</span>')
  })

  test('line is a line, and the id of a block is not on the page', async () => {
    expect(await shown({ type: 'line', id: 'blok-123' })).toBe('<hr class="line"/>')
  })

  test('social-icons opens each link in a new tab, with a text for screen readers', async () => {
    const html = await shown({
      type: 'social-icons',
      className: 'large',
      items: [{ icon: 'linkedin', title: 'LinkedIn', url: 'https://linkedin.example/x' }],
    })
    expect(html).toMatch(
      /^<ul class="social large"><li><a href="https:\/\/linkedin\.example\/x" target="_blank" rel="noopener" aria-label="LinkedIn \(opent in een nieuw tabblad\)"><svg/,
    )
  })

  test('menu has its items, with icons, classes and submenus; the mobile menu expands', async () => {
    const items = [
      { title: 'Wat bieden wij', url: '/#diensten', icon: 'globe', className: 'first' },
      {
        title: 'Prijzen',
        url: '/#prijzen',
        submenu: [
          { title: 'Setup', url: '/#prijzen' },
          { title: 'Abonnementen', url: '/#abonnementen' },
        ],
      },
    ]
    const desktop = await shown({
      type: 'menu',
      menuType: 'desktop',
      submenuDirection: 'end',
      className: 'wide',
      items,
    })
    expect(desktop).toContain('<ul class="menu menu-desktop wide">')
    expect(desktop).toMatch(/<li class="first"><a href="\/#diensten"><svg.*?<\/svg>Wat bieden wij<\/a><\/li>/s)
    expect(desktop).toContain('<li><a href="/#abonnementen">Abonnementen</a></li>')
    expect(desktop).not.toContain('<details>')
    const mobile = await shown({ type: 'menu', menuType: 'mobile', items })
    expect(mobile).toMatch(/<details><summary class="more">Prijzen<\/summary><ul>.*Abonnementen/s)
  })

  test('menus can be nested deeply, and an item that only opens its submenu needs no url', async () => {
    const items = [
      {
        title: 'Diensten',
        submenu: [
          {
            title: 'Websites',
            url: '/#diensten',
            submenu: [{ title: 'Winkels', submenu: [{ title: 'Bakkers', url: '/bakkers' }] }],
          },
        ],
      },
    ]
    const desktop = await shown({ type: 'menu', menuType: 'desktop', items })
    expect(desktop).toBe(
      '<ul class="menu menu-desktop"><li><div class="submenu"><button type="button" class="more">Diensten</button><ul><li><div class="submenu"><a href="/#diensten" class="more">Websites</a><ul><li><div class="submenu"><button type="button" class="more">Winkels</button><ul><li><a href="/bakkers">Bakkers</a></li></ul></div></li></ul></div></li></ul></div></li></ul>',
    )
    const mobile = await shown({ type: 'menu', menuType: 'mobile', items })
    expect(mobile.match(/<summary class="more">(Diensten|Websites|Winkels)<\/summary>/g)).toHaveLength(3)
    expect(mobile).toContain('<a href="/bakkers">Bakkers</a>')
  })

  test('a phone reaches the page of an item with a submenu, unless the submenu leads there', async () => {
    const mobile = (submenu: object[]) =>
      shown({ type: 'menu', menuType: 'mobile', items: [{ title: 'Diensten', url: '/diensten', submenu }] })
    const [summary, link] = ['<summary class="more">Diensten</summary>', '<li><a href="/websites">Websites</a></li>']
    expect(await mobile([{ title: 'Websites', url: '/websites' }])).toContain(
      `${summary}<ul><li><a href="/diensten">Diensten</a></li>${link}</ul>`,
    )
    const overview = '<li><a href="/diensten">Overzicht</a></li>'
    expect(
      await mobile([
        { title: 'Overzicht', url: '/diensten' },
        { title: 'Websites', url: '/websites' },
      ]),
    ).toContain(`${summary}<ul>${overview}${link}</ul>`)
  })

  test('a menu hides the item with the user’s name at every depth for anonymous visitors, and its empty parent', async () => {
    const user = { title: '[user]', url: '/user' }
    const items = [
      user,
      { title: 'Account', submenu: [user] },
      { title: 'Meer', url: '/disclaimer', submenu: [{ title: 'Dieper', url: '/', submenu: [user] }, user] },
    ]
    expect(await shown({ type: 'menu', menuType: 'desktop', items })).toBe(
      '<ul class="menu menu-desktop"><li><div class="submenu"><a href="/disclaimer" class="more">Meer</a><ul><li><a href="/">Dieper</a></li></ul></div></li></ul>',
    )
  })

  test('a menu with showIf is visible when signed out, unless it is for people who are signed in', async () => {
    const menu = (showIf?: string) => ({
      type: 'menu',
      menuType: 'desktop',
      items: [{ title: `Voor wie: ${showIf}`, url: '/' }],
      ...(showIf && { showIf }),
    })
    const html = await shown(menu(), menu('always'), menu('logged-out'), menu('logged-in'))
    const titles = [...html.matchAll(/Voor wie: ([\w-]+)/g)].map(([, showIf]) => showIf)
    expect(titles).toEqual(['undefined', 'always', 'logged-out'])
  })
})

test('a page with its heading in a column gets no second heading', async () => {
  const { request } = await aTestApp({
    site: (config) => {
      const title = { type: 'content', selector: 'h1', content: 'Ons werk' }
      const picture = { type: 'gallery', items: [{ src: '/werk.svg' }] }
      const body = [{ type: 'columns', columns: [{ blocks: [title] }, { blocks: [picture] }] }]
      config.pages.push({
        slug: 'werk',
        updated: '2026-11-21',
        content: { nl: { title: 'Werk', description: '', body } },
      })
    },
  })
  const html = await (await request('/werk')).text()
  expect(html.match(/<h1/g)).toHaveLength(1)
})

test('an area without visible blocks takes no space', async () => {
  const { request } = await aTestApp({
    site: (config) => {
      config.branding.navbar.top.nl = [{ type: 'menu', showIf: 'logged-in', menuType: 'desktop', items: [] }]
      config.branding.footer.left.nl = []
    },
  })
  const html = await (await request('/')).text()
  expect(html).toContain('<div class="strip"></div>')
  expect(html).not.toContain('<div class="left">')
})

const wantedLink = 'An address of this site, of the web, mailto: or tel: is wanted'

const refused = [
  ['a link to a script', { type: 'link', title: 'x', url: 'javascript:alert(1)' }, 'url', wantedLink],
  ['a link to nowhere on this site', { type: 'link', title: 'x', url: '//evil.example' }, 'url', wantedLink],
  ['a link that a placeholder could lead anywhere', { type: 'link', title: 'x', url: '[user]' }, 'url', wantedLink],
  [
    'a link without end',
    { type: 'link', title: 'x', url: `/${'x'.repeat(2000)}` },
    'url',
    'Too big: expected string to have <=2000 characters',
  ],
  ['an image from a script', { type: 'image', src: 'javascript:x', alt: '' }, 'src', wantedLink],
  ['an unknown menu type', { type: 'menu', menuType: 'sideways', items: [] }, 'menuType', 'Invalid option: expected'],
  [
    'a class that could break out of its attribute',
    { type: 'link', title: 'x', url: '/', className: 'x" onclick="y' },
    'className',
    'Letters, digits, spaces, - and _ are wanted',
  ],
  [
    'an invalid anchor',
    { type: 'contact-form', title: 'x', anchor: 'Prijzen!' },
    'anchor',
    'Small letters, digits and - are wanted',
  ],
  [
    'a portrait with a javascript: URL',
    { type: 'testimonial', quote: 'x', name: 'x', picture: 'javascript:x' },
    'picture',
    wantedLink,
  ],
  [
    'columns in columns',
    { type: 'columns', columns: [{ blocks: [{ type: 'columns', columns: [] }] }, { blocks: [] }] },
    'columns.0.blocks.0.type',
    'One of these is wanted: content, footer-links, icon',
  ],
  ['one column', { type: 'columns', columns: [{ blocks: [] }] }, 'columns', 'Too small: expected array'],
  ['an unknown block', { type: 'marquee' }, 'type', 'One of these is wanted: content, footer-links'],
] as const

test('a configuration with invalid blocks is refused, with the path of each problem and a reason in words', async () => {
  const starting = aTestApp({
    site: (config) => {
      config.branding.footer.right.fa = refused.map(([, block]) => block)
    },
  })
  const message = await starting.then(
    () => 'it started',
    (error: Error) => error.message,
  )
  for (const [index, [what, , field, reason]] of refused.entries()) {
    expect(message, what).toContain(`branding.footer.right.fa.${index}.${field}: ${reason}`)
  }
})
