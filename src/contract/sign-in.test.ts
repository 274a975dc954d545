import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { safeTarget } from './sign-in.ts'

const site = 'https://site.example'

describe('a target stays on this site', () => {
  test.each([
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '/\\/evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n//evil.example',
    '\t//evil.example',
    '/%09/../..//evil.example',
    '/..//evil.example',
    '/.//evil.example',
    '/x/..//evil.example',
    '/%2e%2e//evil.example',
    '/x/%2E%2E//evil.example',
    'https://evil.example',
    'https:/evil.example',
    'https:evil.example',
    'http://site.example.evil.example',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,hi',
    ' /user',
    'user',
    '@evil.example',
    '.evil.example',
    ':evil.example',
    '?redirect=//evil.example',
    '#//evil.example',
    '',
  ])('%j is not followed', (asked) => {
    const target = safeTarget(asked)
    expect(new URL(target, site).origin).toBe(site)
    expect(target).toMatch(/^\/(?!\/)/)
  })

  test.each([
    ['/user', '/user'],
    ['/admin/users?page=2&search=a%20b#top', '/admin/users?page=2&search=a%20b#top'],
    ['/admin?next=https://elsewhere.example', '/admin?next=https://elsewhere.example'],
    ['/diensten/../user', '/user'],
    ['/نمونه', '/%D9%86%D9%85%D9%88%D9%86%D9%87'],
    [undefined, '/user'],
    [null, '/user'],
    [`/${'x'.repeat(3_000)}`, '/user'],
  ])('%j leads to %j', (asked, target) => {
    expect(safeTarget(asked)).toBe(target)
  })

  const pieces = fc.constantFrom(
    ...['/', '//', '\\', '.', '..', '%2e', '%2f', '%5c', '@', ':', '?', '#', '\t', '\n', '\r', '\0', ' ', '\u2028'],
    ...['https:', 'javascript:', 'evil.example', 'user', '[', ']', '%', '\ud800', '／', '。', '\u200e'],
  )

  test('for any input, also when a browser resolves it on a page of the site', () => {
    const asked = fc.oneof(
      fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join('')),
      fc.array(pieces, { maxLength: 12 }).map((parts) => `/${parts.join('')}`),
      fc.string({ unit: 'binary' }),
      fc.webUrl({ withFragments: true, withQueryParameters: true }),
    )
    fc.assert(
      fc.property(asked, fc.constantFrom('/login', '/fa/login', '/login/code'), (text, from) => {
        const target = safeTarget(text)
        expect(target).toMatch(/^\/(?![/\\])[\x21-\x7e]*$/)
        expect(new URL(target, site + from).origin).toBe(site)
        // An accepted target is accepted again, unchanged.
        expect(safeTarget(target)).toBe(target)
      }),
      { numRuns: 1_000 },
    )
  })
})
