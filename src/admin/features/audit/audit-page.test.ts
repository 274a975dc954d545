import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import type { AuditRow } from '../../../contract/audit.ts'
import { loadLanguage, withTexts } from '../../i18n.ts'
import { configQuery, revisionQuery } from '../config/config.ts'
import { ChangedFields } from './audit-page.tsx'

async function rendered(row: object, fill: (client: QueryClient) => void = () => {}): Promise<string> {
  vi.stubGlobal('document', { documentElement: {} })
  await loadLanguage('nl')
  await withTexts(['config'], async () => undefined)()
  vi.unstubAllGlobals()
  const client = new QueryClient()
  client.setQueryData(['me'], { rights: ['config.write'] })
  fill(client)
  const changes = createElement(ChangedFields, { row: row as AuditRow })
  return renderToStaticMarkup(createElement(QueryClientProvider, { client }, changes))
}

test('the log shows that a focal point, a crop and content of a file changed, without their values', async () => {
  const values = { focal: { x: 0.25, y: 0.75 }, crop: { x: 0.1, y: 0.1 }, content: 'c0ffee' }
  const html = await rendered({
    subject: { type: 'file', id: '1', name: 'gevel.jpg' },
    before: { ...values, name: 'gevel.jpg' },
    after: { ...values, content: 'decade', name: 'voorgevel.jpg' },
  })
  expect(html).toContain('<bdi>voorgevel.jpg</bdi>')
  expect(html.match(/gewijzigd/g)).toHaveLength(3)
  expect(html).not.toMatch(/c0ffee|decade|0\.25|25|75|\[object/)
})

test('the log calls a form and its fields by their names, also those that were deleted', async () => {
  const [kept, gone] = ['niveau', 'budget'].map((name, index) => ({
    id: `vraag-77aa01f${index}`,
    kind: 'text',
    label: { fa: `فارسی ${name}`, nl: `Uw ${name}` },
  }))
  const form = { id: 'formulier-0f3a9c27', name: { nl: 'Offerte' } }
  const at = (field: object | undefined) => `forms.${form.id}.fields.${(field as { id: string }).id}`
  const row = {
    subject: { type: 'configuration', id: '12', name: '#12' },
    before: { [`${at(kept)}.required`]: false, [at(gone)]: gone },
    after: { [`${at(kept)}.required`]: true },
  }
  const html = await rendered(row, (client) => {
    const config = { forms: [{ ...form, fields: [kept] }] }
    client.setQueryData(configQuery.queryKey, { config } as never)
    const before = { forms: [{ ...form, fields: [kept, gone] }] }
    client.setQueryData(revisionQuery(12).queryKey, { before, config } as never)
  })
  expect(html).toContain('Offerte · Vragen · Uw niveau · ')
  expect(html).toContain('Offerte · Vragen · Uw budget<')
  expect(html).not.toMatch(/vraag-|formulier-/)
})
