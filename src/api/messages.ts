import { createRoute } from '@hono/zod-openapi'
import { idParameter, listOf } from '../contract/list.ts'
import {
  inbox,
  listedMessage,
  manyMessages,
  manyMessagesAnswered,
  manyMessagesRead,
  manyMessagesSpam,
  message,
  messageExportQuery,
  messageNote,
  messageQuery,
  messagesGone,
  messagesNow,
  newReply,
} from '../contract/messages.ts'
import { deleteMessage, deleteMessages } from '../domain/messages/delete-messages.ts'
import { exportMessages } from '../domain/messages/export-messages.ts'
import { findMessages, getMessage, showInbox } from '../domain/messages/find-messages.ts'
import { markAnswered, markRead } from '../domain/messages/mark-messages.ts'
import { moveMessages } from '../domain/messages/move-message.ts'
import { noteMessage } from '../domain/messages/note-message.ts'
import { replyToMessage } from '../domain/messages/reply-to-message.ts'
import { createApi, json, refused } from '../http/api.ts'
import { csvHeaders, streamOf } from '../http/file-answer.ts'
import { requestLocale } from '../http/request-locale.ts'
import { translator } from '../i18n/translate.ts'

const read = { rights: ['messages.read', 'messages.write'] } as const
const write = { rights: ['messages.write'] } as const

const asTheyAre = { 200: json(messagesNow, 'Those that are there, as they are now') }
const staleOr = refused(
  'Somebody else did something with the message meanwhile (`stale`; `current` is what stands now)',
)

/** Two parts, for a chain of more calls than this is slow to type. */
export const messagesApi = () => createApi().route('/', manyMessagesApi()).route('/', oneMessageApi())

/** `/messages` for several at once. These addresses stand before `/messages/{id}`. */
const manyMessagesApi = () =>
  createApi()
    .openapi(
      createRoute({
        method: 'get',
        path: '/messages',
        ...read,
        summary: 'List messages',
        description:
          'Of one folder, the newest first. `search` looks at who wrote and at the whole text; every word of it must be found.',
        request: { query: messageQuery },
        responses: { 200: json(listOf(listedMessage), 'One page') },
      }),
      async (c) => c.json(await findMessages(c.var.ctx, c.req.valid('query')), 200),
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/messages/inbox',
        ...read,
        summary: 'What waits in the inbox',
        description: 'Also how long messages are kept, and from whom and to whom answers go.',
        responses: { 200: json(inbox, 'Of this moment') },
      }),
      async (c) => c.json(await showInbox(c.var.ctx), 200),
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/messages/export',
        ...read,
        summary: 'Export messages as CSV',
        description: 'All that the same list would show, for a spreadsheet: UTF-8 with its mark, semicolons.',
        request: { query: messageExportQuery },
        responses: {
          200: { description: 'The file', content: { 'text/csv': { schema: { type: 'string' } } } },
          403: refused('The right is missing, or the password must be given again first (`password_needed`)'),
        },
      }),
      async (c) => {
        const locale = requestLocale(c.req.raw)
        const lines = await exportMessages(c.var.ctx, c.req.valid('query'), locale)
        const title = translator(locale)('messages.csv.file')
        return c.body(streamOf(lines), 200, csvHeaders({ name: 'messages', title, at: c.var.ctx.now() }))
      },
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/messages/read',
        ...read,
        summary: 'Mark messages as read, or as unread',
        request: { body: { required: true, ...json(manyMessagesRead, 'Which') } },
        responses: asTheyAre,
      }),
      async (c) => c.json({ data: await markRead(c.var.ctx, c.req.valid('json')) }, 200),
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/messages/answered',
        ...write,
        summary: 'Mark messages as answered, or as to be answered',
        description: 'For what was answered otherwise; an answer from here marks its message by itself.',
        request: { body: { required: true, ...json(manyMessagesAnswered, 'Which') } },
        responses: asTheyAre,
      }),
      async (c) => c.json({ data: await markAnswered(c.var.ctx, c.req.valid('json')) }, 200),
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/messages/spam',
        ...write,
        summary: 'Move messages to the spam, or out of it',
        description: 'What comes out of the spam is mailed to the company as it would have been, once.',
        request: { body: { required: true, ...json(manyMessagesSpam, 'Which') } },
        responses: asTheyAre,
      }),
      async (c) => c.json({ data: await moveMessages(c.var.ctx, c.req.valid('json')) }, 200),
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/messages/delete',
        ...write,
        summary: 'Delete messages',
        description: 'With their answers and all letters about them, also those that wait.',
        request: { body: { required: true, ...json(manyMessages, 'Which') } },
        responses: { 200: json(messagesGone, 'How many there were') },
      }),
      async (c) => c.json({ deleted: await deleteMessages(c.var.ctx, c.req.valid('json').ids) }, 200),
    )

/** `/messages/{id}`. */
const oneMessageApi = () =>
  createApi()
    .openapi(
      createRoute({
        method: 'get',
        path: '/messages/{id}',
        ...read,
        summary: 'One message',
        description: 'Reading it here marks nothing.',
        request: { params: idParameter },
        responses: { 200: json(message, 'The message, with its note and its answers') },
      }),
      async (c) => c.json(await getMessage(c.var.ctx, c.req.valid('param').id), 200),
    )
    .openapi(
      createRoute({
        method: 'put',
        path: '/messages/{id}',
        ...write,
        summary: 'Write the note at a message',
        description: 'What the visitor wrote is never changed.',
        request: { params: idParameter, body: { required: true, ...json(messageNote, 'The note') } },
        responses: { 200: json(message, 'Written'), 409: staleOr },
      }),
      async (c) => c.json(await noteMessage(c.var.ctx, c.req.valid('param').id, c.req.valid('json')), 200),
    )
    .openapi(
      createRoute({
        method: 'delete',
        path: '/messages/{id}',
        ...write,
        summary: 'Delete a message',
        description: 'With its answers and all letters about it, also those that wait.',
        request: { params: idParameter },
        responses: { 204: { description: 'Gone' } },
      }),
      async (c) => {
        await deleteMessage(c.var.ctx, c.req.valid('param').id)
        return c.body(null, 204)
      },
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/messages/{id}/reply',
        ...write,
        summary: 'Answer a message by mail',
        description:
          'To the visitor, from the sender of the configuration, in the thread of the letters about the message. The same text again within ten minutes is the same answer.',
        request: { params: idParameter, body: { required: true, ...json(newReply, 'What to write') } },
        responses: {
          201: json(message, 'On its way'),
          409: staleOr,
          429: refused('Too many answers in an hour'),
        },
      }),
      async (c) => c.json(await replyToMessage(c.var.ctx, c.req.valid('param').id, c.req.valid('json')), 201),
    )
