import { queryOptions, useQuery } from '@tanstack/react-query'
import { type Collection, findCollection } from '../../../contract/collections.ts'
import { type Locale, localized } from '../../../contract/locales.ts'
import { api, parseResponse } from '../../client.ts'

export const collectionsQuery = queryOptions({
  queryKey: ['collections'],
  queryFn: async () => {
    const { data, entries } = await parseResponse(api.collections.$get())
    return { collections: data as Collection[], entries }
  },
  staleTime: 10_000,
})

/** The collections of the site; none while they load. */
export const useCollections = (): Collection[] => useQuery(collectionsQuery).data?.collections ?? []

export const collectionName = (collection: Collection, locale: Locale): string =>
  localized(collection.name, locale).value

/** The collection of an entry. */
export function useCollection(id: string | null): Collection | undefined {
  return findCollection({ collections: useCollections() }, id)
}
