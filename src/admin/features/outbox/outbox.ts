import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ListOf } from '../../../contract/list.ts'
import { type BuiltInLocale, builtInLocales } from '../../../contract/locales.ts'
import type { EmailKind, EmailPreview, EmailState, OutboxCounts, OutboxEmail } from '../../../contract/outbox.ts'
import type { Right } from '../../../contract/rights.ts'
import { api, parseResponse, pollWhile } from '../../client.ts'
import { apiQuery, parseParameter, searchReader } from '../../search.ts'

export const mailReadRights = ['mail.read'] as const satisfies Right[]

/** The states to filter by, in the order of their buttons. */
export const filterStates = ['waiting', 'failed', 'sent', 'file'] as const satisfies EmailState[]

/** The search parameters of the list's URL. */
export const readOutboxSearch = searchReader((parameters) => ({
  page: parseParameter.number(parameters.page),
  sort: parseParameter.sort(parameters.sort, ['createdAt']),
  search: parseParameter.text(parameters.search),
  state: parseParameter.oneOf(parameters.state, filterStates),
}))
export type OutboxSearch = ReturnType<typeof readOutboxSearch>

/** The polling interval while emails are waiting. */
const pollMs = 5_000

export const outboxQuery = (search: OutboxSearch) =>
  queryOptions({
    queryKey: ['outbox', 'list', search],
    queryFn: async (): Promise<ListOf<OutboxEmail>> => parseResponse(api.outbox.$get({ query: apiQuery(search) })),
    placeholderData: keepPreviousData,
    refetchInterval: pollWhile(({ data }) => data.some(({ state }) => state === 'waiting'), pollMs),
  })

export const outboxCountsQuery = queryOptions({
  queryKey: ['outbox', 'counts'],
  queryFn: async (): Promise<OutboxCounts> => parseResponse(api.outbox.counts.$get()),
  refetchInterval: pollWhile(({ waiting }) => waiting > 0, pollMs),
})

export const emailKindsQuery = queryOptions({
  queryKey: ['outbox', 'kinds'],
  queryFn: async () => (await parseResponse(api.outbox.templates.$get())).data,
  staleTime: Number.POSITIVE_INFINITY,
})

/** The search parameters of the previews' URL. */
export const readEmailPreviewSearch = searchReader((parameters) => ({
  kind: parseParameter.text(parameters.kind),
  locale: parseParameter.oneOf(parameters.locale, builtInLocales),
  part: parseParameter.oneOf(parameters.part, ['text']),
}))
export type EmailPreviewSearch = ReturnType<typeof readEmailPreviewSearch>

export const emailPreviewQuery = (kind: string, locale: BuiltInLocale) =>
  queryOptions({
    queryKey: ['outbox', 'preview', kind, locale],
    queryFn: async (): Promise<EmailPreview> =>
      parseResponse(api.outbox.templates[':kind'].$get({ param: { kind: kind as EmailKind }, query: { locale } })),
    placeholderData: keepPreviousData,
  })
