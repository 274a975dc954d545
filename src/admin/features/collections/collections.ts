import { queryOptions, useQuery } from '@tanstack/react-query'
import { type Collection, type EntryValues, findCollection } from '../../../contract/collections.ts'
import { fileNameFromUrl } from '../../../contract/file-urls.ts'
import { type Locale, localized } from '../../../contract/locales.ts'
import { api, parseResponse } from '../../client.ts'
import { useLocale } from '../../i18n.ts'

export const collectionsQuery = queryOptions({
  queryKey: ['collections'],
  queryFn: async (): Promise<Collection[]> => (await parseResponse(api.collections.$get())).data as Collection[],
  staleTime: 10_000,
})

/** The collections of the site; none while they load. */
export const useCollections = (): Collection[] => useQuery(collectionsQuery).data ?? []

export const collectionName = (collection: Collection, locale: Locale): string =>
  localized(collection.name, locale).value

/** The collection of an entry. */
export function useCollection(id: string | null): Collection | undefined {
  return findCollection({ collections: useCollections() }, id)
}

/** The labels and values of an entry as read-only text; a field that the collection no longer has goes by its id. */
export function useEntryFacts(
  id: string | null,
): (values: EntryValues | undefined) => { label: string; text: string }[] {
  const locale = useLocale()
  const collection = useCollection(id)
  return (values = {}) =>
    Object.entries(values).map(([name, value]) => {
      const field = collection?.fields.find((one) => one.id === name)
      const option = field?.options?.find((one) => one.id === value)
      const isFile = field?.type === 'picture' || field?.type === 'file'
      const text = option
        ? localized(option.name, locale).value
        : isFile
          ? fileNameFromUrl(String(value))
          : String(value)
      return {
        label: field ? localized(field.name, locale).value : name,
        text: field?.type === 'richText' ? text.replace(/<[^>]*>/g, ' ').trim() : text,
      }
    })
}
