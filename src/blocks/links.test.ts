import { expect, test } from 'vitest'
import { localizedLink } from './render-text.tsx'

const site = { locales: ['nl', 'fa', 'en'] }

test.each([
  ['/', '/fa'],
  ['/#contact', '/fa#contact'],
  ['/privacy-verklaring', '/fa/privacy-verklaring'],
  ['/user', '/user'],
  ['/files/3fa2/folder.pdf', '/files/3fa2/folder.pdf'],
  ['/opengraph.png', '/opengraph.png'],
  ['/userhandleiding', '/fa/userhandleiding'],
  ['#contact', '#contact'],
  ['https://example.com/', 'https://example.com/'],
  ['mailto:info@example.com', 'mailto:info@example.com'],
  // A link that was written with the prefix of a language leads to that language.
  ['/fa/x?y=1#z', '/fa/x?y=1#z'],
  ['/en/x', '/en/x'],
])('%s becomes %s in Persian', (url, expected) => {
  expect(localizedLink({ locale: 'fa', site }, url)).toBe(expected)
})

test('in Dutch every link stays as written', () => {
  expect(localizedLink({ locale: 'nl', site }, '/privacy-verklaring')).toBe('/privacy-verklaring')
})

test.each([
  ['en', '/', '/'],
  ['en', '/shop?q=1#a', '/shop?q=1#a'],
  ['en', '/en/shop', '/shop'],
  ['en', '/nl/winkel', '/nl/winkel'],
  ['nl', '/', '/nl'],
  ['nl', '/#contact', '/nl#contact'],
  ['nl', '/winkel', '/nl/winkel'],
  ['fa', '/winkel', '/fa/winkel'],
])('with English at the root, on a page in %s, %s becomes %s', (locale, url, expected) => {
  expect(localizedLink({ locale, site: { ...site, rootLocale: 'en' } }, url)).toBe(expected)
})

test('a link to a path that is known to lead to another path gets that path, with its query and fragment', () => {
  const linkedPaths = new Map([['/winkel', '/shop']])
  const context = { locale: 'en', site: { ...site, rootLocale: 'en' }, linkedPaths }
  expect(localizedLink(context, '/winkel?q=1#a')).toBe('/shop?q=1#a')
})
