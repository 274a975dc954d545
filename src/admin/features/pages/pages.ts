import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Draft } from '../../../contract/drafts.ts'
import type { ListOf } from '../../../contract/list.ts'
import { defaultLocale, isLanguageTag, type Locale } from '../../../contract/locales.ts'
import type {
  DraftText,
  ListedPage,
  PageInLocale,
  PageLanguage,
  PageWithLinks,
  pageSorts,
  pageStatuses,
  RevisionGroup,
} from '../../../contract/pages.ts'
import type { Right } from '../../../contract/rights.ts'
import { api, apiWithoutReauthentication, parseResponse } from '../../client.ts'
import { apiQuery, parseParameter, searchReader } from '../../search.ts'

/** Any one of these rights allows viewing pages. */
export const pageReadRights = ['pages.write', 'pages.publish'] as const satisfies Right[]

const sorts = ['updatedAt', 'title'] as const satisfies (typeof pageSorts)[number][]

/** The filters by status, in the order in which they are offered. */
export const statusFilters = [
  'published',
  'changed',
  'unpublished',
  'planned',
  'review',
  'draft',
] as const satisfies (typeof pageStatuses)[number][]

/** In the URL, in place of the id of a collection: pages that are no entries. An empty parameter would be left out there. */
export const noCollection = '-'

/** The search parameters of the list's URL. */
export const readPageSearch = searchReader((search) => ({
  page: parseParameter.number(search.page),
  sort: parseParameter.sort(search.sort, sorts),
  search: parseParameter.text(search.search),
  status: parseParameter.oneOf(search.status, statusFilters),
  locale: readTag(search.locale),
  /** The id of a collection, or `noCollection`. */
  collection: parseParameter.text(search.collection),
  bin: parseParameter.boolean(search.bin) || undefined,
}))
export type PageSearch = ReturnType<typeof readPageSearch>

/** The search parameters of the URL for a new page: the id of the collection chosen at first. */
export const readNewPageSearch = searchReader((search) => ({ collection: parseParameter.text(search.collection) }))

/** The order to send to the API; undefined: by relevance, for a search without a chosen order. */
export const orderOf = ({ sort, search }: PageSearch) => sort ?? (search ? undefined : '-updatedAt')

export const pagesQuery = (search: PageSearch) =>
  queryOptions({
    queryKey: ['pages', 'list', search],
    queryFn: async (): Promise<ListOf<ListedPage>> => {
      const collection = search.collection === noCollection ? '' : search.collection
      return parseResponse(api.pages.$get({ query: apiQuery({ ...search, collection }) }))
    },
    placeholderData: keepPreviousData,
  })

const readTag = (value: unknown) => (typeof value === 'string' && isLanguageTag(value) ? value : undefined)
/** The language in a URL; the default language if it is no language tag. */
export const readLocale = (value: string): Locale => readTag(value) ?? defaultLocale

const pathParams = (id: number, locale: Locale) => ({ param: { id: String(id), locale } })

/** The saved page in one language. */
export const pageQuery = (id: number, locale: Locale) =>
  queryOptions({
    queryKey: ['pages', 'detail', id, locale],
    queryFn: async (): Promise<PageInLocale> => parseResponse(api.pages[':id'][':locale'].$get(pathParams(id, locale))),
  })

/** The page as the list shows it, with its texts in all languages and the links to it. */
export const listedPageQuery = (id: number) =>
  queryOptions({
    queryKey: ['pages', 'one', id],
    queryFn: async (): Promise<PageWithLinks> => parseResponse(api.pages[':id'].$get({ param: { id: String(id) } })),
  })

/** The languages in which there are pages, and how many. */
export const pageLanguagesQuery = queryOptions({
  queryKey: ['pages', 'languages'],
  queryFn: async (): Promise<PageLanguage[]> => (await parseResponse(api.pages.languages.$get())).data,
})

/** The user's own draft. Always refetched, because another tab may just have written it. */
export const draftQuery = (id: number, locale: Locale) =>
  queryOptions({
    queryKey: ['pages', 'draft', id, locale],
    queryFn: async (): Promise<Draft> => parseResponse(api.pages[':id'][':locale'].draft.$get(pathParams(id, locale))),
    staleTime: 0,
    gcTime: 0,
  })

/** A free slug for a title. @param id the page that it is for, whose own slug counts as free; omitted: a new page */
export const slugQuery = (title: string, locale: Locale, id?: number, collection?: string) =>
  queryOptions({
    queryKey: ['pages', 'slug', title, locale, id, collection],
    queryFn: async () =>
      parseResponse(
        apiWithoutReauthentication.pages.slug.$get({
          query: { title, locale, ...(id !== undefined && { id: String(id) }), ...(collection && { collection }) },
        }),
      ),
    placeholderData: keepPreviousData,
  })

/** The search parameters of the history's URL. */
export const readHistorySearch = searchReader((search) => ({
  page: parseParameter.number(search.page),
  /** The revision of the single save that is shown instead of the history. */
  revision: parseParameter.number(search.revision),
}))
export type HistorySearch = ReturnType<typeof readHistorySearch>

/** The history of a text: of a page, or of the blocks of a section, in one language. */
export interface TextHistory {
  /** The start of the keys of its queries. */
  key: readonly (string | number)[]
  locale: Locale
  /** @param query.line a revision: lists the saves of its group one by one, instead of the groups */
  list: (query: { page?: string; line?: string }) => Promise<ListOf<RevisionGroup>>
  /** @throws {ApiRefusal} `not_found` */
  find: (revision: number) => Promise<RevisionGroup & { text: DraftText }>
}

export const pageHistory = (id: number, locale: Locale): TextHistory => ({
  key: ['pages', 'revisions', id, locale],
  locale,
  list: (query) => parseResponse(api.pages[':id'][':locale'].revisions.$get({ ...pathParams(id, locale), query })),
  find: (revision) =>
    parseResponse(
      api.pages[':id'][':locale'].revisions[':revision'].$get({
        param: { id: String(id), locale, revision: String(revision) },
      }),
    ),
})

/** A page of the groups of saves. */
export const revisionsQuery = (history: TextHistory, { page }: HistorySearch) =>
  queryOptions({
    queryKey: [...history.key, page],
    queryFn: () => history.list(page ? { page: String(page) } : {}),
    placeholderData: keepPreviousData,
  })

/** The saves in the same group as a revision. */
export const groupSavesQuery = (history: TextHistory, revision: number) =>
  infiniteQueryOptions({
    queryKey: [...history.key, 'saves', revision],
    queryFn: ({ pageParam }) => history.list({ line: String(revision), page: String(pageParam) }),
    initialPageParam: 1,
    getNextPageParam: ({ meta: { page, pageSize, total } }) => (page * pageSize < total ? page + 1 : undefined),
  })

/** One save. Refetched, because it may have become live or no longer be current. */
export const singleSaveQuery = (history: TextHistory, revision: number) =>
  queryOptions({ queryKey: [...history.key, 'detail', revision], queryFn: () => history.find(revision) })

/** The text of a revision, which never changes. */
export const revisionQuery = (history: TextHistory, revision: number) =>
  queryOptions({
    // The key does not start with `history.key`, because a save invalidates all keys that do.
    queryKey: [history.key[0], 'revision', ...history.key.slice(2), revision],
    queryFn: () => history.find(revision),
    staleTime: Number.POSITIVE_INFINITY,
  })
