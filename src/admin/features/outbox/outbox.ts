import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ListOf } from '../../../contract/list.ts'
import { type Locale, locales } from '../../../contract/locales.ts'
import type { LetterKind, LetterPreview, LetterState, OutboxCounts, OutboxLetter } from '../../../contract/outbox.ts'
import type { Right } from '../../../contract/rights.ts'
import { answer, api } from '../../client.ts'
import { read } from '../../search.ts'

export const toSeeMail = ['mail.read'] as const satisfies Right[]

/** In the order in which they are offered. */
export const states = ['waiting', 'failed', 'sent'] as const satisfies LetterState[]

/** What the address of the list holds. */
export interface OutboxSearch {
  page?: number | undefined
  sort?: 'createdAt' | '-createdAt' | undefined
  search?: string | undefined
  state?: LetterState | undefined
}

export const readOutboxSearch = (found: Record<string, unknown>): OutboxSearch => ({
  page: read.number(found.page),
  sort: read.oneOf(found.sort, ['createdAt', '-createdAt']),
  search: read.text(found.search),
  state: read.oneOf(found.state, states),
})

/** So often it is looked what became of letters that wait. */
const soonMs = 5_000

export const outboxQuery = ({ page, ...search }: OutboxSearch) =>
  queryOptions({
    queryKey: ['outbox', 'list', page, search],
    queryFn: async (): Promise<ListOf<OutboxLetter>> =>
      answer(
        api.outbox.$get({
          query: {
            ...(search.sort && { sort: search.sort }),
            ...(search.search && { search: search.search }),
            ...(search.state && { state: search.state }),
            ...(page && { page: String(page) }),
          },
        }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.data.some((letter) => letter.state === 'waiting') ? soonMs : false),
  })

export const countsQuery = queryOptions({
  queryKey: ['outbox', 'counts'],
  queryFn: async (): Promise<OutboxCounts> => answer(api.outbox.counts.$get()),
  refetchInterval: ({ state }) => ((state.data?.waiting ?? 0) > 0 ? soonMs : false),
})

export const kindsQuery = queryOptions({
  queryKey: ['outbox', 'kinds'],
  queryFn: async () => (await answer(api.outbox.templates.$get())).data,
  staleTime: Number.POSITIVE_INFINITY,
})

/** What the address of the letters that can be looked at holds. */
export interface LettersSearch {
  kind?: string | undefined
  locale?: Locale | undefined
  part?: 'text' | undefined
}

export const readLettersSearch = (found: Record<string, unknown>): LettersSearch => ({
  kind: read.text(found.kind),
  locale: read.oneOf(found.locale, locales),
  part: read.oneOf(found.part, ['text']),
})

export const previewQuery = (kind: string, locale: Locale) =>
  queryOptions({
    queryKey: ['outbox', 'preview', kind, locale],
    queryFn: async (): Promise<LetterPreview> =>
      answer(api.outbox.templates[':kind'].$get({ param: { kind: kind as LetterKind }, query: { locale } })),
    placeholderData: keepPreviousData,
  })
