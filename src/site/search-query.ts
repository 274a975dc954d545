import { urlParameters } from '../contract/collections.ts'
import { limits } from '../contract/limits.ts'

/** Reads the parameters of the search page. `isSubmitted`: with a query, even an empty one. */
export const readSearchQuery = (parameters: URLSearchParams) => ({
  query: (parameters.get('q') ?? '').trim(),
  page: pageNumber(parameters.get(urlParameters.page)),
  isSubmitted: parameters.has('q'),
})

const pageNumber = (text: string | null): number => (/^\d{1,4}$/.test(text ?? '') ? Number(text) : 1)

/** Truncates a query to the length that the search page shows and links. */
export const truncateQuery = (query: string): string => query.slice(0, limits.searchChars).toWellFormed()

/** The query string of a page of results, without `?`; empty for the search page itself. */
export const searchQueryString = (query: string, page = 1): string =>
  new URLSearchParams({
    ...(query !== '' && { q: truncateQuery(query) }),
    ...(page > 1 && { [urlParameters.page]: String(page) }),
  }).toString()
