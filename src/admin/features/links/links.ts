import { queryOptions } from '@tanstack/react-query'
import type { DeadLinks, LinksToPage } from '../../../contract/links.ts'
import type { Locale } from '../../../contract/locales.ts'
import { api, parseResponse } from '../../client.ts'

export const deadLinksQuery = queryOptions({
  queryKey: ['links', 'dead'],
  queryFn: async (): Promise<DeadLinks> => parseResponse(api.links.dead.$get()),
  // Saving or deleting any page or redirect may change the result.
  staleTime: 0,
})

/** The links to a page. @param locale limits them to links to the page in that language */
export const linksToPageQuery = (id: number, locale: Locale | undefined) =>
  queryOptions({
    queryKey: ['links', id, locale ?? 'all'],
    queryFn: async (): Promise<LinksToPage> =>
      parseResponse(
        api.pages[':id'].links.$get({ param: { id: String(id) }, query: locale === undefined ? {} : { locale } }),
      ),
    // Fetched before a page is removed, when outdated data would mislead.
    staleTime: 0,
  })
