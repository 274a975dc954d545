import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ListOf } from '../../../contract/list.ts'
import { type ProgramLocale, programLocales } from '../../../contract/locales.ts'
import type { EmailKind, EmailPreview, EmailState, OutboxCounts, OutboxEmail } from '../../../contract/outbox.ts'
import type { Right } from '../../../contract/rights.ts'
import { api, parseResponse, pollWhile } from '../../client.ts'
import { apiQuery, parseParameter, searchReader } from '../../search.ts'

export const mailReadRights = ['mail.read'] as const satisfies Right[]

/** In the order in which they are offered. */
export const states = ['waiting', 'failed', 'sent', 'file'] as const satisfies EmailState[]

/** The search parameters of the list's URL. */
export const readOutboxSearch = searchReader((found) => ({
  page: parseParameter.number(found.page),
  sort: parseParameter.sort(found.sort, ['createdAt']),
  search: parseParameter.text(found.search),
  state: parseParameter.oneOf(found.state, states),
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

export const countsQuery = queryOptions({
  queryKey: ['outbox', 'counts'],
  queryFn: async (): Promise<OutboxCounts> => parseResponse(api.outbox.counts.$get()),
  refetchInterval: pollWhile(({ waiting }) => waiting > 0, pollMs),
})

export const kindsQuery = queryOptions({
  queryKey: ['outbox', 'kinds'],
  queryFn: async () => (await parseResponse(api.outbox.templates.$get())).data,
  staleTime: Number.POSITIVE_INFINITY,
})

/** The search parameters of the previews' URL. */
export const readEmailPreviewSearch = searchReader((found) => ({
  kind: parseParameter.text(found.kind),
  locale: parseParameter.oneOf(found.locale, programLocales),
  part: parseParameter.oneOf(found.part, ['text']),
}))
export type EmailPreviewSearch = ReturnType<typeof readEmailPreviewSearch>

export const previewQuery = (kind: string, locale: ProgramLocale) =>
  queryOptions({
    queryKey: ['outbox', 'preview', kind, locale],
    queryFn: async (): Promise<EmailPreview> =>
      parseResponse(api.outbox.templates[':kind'].$get({ param: { kind: kind as EmailKind }, query: { locale } })),
    placeholderData: keepPreviousData,
  })
