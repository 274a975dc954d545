import { expect, test } from 'vitest'
import { localizedLink } from './render-text.tsx'

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
])('%s becomes %s in Persian', (url, expected) => {
  expect(localizedLink('fa', url)).toBe(expected)
})

test('in Dutch every link stays as written', () => {
  expect(localizedLink('nl', '/privacy-verklaring')).toBe('/privacy-verklaring')
})
