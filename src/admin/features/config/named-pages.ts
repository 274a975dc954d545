import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import type { Locale } from '../../../contract/locales.ts'
import { type MenuItem, menuItemsIn, type NamedPage } from '../../../contract/menus.ts'
import { api, parseResponse } from '../../client.ts'
import { useRight } from '../sign-in/me.ts'
import { configReadRights } from './config.ts'

/** Pages by what a menu calls them; undefined for one that does not exist. */
export type NamedPages = ReadonlyMap<unknown, NamedPage | undefined>

/** The pages of a menu. While they load, none are known. */
export function useNamedPages(tree: readonly MenuItem[]): NamedPages {
  const maySee = useRight(...configReadRights)
  const ids = [...new Set([...menuItemsIn(tree)].flatMap(({ page }) => (typeof page === 'number' ? page : [])))]
  const { data, isPlaceholderData } = useQuery({ ...namedPagesQuery(ids), enabled: maySee && ids.length > 0 })
  const known = ids.map((id) => [id, data?.find((page) => page.id === id)] as const)
  // A page missing from the previous response may be in the next one.
  return new Map(known.filter(([, page]) => page || (data && !isPlaceholderData)))
}

const namedPagesQuery = (ids: readonly number[]) =>
  queryOptions({
    queryKey: ['pages', 'named', ids.toSorted((one, other) => one - other).join()],
    queryFn: async ({ queryKey }): Promise<NamedPage[]> =>
      (await parseResponse(api.config.menu.pages.$get({ query: { ids: queryKey[2] ?? '' } }))).data,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  })

/** A page in a language, or else in the main language or another. */
export const namedIn = ({ texts }: NamedPage, locale: Locale, main: Locale) =>
  texts[locale] ?? texts[main] ?? Object.values(texts)[0]

/** The title that an item has of its own, or that of its page. */
export function menuItemTitle(
  { title, page }: { title?: unknown; page?: unknown },
  pages: NamedPages,
  locale: Locale,
  main: Locale,
): string {
  if (title) return String(title)
  const found = pages.get(page)
  return (found && namedIn(found, locale, main))?.title ?? (typeof page === 'string' ? `/${page}` : '')
}
