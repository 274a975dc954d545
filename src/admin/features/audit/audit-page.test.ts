import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import type { AuditRow } from '../../../contract/audit.ts'
import { loadLanguage } from '../../i18n.ts'
import { ChangedFields } from './audit-page.tsx'

test('of a point of focus, a crop and content the log shows that they changed, without the values', async () => {
  vi.stubGlobal('document', { documentElement: {} })
  await loadLanguage('nl')
  vi.unstubAllGlobals()
  const values = { focal: { x: 0.25, y: 0.75 }, crop: { x: 0.1, y: 0.1 }, content: 'c0ffee' }
  const row = {
    subject: { type: 'file', id: '1', name: 'gevel.jpg' },
    before: { ...values, name: 'gevel.jpg' },
    after: { ...values, content: 'decade', name: 'voorgevel.jpg' },
  } as unknown as AuditRow
  const client = new QueryClient()
  client.setQueryData(['me'], { rights: [] })
  const html = renderToStaticMarkup(
    createElement(QueryClientProvider, { client }, createElement(ChangedFields, { row })),
  )
  expect(html).toContain('<bdi>voorgevel.jpg</bdi>')
  expect(html.match(/gewijzigd/g)).toHaveLength(3)
  expect(html).not.toMatch(/c0ffee|decade|0\.25|25|75|\[object/)
})
