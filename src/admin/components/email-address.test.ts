import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { EmailAddress } from './email-address.tsx'

test('a long address may break before its domain, and nowhere else', () => {
  const html = renderToStaticMarkup(createElement(EmailAddress, { email: 'sanne.de-vries@een-lang-domein.example' }))
  expect(html.split('<wbr/>').map((part) => part.replace(/<[^>]*>/g, ''))).toEqual([
    'sanne.de-vries',
    '@een-lang-domein.example',
  ])
  expect(html).toMatch(/<span style="[^"]*white-space:nowrap[^"]*"[^>]*>@/)
})
