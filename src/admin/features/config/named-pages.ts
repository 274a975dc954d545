import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import type { Locale } from '../../../contract/locales.ts'
import { type MenuItem, menuItemsIn, type NamedPage } from '../../../contract/menus.ts'
import { api, parseResponse } from '../../client.ts'
import { useRight } from '../sign-in/me.ts'
import { configReadRights } from './config.ts'

/** Pages by id; undefined for one that does not exist. An id that is absent is not loaded yet. */
export type NamedPages = ReadonlyMap<unknown, NamedPage | undefined>

/** The pages that the items of a menu and its submenus link to. */
export function useNamedPages(menu: readonly MenuItem[]): NamedPages {
  const maySee = useRight(...configReadRights)
  const ids = [...new Set([...menuItemsIn(menu)].flatMap(({ page }) => (typeof page === 'number' ? page : [])))]
  const { data, isPlaceholderData } = useQuery({ ...namedPagesQuery(ids), enabled: maySee && ids.length > 0 })
  const pages = ids.map((id) => [id, data?.find((page) => page.id === id)] as const)
  // A page missing from the response for the previous ids may be in the next one.
  return new Map(pages.filter(([, page]) => page || (data && !isPlaceholderData)))
}

const namedPagesQuery = (ids: readonly number[]) =>
  queryOptions({
    queryKey: ['pages', 'named', ids.toSorted((a, b) => a - b).join()],
    queryFn: async ({ queryKey }): Promise<NamedPage[]> =>
      (await parseResponse(api.config.menu.pages.$get({ query: { ids: queryKey[2] ?? '' } }))).data,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  })

/** The text of a page in a language, else in the main language, else in any. Undefined if it has none. */
export const pageTextIn = ({ texts }: NamedPage, locale: Locale, main: Locale) =>
  texts[locale] ?? texts[main] ?? Object.values(texts)[0]

/** The title of a menu item: its own, that of its page, or the slug by which a file names a page; or empty. */
export function menuItemTitle(
  { title, page }: { title?: unknown; page?: unknown },
  pages: NamedPages,
  locale: Locale,
  main: Locale,
): string {
  if (title) return String(title)
  const linkedPage = pages.get(page)
  return (linkedPage && pageTextIn(linkedPage, locale, main))?.title ?? (typeof page === 'string' ? `/${page}` : '')
}
