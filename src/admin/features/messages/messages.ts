import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ListOf } from '../../../contract/list.ts'
import type { Inbox, ListedMessage, Message } from '../../../contract/messages.ts'
import type { Right } from '../../../contract/rights.ts'
import { api, parseResponse, pollWhile } from '../../client.ts'
import { parseParameter } from '../../search.ts'

/** Any one of these rights allows viewing messages. */
export const messageReadRights = ['messages.read', 'messages.write'] as const satisfies Right[]

/** The filters by state, in the order in which they are offered. */
export const views = ['inbox', 'unread', 'open', 'answered', 'spam'] as const
export type View = (typeof views)[number]

/** The search parameters of the list's URL. */
export interface MessageSearch {
  page?: number | undefined
  sort?: 'createdAt' | '-createdAt' | undefined
  search?: string | undefined
  /** By default the whole inbox. */
  view?: View | undefined
  /** The id of a form; by default of all. */
  form?: string | undefined
}

export const readMessageSearch = (found: Record<string, unknown>): MessageSearch => ({
  page: parseParameter.number(found.page),
  sort: parseParameter.oneOf(found.sort, ['createdAt', '-createdAt']),
  search: parseParameter.text(found.search),
  view: parseParameter.oneOf(found.view, views),
  form: parseParameter.text(found.form),
})

/** The same filters as query parameters of the API. */
export const messageFilters = ({ sort, search, view, form }: MessageSearch) => ({
  ...(sort && { sort }),
  ...(search && { search }),
  ...(form && { form }),
  ...(view === 'spam' && { folder: view }),
  ...(view && view !== 'spam' && view !== 'inbox' && { state: view }),
})

export const messagesQuery = (search: MessageSearch) =>
  queryOptions({
    queryKey: ['messages', 'list', search],
    queryFn: async (): Promise<ListOf<ListedMessage>> =>
      parseResponse(
        api.messages.$get({ query: { ...messageFilters(search), ...(search.page && { page: String(search.page) }) } }),
      ),
    placeholderData: keepPreviousData,
  })

export const inboxQuery = queryOptions({
  queryKey: ['messages', 'inbox'],
  queryFn: async (): Promise<Inbox> => parseResponse(api.messages.inbox.$get()),
})

/** The polling interval while a reply is waiting to be sent. */
const pollMs = 3_000

export const messageQuery = (id: number) =>
  queryOptions({
    queryKey: ['messages', 'one', id],
    queryFn: async (): Promise<Message> => parseResponse(api.messages[':id'].$get({ param: { id: String(id) } })),
    refetchInterval: pollWhile(({ replies }) => replies.some(({ state }) => state === 'waiting'), pollMs),
  })
