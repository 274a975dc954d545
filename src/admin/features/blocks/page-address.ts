import { queryOptions } from '@tanstack/react-query'
import type { ListOf } from '../../../contract/list.ts'
import { type Locale, localizedPath, splitLocale } from '../../../contract/locales.ts'
import type { ListedPage } from '../../../contract/pages.ts'
import { answer, api } from '../../client.ts'

/** A page as a link in content of one language finds it: there in Dutch alone, it is shown in Dutch. */
export interface LinkedPage {
  id: number
  title: string
  /** As content writes it: without the language. */
  address: string
  /** Whether visitors find it there. */
  seen: boolean
}

/** @returns undefined when no address in that language leads to it */
export function linkedPage(page: ListedPage, locale: Locale): LinkedPage | undefined {
  const text = page[locale] ?? page.nl
  if (!text) return undefined
  const address = text.path === null ? `/${text.slug}` : splitLocale(text.path).path
  return { id: page.id, title: text.title, address, seen: text.path !== null }
}

/** Pages to lead to, by title or address; those that were saved last when nothing is looked for. */
export const linkablePagesQuery = (search: string, locale: Locale) =>
  queryOptions({
    queryKey: ['pages', 'linkable', locale, search],
    queryFn: async (): Promise<ListOf<LinkedPage>> => {
      const query = { ...(search ? { search } : { sort: '-updatedAt' as const }), ...(locale === 'nl' && { locale }) }
      const { data, meta }: ListOf<ListedPage> = await answer(api.pages.$get({ query }))
      return { data: data.flatMap((page) => linkedPage(page, locale) ?? []), meta }
    },
    staleTime: 10_000,
  })

/** The page that an address leads to; none for what is no page of this site. */
export const pageAtQuery = (url: string, locale: Locale) => {
  const slug = /^\/([^/?#.][^?#.]*)/.exec(url)?.[1]
  return queryOptions({
    queryKey: ['pages', 'at', locale, slug],
    queryFn: async (): Promise<Pick<LinkedPage, 'title' | 'seen'> | null> => {
      const { data }: ListOf<ListedPage> = await answer(api.pages.$get({ query: { search: slug ?? '' } }))
      for (const page of data) {
        const own: Locale = page[locale] ? locale : 'nl'
        const text = page[own]
        if (text && text.slug === slug) return { title: text.title, seen: text.path === localizedPath(`/${slug}`, own) }
      }
      return null
    },
    enabled: slug !== undefined,
    staleTime: 10_000,
  })
}
