import { expect, test } from 'vitest'
import type { RenderContext } from './define-block.ts'
import { renderHtml } from './render-text.tsx'

const context = (locale: 'nl' | 'fa', placeholders: Record<string, string>) =>
  ({ locale, placeholders, site: { locales: ['nl', 'fa'] } }) as unknown as RenderContext

test('a name that looks like HTML is shown as text', () => {
  expect(renderHtml('<p>Hoi [user]</p>', context('nl', { user: '<img src=x onerror=alert(1)> & "co"' }))).toBe(
    '<p>Hoi &lt;img src=x onerror=alert(1)&gt; &amp; &quot;co&quot;</p>',
  )
})

test('links in a text lead to the page in the reader’s language', () => {
  expect(renderHtml('<p><a href="/disclaimer">hier</a></p>', context('fa', {}))).toBe(
    '<p><a href="/fa/disclaimer">hier</a></p>',
  )
})
