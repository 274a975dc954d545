import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ListOf } from '../../../contract/list.ts'
import type { Inbox, ListedMessage, Message } from '../../../contract/messages.ts'
import type { Right } from '../../../contract/rights.ts'
import { api, parseResponse, pollWhile } from '../../client.ts'
import { apiQuery, parseParameter, searchReader } from '../../search.ts'

/** Any one of these rights allows viewing messages. */
export const messageReadRights = ['messages.read', 'messages.write'] as const satisfies Right[]

/** The views of the list, in the order of their buttons. */
export const views = ['inbox', 'unread', 'open', 'answered', 'spam'] as const
export type View = (typeof views)[number]

/** The search parameters of the list's URL. */
export const readMessageSearch = searchReader((parameters) => ({
  page: parseParameter.number(parameters.page),
  sort: parseParameter.sort(parameters.sort, ['createdAt']),
  search: parseParameter.text(parameters.search),
  /** Undefined: the whole inbox. */
  view: parseParameter.oneOf(parameters.view, views),
  /** The id of a form; undefined: all forms. */
  form: parseParameter.text(parameters.form),
}))
export type MessageSearch = ReturnType<typeof readMessageSearch>

/** The same filters as query parameters of the API. */
export const messageFilters = ({ sort, search, view, form }: MessageSearch) => ({
  ...apiQuery({ sort, search, form }),
  ...(view === 'spam' && { folder: view }),
  ...(view && view !== 'spam' && view !== 'inbox' && { state: view }),
})

export const messagesQuery = (search: MessageSearch) =>
  queryOptions({
    queryKey: ['messages', 'list', search],
    queryFn: async (): Promise<ListOf<ListedMessage>> =>
      parseResponse(api.messages.$get({ query: { ...messageFilters(search), ...apiQuery({ page: search.page }) } })),
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
