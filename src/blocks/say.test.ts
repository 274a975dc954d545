import { expect, test } from 'vitest'
import type { Scene } from './define-block.ts'
import { richHtml } from './say.ts'

const scene = (locale: 'nl' | 'fa', placeholders: Record<string, string>) =>
  ({ locale, placeholders }) as unknown as Scene

test('a name that looks like html is shown as it is written', () => {
  expect(richHtml('<p>Hoi [user]</p>', scene('nl', { user: '<img src=x onerror=alert(1)> & "co"' }))).toBe(
    '<p>Hoi &lt;img src=x onerror=alert(1)&gt; &amp; &quot;co&quot;</p>',
  )
})

test('links in a text lead to the page in the reader’s language', () => {
  expect(richHtml('<p><a href="/disclaimer">hier</a></p>', scene('fa', {}))).toBe(
    '<p><a href="/fa/disclaimer">hier</a></p>',
  )
})
