import { describe, expect, test } from 'vitest'
import { blocks } from '../../src/blocks/registry.ts'
import { aTestApp } from '../support/test-app.ts'

/** What the footer's left area shows when these blocks stand in it, as anybody sees it who is not signed in. */
async function shown(...blocks: object[]): Promise<string> {
  const { request } = await aTestApp({
    site: (config) => {
      config.branding.footer.left.nl = blocks
    },
  })
  const html = await (await request('/disclaimer')).text()
  return /<footer[^>]*><div class="wrap"><div class="left">(.*?)<\/div><div class="right">/s.exec(html)?.[1] ?? ''
}

test('spec 2 block types: the eight, and the sections that the home page needs', () => {
  expect(Object.keys(blocks)).toEqual(
    expect.arrayContaining(['content', 'footer-links', 'icon', 'image', 'line', 'link', 'menu', 'social-icons']),
  )
  expect(Object.keys(blocks)).toEqual(
    expect.arrayContaining(['hero', 'services', 'pricing', 'subscriptions', 'contact-form', 'rich-text']),
  )
})

describe('spec 3, on the page: a block', () => {
  test.each(['h1', 'div', 'p'])('content is a %s with its class and its rich text', async (selector) => {
    const html = await shown({
      type: 'content',
      selector,
      className: 'small muted',
      content: 'Hoi <strong>[brand]</strong><script>x()</script>',
    })
    expect(html).toBe(`<${selector} class="small muted">Hoi <strong>Maaslicht</strong></${selector}>`)
  })

  test('content cannot bring more than text: no script, no handler, no style, no strange link', async () => {
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

  test('footer-links fills the year, and opens a new tab where that is asked for', async () => {
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

  test('columns stand beside each other, each with its own blocks', async () => {
    const html = await shown({
      type: 'columns',
      widest: 'first',
      columns: [{ blocks: [{ type: 'content', content: '<p>Een</p>' }, { type: 'line' }] }, { blocks: [] }],
    })
    expect(html).toBe('<div class="columns first"><div><div><p>Een</p></div><hr class="line"/></div><div></div></div>')
  })

  test('gallery has pictures, each with its description and its caption', async () => {
    const html = await shown({
      type: 'gallery',
      items: [{ src: '/werk.svg', alt: 'Ons werk', caption: 'Gemaakt in [legal.city]' }, { src: '/team.svg' }],
    })
    expect(html).toMatch(/^<ul class="gallery"><li><figure><img src="\/werk\.svg" alt="Ons werk"[^>]*\/>/)
    expect(html).toContain('<figcaption>Gemaakt in Maastricht</figcaption>')
    expect(html).toMatch(/<figure><img src="\/team\.svg" alt=""[^>]*\/><\/figure>/)
  })

  test('testimonial has the words of somebody, with a name and where there is one a role and a portrait', async () => {
    const said = { type: 'testimonial', quote: 'Zij komen <b>na</b>.', name: 'رویا مرادی' }
    const plain = await shown(said)
    expect(plain).toContain('<blockquote><p>Zij komen &lt;b&gt;na&lt;/b&gt;.</p></blockquote>')
    expect(plain).toContain('<bdi class="who">رویا مرادی</bdi>')
    expect(plain).not.toMatch(/<img|class="note"/)
    const whole = await shown({ ...said, role: 'Bakker', picture: '/roya.svg' })
    expect(whole).toMatch(/<img src="\/roya\.svg" alt="" class="portrait"/)
    expect(whole).toContain('<span class="note">Bakker</span>')
  })

  test('the id of a block stands nowhere on the page', async () => {
    expect(await shown({ type: 'line', id: 'blok-123' })).toBe('<hr class="line"/>')
  })

  test('line is a line', async () => expect(await shown({ type: 'line' })).toMatch(/^<hr[^>]*\/>$/))

  test('social-icons opens each in a new tab, with words for who does not see the icon', async () => {
    const html = await shown({
      type: 'social-icons',
      className: 'large',
      items: [{ icon: 'linkedin', title: 'LinkedIn', url: 'https://linkedin.example/x' }],
    })
    expect(html).toMatch(
      /^<ul class="social large"><li><a href="https:\/\/linkedin\.example\/x" target="_blank" rel="noopener" aria-label="LinkedIn \(opent in een nieuw tabblad\)"><svg/,
    )
  })

  test('menu has its items, with icons, classes and submenus; the mobile one unfolds', async () => {
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

  test.each([
    [undefined, true],
    ['always', true],
    ['logged-out', true],
    ['logged-in', false],
  ])('menu with showIf %s is seen by who is logged out: %s', async (showIf, seen) => {
    const menu = {
      type: 'menu',
      menuType: 'desktop',
      items: [{ title: 'Voor wie?', url: '/' }],
      ...(showIf && { showIf }),
    }
    expect((await shown(menu, { type: 'line' })).includes('Voor wie?')).toBe(seen)
  })

  test('menu leaves out the item with the user’s name for who is logged out', async () => {
    const html = await shown({
      type: 'menu',
      menuType: 'desktop',
      items: [
        { title: '[user]', url: '/user' },
        { title: 'Contact', url: '/#contact' },
      ],
    })
    expect(html).not.toMatch(/\[user\]|\/user/)
    expect(html).toContain('Contact')
  })
})

test('a page whose heading stands in a column gets no second one', async () => {
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

test('an area without blocks, or with none for this visitor, takes no room', async () => {
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

test.each([
  ['a link to a script', { type: 'link', title: 'x', url: 'javascript:alert(1)' }, 'url', wantedLink],
  ['a link to nowhere on this site', { type: 'link', title: 'x', url: '//evil.example' }, 'url', wantedLink],
  ['a link that a placeholder could lead anywhere', { type: 'link', title: 'x', url: '[user]' }, 'url', wantedLink],
  ['a link without end', { type: 'link', title: 'x', url: `/${'x'.repeat(2000)}` }, 'url', 'At most 2000 characters'],
  ['a picture from a script', { type: 'image', src: 'javascript:x', alt: '' }, 'src', wantedLink],
  [
    'an unknown kind of menu',
    { type: 'menu', menuType: 'sideways', items: [] },
    'menuType',
    'Invalid option: expected',
  ],
  [
    'a class that could leave its attribute',
    { type: 'link', title: 'x', url: '/', className: 'x" onclick="y' },
    'className',
    'Letters, digits, spaces, - and _ are wanted',
  ],
  [
    'an anchor that no address can name',
    { type: 'contact-form', title: 'x', anchor: 'Prijzen!' },
    'anchor',
    'Small letters, digits and - are wanted',
  ],
  [
    'a portrait from a script',
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
])('a configuration with %s is refused, with its place and a reason in words', async (_, block, field, reason) => {
  const starting = aTestApp({
    site: (config) => {
      config.branding.footer.right.fa = [block]
    },
  })
  await expect(starting).rejects.toThrow(`branding.footer.right.fa.0.${field}: ${reason}`)
})
