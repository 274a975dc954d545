import { expect, onTestFinished, test, vi } from 'vitest'
import { createQueryClient } from '../../admin.tsx'
import { siteLanguagesKey, storeSiteLanguages } from '../../site-languages.ts'
import { collectionsQuery } from '../collections/collections.ts'
import { configQuery, storeConfiguration, visitorTextsQuery } from './config.ts'

test('fetching the settings updates the languages of the open admin when somebody else changed them', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ version: 4, config: { locales: ['nl', 'de'] } }))
  onTestFinished(() => void vi.unstubAllGlobals())
  const queries = createQueryClient()
  storeSiteLanguages(queries, { locales: ['nl'] })
  await queries.fetchQuery(configQuery)
  expect(queries.getQueryData(siteLanguagesKey)).toMatchObject({ locales: ['nl', 'de'] })
})

test('the collections of the site are fetched again by the next screen after a save', () => {
  const queries = createQueryClient()
  const { queryKey } = collectionsQuery
  queries.setQueryData(queryKey, { collections: [], entries: [] })
  storeConfiguration(queries, { version: 4, config: { locales: ['nl'] } } as never)
  expect(queries.getQueryState(queryKey)?.isInvalidated).toBe(true)
})

test('the texts that visitors read instead of missing ones are fetched again after a save', () => {
  const queries = createQueryClient()
  const { queryKey } = visitorTextsQuery('de')
  queries.setQueryData(queryKey, [])
  storeConfiguration(queries, { version: 4, config: { locales: ['nl', 'de'] } } as never)
  expect(queries.getQueryState(queryKey)?.isInvalidated).toBe(true)
})
