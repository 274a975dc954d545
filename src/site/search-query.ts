import { urlParameters } from '../contract/collections.ts'
import { limits } from '../contract/limits.ts'

/** What the search reads of the query string of its page. */
export const readQuery = (parameters: URLSearchParams) => ({
  query: (parameters.get('q') ?? '').trim(),
  page: pageNumber(parameters.get(urlParameters.page)),
  isAsked: parameters.has('q'),
})

const pageNumber = (text: string | null): number => (/^\d{1,4}$/.test(text ?? '') ? Number(text) : 1)

/** A query as its page shows it: one that is too long is truncated. */
export const shownQuery = (query: string): string => query.slice(0, limits.searchChars).toWellFormed()

/** The query string of a page of results. */
export const queryOf = (query: string, page = 1): string =>
  new URLSearchParams({
    ...(query !== '' && { q: shownQuery(query) }),
    ...(page > 1 && { [urlParameters.page]: String(page) }),
  }).toString()
