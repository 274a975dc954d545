import { queryOptions, useQuery } from '@tanstack/react-query'
import { type Collection, findCollection } from '../../../contract/collections.ts'
import { type Locale, localized } from '../../../contract/locales.ts'
import { api, parseResponse } from '../../client.ts'

/** The collections of the site, and `entries`: the number of entries by collection. */
export const collectionsQuery = queryOptions({
  queryKey: ['collections'],
  queryFn: async () => {
    const { data, entries } = await parseResponse(api.collections.$get())
    return { collections: data as Collection[], entries }
  },
  staleTime: 10_000,
})

/** The collections of the site; an empty list until they have loaded. */
export const useCollections = (): Collection[] => useQuery(collectionsQuery).data?.collections ?? []

export const collectionName = (collection: Collection, locale: Locale): string =>
  localized(collection.name, locale).value

/** The collection with an id; undefined for null, for an unknown id, and until the collections have loaded. */
export function useCollection(id: string | null): Collection | undefined {
  return findCollection({ collections: useCollections() }, id)
}
