import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ListOf } from '../../../contract/list.ts'
import { type ProgramLocale, programLocales } from '../../../contract/locales.ts'
import type { EmailKind, EmailPreview, EmailState, OutboxCounts, OutboxEmail } from '../../../contract/outbox.ts'
import type { Right } from '../../../contract/rights.ts'
import { api, parseResponse, pollWhile } from '../../client.ts'
import { parseParameter } from '../../search.ts'

export const mailReadRights = ['mail.read'] as const satisfies Right[]

/** In the order in which they are offered. */
export const states = ['waiting', 'failed', 'sent', 'file'] as const satisfies EmailState[]

/** The search parameters of the list's URL. */
export interface OutboxSearch {
  page?: number | undefined
  sort?: 'createdAt' | '-createdAt' | undefined
  search?: string | undefined
  state?: EmailState | undefined
}

export const readOutboxSearch = (found: Record<string, unknown>): OutboxSearch => ({
  page: parseParameter.number(found.page),
  sort: parseParameter.oneOf(found.sort, ['createdAt', '-createdAt']),
  search: parseParameter.text(found.search),
  state: parseParameter.oneOf(found.state, states),
})

/** The polling interval while emails are waiting. */
const pollMs = 5_000

export const outboxQuery = ({ page, ...search }: OutboxSearch) =>
  queryOptions({
    queryKey: ['outbox', 'list', page, search],
    queryFn: async (): Promise<ListOf<OutboxEmail>> =>
      parseResponse(
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
export interface EmailPreviewSearch {
  kind?: string | undefined
  locale?: ProgramLocale | undefined
  part?: 'text' | undefined
}

export const readEmailPreviewSearch = (found: Record<string, unknown>): EmailPreviewSearch => ({
  kind: parseParameter.text(found.kind),
  locale: parseParameter.oneOf(found.locale, programLocales),
  part: parseParameter.oneOf(found.part, ['text']),
})

export const previewQuery = (kind: string, locale: ProgramLocale) =>
  queryOptions({
    queryKey: ['outbox', 'preview', kind, locale],
    queryFn: async (): Promise<EmailPreview> =>
      parseResponse(api.outbox.templates[':kind'].$get({ param: { kind: kind as EmailKind }, query: { locale } })),
    placeholderData: keepPreviousData,
  })
