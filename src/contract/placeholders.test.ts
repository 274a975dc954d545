import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { defaultSiteFile } from '../../test/support/site-file.ts'
import { fillPlaceholders, fillUrlPlaceholders, placeholdersOf } from './placeholders.ts'
import { isLinkUrl, isSafeUrl } from './url.ts'

const site = {
  ...defaultSiteFile(),
  brand: 'Bakkerij Hondt',
  url: 'https://bakkerij-hondt.example',
  business: { ...defaultSiteFile().business, sameAs: ['https://social.example/hondt'] },
}
const placeholders = placeholdersOf(site, 'nl', new Date('2026-12-31T23:30:00Z'), 'Roya')

describe('a text', () => {
  test('is filled from the configuration; the year changes at midnight in Amsterdam', () => {
    expect(fillPlaceholders('© [year] [brand], [legal.city] – [user]', placeholders)).toBe(
      '© 2027 Bakkerij Hondt, Maastricht – Roya',
    )
  })

  test.each(['[1]', '[]', '[constructor]', '[toString]', '[__proto__]', '[sameAs.2]', '[brand'])(
    'keeps %s, which stands for nothing',
    (text) => expect(fillPlaceholders(text, placeholders)).toBe(text),
  )

  test('is filled once: placeholders in a filled value are not replaced', () => {
    expect(fillPlaceholders('[user]', { user: '[brand]', brand: 'x' })).toBe('[brand]')
  })
})

describe('an address', () => {
  test.each([
    ['[url]', 'https://bakkerij-hondt.example'],
    ['[url]/disclaimer', 'https://bakkerij-hondt.example/disclaimer'],
    ['[sameAs.1]', 'https://social.example/hondt'],
    ['tel:[legal.telephone]', 'tel:+31430123456'],
    ['mailto:[legal.email]', 'mailto:info@maaslicht.example'],
    ['mailto:[legal.email]?subject=[brand]', 'mailto:info@maaslicht.example?subject=Bakkerij%20Hondt'],
    ['/zoek?wie=[user]', '/zoek?wie=Roya'],
    ['/disclaimer', '/disclaimer'],
  ])('%s leads to %s', (url, filled) => {
    expect(isLinkUrl(url)).toBe(true)
    expect(fillUrlPlaceholders(url, placeholders)).toBe(filled)
  })

  test('of a telephone number leaves out the zero that is not dialled with a country code', () => {
    expect(fillUrlPlaceholders('tel:[legal.telephone]', { 'legal.telephone': '+۳۱ (۰)۴۳ ۱۲۳ ۴۵ ۶۷' })).toBe(
      'tel:+31431234567',
    )
  })

  test.each(['[sameAs.2]', 'tel:[legal.fax]'])('%s has no URL', (url) =>
    expect(fillUrlPlaceholders(url, placeholders)).toBeUndefined(),
  )

  test('has no URL for a telephone number that the company does not have', () => {
    const { telephone: _, ...legal } = site.legal
    expect(
      fillUrlPlaceholders('tel:[legal.telephone]', placeholdersOf({ ...site, legal }, 'nl', new Date())),
    ).toBeUndefined()
  })

  test.each([
    '[brand]',
    '[user]',
    '[user]:alert(1)',
    '[url]@kwaad.example',
    '[url].kwaad.example',
    '[sameAs.1]x',
    'java[brand]script:x',
  ])('content may not hold %s', (url) => expect(isLinkUrl(url)).toBe(false))

  test('is safe after filling, whatever the placeholder values contain', () => {
    const part = fc.constantFrom(
      '[user]',
      '[url]',
      'mailto:',
      'tel:',
      'https://',
      'javascript:',
      '/',
      '?',
      '#',
      '@',
      'x',
      ' ',
    )
    const brought = fc.oneof(
      fc.constantFrom('javascript:alert(1)', '//kwaad.example', '" onclick="x', '\t'),
      fc.string(),
    )
    let filledOnes = 0
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), brought, brought, (parts, user, url) => {
        const template = parts.join('')
        if (!isLinkUrl(template)) return
        const filled = fillUrlPlaceholders(template, { user, url })
        if (filled === undefined) return
        if (template.includes('[')) filledOnes++
        expect(isSafeUrl(filled)).toBe(true)
      }),
      { numRuns: 2_000 },
    )
    expect(filledOnes).toBeGreaterThan(20)
  })
})
