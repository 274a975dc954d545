import { expect, test } from 'vitest'
import { linkIn } from './links.ts'

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
])('%s leads a Persian reader to %s', (url, expected) => {
  expect(linkIn('fa', url)).toBe(expected)
})

test('a Dutch reader gets every link as it was written', () => {
  expect(linkIn('nl', '/privacy-verklaring')).toBe('/privacy-verklaring')
})
