import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterContextProvider,
} from '@tanstack/react-router'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { AuditRow } from '../../../contract/audit.ts'
import { storeSiteLanguages } from '../../site-languages.ts'
import { AuditSubject } from './subject.tsx'

test('a change of a page that belongs to no single language links to the page in the main language of the site', () => {
  const client = new QueryClient()
  client.setQueryData(['me'], { rights: ['pages.write'] })
  storeSiteLanguages(client, { locales: ['de', 'en'], rootLocale: 'de' })
  const root = createRootRoute()
  const page = createRoute({ getParentRoute: () => root, path: '/admin/pages/$id/$locale' })
  const router = createRouter({ routeTree: root.addChildren([page]), history: createMemoryHistory() })
  const linkOf = (change: object) => {
    const subject = { type: 'page', id: '12', name: 'Über uns', now: null }
    const row = { subject, action: 'page.locked', before: null, after: null, ...change } as unknown as AuditRow
    const link = createElement(MantineProvider, null, createElement(AuditSubject, { row }))
    const routed = createElement(RouterContextProvider, { router } as never, link)
    const html = renderToStaticMarkup(createElement(QueryClientProvider, { client }, routed))
    return /href="([^"]*)"/.exec(html)?.[1]
  }
  expect(linkOf({})).toBe('/admin/pages/12/de')
  expect(linkOf({ action: 'page.updated', after: { language: 'fa' } })).toBe('/admin/pages/12/fa')
})
