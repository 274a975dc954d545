import { queryOptions } from '@tanstack/react-query'
import type { DeadLinks, LinksToPage } from '../../../contract/links.ts'
import type { Locale } from '../../../contract/locales.ts'
import { api, parseResponse } from '../../client.ts'

export const deadLinksQuery = queryOptions({
  queryKey: ['links', 'dead'],
  queryFn: async (): Promise<DeadLinks> => parseResponse(api.links.dead.$get()),
  // Each page and redirect that is saved or deleted may change them.
  staleTime: 0,
})

export const linksToPageQuery = (id: number, locale: Locale | undefined) =>
  queryOptions({
    queryKey: ['links', id, locale ?? 'all'],
    queryFn: async (): Promise<LinksToPage> =>
      parseResponse(
        api.pages[':id'].links.$get({ param: { id: String(id) }, query: locale === undefined ? {} : { locale } }),
      ),
    // It is asked for when a page is about to go.
    staleTime: 0,
  })
