import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ListOf } from '../../../contract/list.ts'
import { type Locale, locales } from '../../../contract/locales.ts'
import type {
  Draft,
  ListedPage,
  PageInLocale,
  pageSorts,
  pageStatuses,
  Revision,
  RevisionGroup,
} from '../../../contract/pages.ts'
import type { Right } from '../../../contract/rights.ts'
import { answer, api, bareApi } from '../../client.ts'
import { read } from '../../search.ts'

/** One of these is enough to see pages. */
export const toSeePages = ['pages.write', 'pages.publish'] as const satisfies Right[]

type Sort = (typeof pageSorts)[number]
const bothWays = ['updatedAt', '-updatedAt', 'title', '-title'] as const satisfies (Sort | `-${Sort}`)[]

/** The ways to look at pages, in the order in which they are offered. */
export const statuses = ['published', 'changed', 'unpublished', 'planned', 'draft'] as const satisfies readonly Status[]
type Status = (typeof pageStatuses)[number]

/** What the address of the list holds. */
export interface PageSearch {
  page?: number | undefined
  sort?: Sort | `-${Sort}` | undefined
  search?: string | undefined
  status?: Status | undefined
  locale?: Locale | undefined
  bin?: true | undefined
}

export const readPageSearch = (found: Record<string, unknown>): PageSearch => ({
  page: read.number(found.page),
  sort: read.oneOf(found.sort, bothWays),
  search: read.text(found.search),
  status: read.oneOf(found.status, statuses),
  locale: read.oneOf(found.locale, locales),
  bin: read.flag(found.bin) || undefined,
})

/** In a search those come first that match best, and nothing is sorted by a column. */
export const orderOf = ({ sort, search }: PageSearch) => sort ?? (search ? undefined : '-updatedAt')

export const pagesQuery = (search: PageSearch) =>
  queryOptions({
    queryKey: ['pages', 'list', search],
    queryFn: async (): Promise<ListOf<ListedPage>> => answer(api.pages.$get({ query: asked(search) })),
    placeholderData: keepPreviousData,
  })

const asked = ({ page, sort, search, status, locale, bin }: PageSearch) => ({
  ...(page && { page: String(page) }),
  ...(sort && { sort }),
  ...(search && { search }),
  ...(status && { status }),
  ...(locale && { locale }),
  ...(bin && { bin: 'true' as const }),
})

export const readLocale = (found: string): Locale => (found === 'fa' ? 'fa' : 'nl')

const parameters = (id: number, locale: Locale) => ({ param: { id: String(id), locale } })

/** A page in one language, as it is saved. */
export const pageQuery = (id: number, locale: Locale) =>
  queryOptions({
    queryKey: ['pages', 'one', id, locale],
    queryFn: async (): Promise<PageInLocale> => answer(api.pages[':id'][':locale'].$get(parameters(id, locale))),
  })

/** One's own draft of it. It is asked for anew each time: another tab may have written it a second ago. */
export const draftQuery = (id: number, locale: Locale) =>
  queryOptions({
    queryKey: ['pages', 'draft', id, locale],
    queryFn: async (): Promise<Draft> => answer(api.pages[':id'][':locale'].draft.$get(parameters(id, locale))),
    staleTime: 0,
    gcTime: 0,
  })

/** What address a title makes; `id`: for that page, whose own is not taken. Nobody is asked for a password because of it. */
export const slugQuery = (title: string, locale: Locale, id?: number) =>
  queryOptions({
    queryKey: ['pages', 'slug', title, locale, id],
    queryFn: async () =>
      answer(bareApi.pages.slug.$get({ query: { title, locale, ...(id !== undefined && { id: String(id) }) } })),
    placeholderData: keepPreviousData,
  })

/** What the address of a page's history holds. */
export interface HistorySearch {
  page?: number | undefined
  /** One save alone, where a link leads to what it changed. */
  revision?: number | undefined
}

export const readHistorySearch = (found: Record<string, unknown>): HistorySearch => ({
  page: read.number(found.page),
  revision: read.number(found.revision),
})

export const revisionsQuery = (id: number, locale: Locale, { page }: HistorySearch) =>
  queryOptions({
    queryKey: ['pages', 'revisions', id, locale, page],
    queryFn: async (): Promise<ListOf<RevisionGroup>> =>
      answer(
        api.pages[':id'][':locale'].revisions.$get({
          ...parameters(id, locale),
          query: page ? { page: String(page) } : {},
        }),
      ),
    placeholderData: keepPreviousData,
  })

/** The saves that lie in the line of a revision. */
export const savesQuery = (id: number, locale: Locale, line: number) =>
  infiniteQueryOptions({
    queryKey: ['pages', 'revisions', id, locale, 'line', line],
    queryFn: async ({ pageParam }): Promise<ListOf<RevisionGroup>> =>
      answer(
        api.pages[':id'][':locale'].revisions.$get({
          ...parameters(id, locale),
          query: { line: String(line), page: String(pageParam) },
        }),
      ),
    initialPageParam: 1,
    getNextPageParam: ({ meta: { page, pageSize, total } }) => (page * pageSize < total ? page + 1 : undefined),
  })

/** One save, and what has become of it. */
export const saveQuery = (id: number, locale: Locale, revision: number) =>
  queryOptions({
    queryKey: ['pages', 'revisions', id, locale, 'one', revision],
    queryFn: () => getRevision(id, locale, revision),
  })

/** What was once said is said for ever. */
export const revisionQuery = (id: number, locale: Locale, revision: number) =>
  queryOptions({
    queryKey: ['pages', 'revision', id, locale, revision],
    queryFn: () => getRevision(id, locale, revision),
    staleTime: Number.POSITIVE_INFINITY,
  })

const getRevision = async (id: number, locale: Locale, revision: number): Promise<Revision> =>
  answer(
    api.pages[':id'][':locale'].revisions[':revision'].$get({
      param: { id: String(id), locale, revision: String(revision) },
    }),
  )
