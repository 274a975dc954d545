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

/** The filters by state, in the order in which they are offered. */
export const statuses = [
  'published',
  'changed',
  'unpublished',
  'planned',
  'review',
  'draft',
] as const satisfies (typeof pageStatuses)[number][]

/** The search parameters of the list's URL. */
export const readPageSearch = searchReader((found) => ({
  page: parseParameter.number(found.page),
  sort: parseParameter.sort(found.sort, sorts),
  search: parseParameter.text(found.search),
  status: parseParameter.oneOf(found.status, statuses),
  locale: readTag(found.locale),
  /** The id of a collection; empty: pages that are no entries. */
  collection: typeof found.collection === 'string' ? found.collection : undefined,
  bin: parseParameter.flag(found.bin) || undefined,
}))
export type PageSearch = ReturnType<typeof readPageSearch>

/** The kind of page to begin with. */
export const readNewPageSearch = searchReader((found) => ({ collection: parseParameter.text(found.collection) }))

/** Search results are ordered by relevance unless a column is chosen. */
export const orderOf = ({ sort, search }: PageSearch) => sort ?? (search ? undefined : '-updatedAt')

export const pagesQuery = (search: PageSearch) =>
  queryOptions({
    queryKey: ['pages', 'list', search],
    queryFn: async (): Promise<ListOf<ListedPage>> => parseResponse(api.pages.$get({ query: apiQuery(search) })),
    placeholderData: keepPreviousData,
  })

const readTag = (found: unknown) => (typeof found === 'string' && isLanguageTag(found) ? found : undefined)
export const readLocale = (found: string): Locale => readTag(found) ?? defaultLocale

const parameters = (id: number, locale: Locale) => ({ param: { id: String(id), locale } })

/** The saved page in one language. */
export const pageQuery = (id: number, locale: Locale) =>
  queryOptions({
    queryKey: ['pages', 'detail', id, locale],
    queryFn: async (): Promise<PageInLocale> => parseResponse(api.pages[':id'][':locale'].$get(parameters(id, locale))),
  })

/** The page as the list shows it, with its texts in all languages. */
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
    queryFn: async (): Promise<Draft> => parseResponse(api.pages[':id'][':locale'].draft.$get(parameters(id, locale))),
    staleTime: 0,
    gcTime: 0,
  })

/**
 * Suggests a slug for a title; `id`: the page whose own slug counts as free. Never opens the reauthentication dialog.
 */
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
export const readHistorySearch = searchReader((found) => ({
  page: parseParameter.number(found.page),
  /** A single save, for a link to its changes. */
  revision: parseParameter.number(found.revision),
}))
export type HistorySearch = ReturnType<typeof readHistorySearch>

/** The history of a text: of a page, or of the blocks of a section, in one language. */
export interface TextHistory {
  /** Begins the keys of its queries. */
  key: readonly (string | number)[]
  locale: Locale
  list: (query: { page?: string; line?: string }) => Promise<ListOf<RevisionGroup>>
  find: (revision: number) => Promise<RevisionGroup & { text: DraftText }>
}

export const pageHistory = (id: number, locale: Locale): TextHistory => ({
  key: ['pages', 'revisions', id, locale],
  locale,
  list: (query) => parseResponse(api.pages[':id'][':locale'].revisions.$get({ ...parameters(id, locale), query })),
  find: (revision) =>
    parseResponse(
      api.pages[':id'][':locale'].revisions[':revision'].$get({
        param: { id: String(id), locale, revision: String(revision) },
      }),
    ),
})

export const revisionsQuery = (history: TextHistory, { page }: HistorySearch) =>
  queryOptions({
    queryKey: [...history.key, page],
    queryFn: () => history.list(page ? { page: String(page) } : {}),
    placeholderData: keepPreviousData,
  })

/** The saves in the same group as a revision. */
export const savesQuery = (history: TextHistory, line: number) =>
  infiniteQueryOptions({
    queryKey: [...history.key, 'line', line],
    queryFn: ({ pageParam }) => history.list({ line: String(line), page: String(pageParam) }),
    initialPageParam: 1,
    getNextPageParam: ({ meta: { page, pageSize, total } }) => (page * pageSize < total ? page + 1 : undefined),
  })

/** One save, and its group. */
export const saveQuery = (history: TextHistory, revision: number) =>
  queryOptions({ queryKey: [...history.key, 'detail', revision], queryFn: () => history.find(revision) })

/** Revisions never change. */
export const revisionQuery = (history: TextHistory, revision: number) =>
  queryOptions({
    // Apart from the lists, which a save invalidates.
    queryKey: [history.key[0], 'revision', ...history.key.slice(2), revision],
    queryFn: () => history.find(revision),
    staleTime: Number.POSITIVE_INFINITY,
  })
