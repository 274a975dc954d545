import { Readable } from 'node:stream'
import { create as contentDisposition } from 'content-disposition'
import { Refusal } from '../contract/errors.ts'
import { idParameter, listOf } from '../contract/list.ts'
import {
  deletedMessages,
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
  newReply,
  updatedMessages,
} from '../contract/messages.ts'
import { getAttachment } from '../domain/messages/attachments.ts'
import {
  deleteMessage,
  deleteMessages,
  markAnswered,
  markRead,
  moveMessages,
  noteMessage,
} from '../domain/messages/change-messages.ts'
import { exportMessages } from '../domain/messages/export-messages.ts'
import { getInboxSummary, getMessage, listMessages } from '../domain/messages/list-messages.ts'
import { replyToMessage } from '../domain/messages/reply-to-message.ts'
import { createApi, csvResponses, defineRoute, json, jsonBody, noContent, refusalResponse } from '../http/api.ts'
import { requestLocale } from '../http/request-locale.ts'
import { securityHeaders } from '../http/security-headers.ts'
import { translator } from '../i18n/translate.ts'
import { csvHeaders, streamText } from '../platform/csv.ts'

const read = { anyRight: ['messages.read', 'messages.write'] } as const
const write = { anyRight: ['messages.write'] } as const

const updatedResponse = {
  200: json(updatedMessages, 'The messages after the change; missing ids are left out'),
}
const stale = refusalResponse('Somebody else changed the message meanwhile (`stale`; `current` is the saved state)')

/** In two parts: type inference is slow for one long chain. */
export const messagesApi = () => createApi().route('/', manyMessagesApi()).route('/', oneMessageApi())

/** `/messages` for several messages at once. Registered before `/messages/{id}`. */
const manyMessagesApi = () =>
  createApi()
    .openapi(
      defineRoute('get', '/messages', {
        ...read,
        summary: 'List messages',
        description:
          'The messages of one folder, the newest first. `search` matches the sender and the whole text; every word must occur.',
        request: { query: messageQuery },
        responses: { 200: json(listOf(listedMessage), 'One page of the list') },
      }),
      async (c) => c.json(await listMessages(c.var.ctx, c.req.valid('query')), 200),
    )
    .openapi(
      defineRoute('get', '/messages/inbox', {
        ...read,
        summary: 'Get the numbers and settings of the inbox',
        description: 'Includes the retention period of messages, and the sender and Reply-To of replies.',
        responses: { 200: json(inbox, 'The current numbers and settings') },
      }),
      async (c) => c.json(await getInboxSummary(c.var.ctx), 200),
    )
    .openapi(
      defineRoute('get', '/messages/export', {
        ...read,
        summary: 'Export messages as CSV',
        description:
          'All messages that the same query would list, as UTF-8 with a byte order mark, separated by semicolons.',
        request: { query: messageExportQuery },
        responses: csvResponses,
      }),
      async (c) => {
        const locale = requestLocale(c.req.raw)
        const lines = await exportMessages(c.var.ctx, c.req.valid('query'), locale)
        const title = translator(locale)('messages.csv.file')
        return c.body(streamText(lines), 200, csvHeaders({ name: 'messages', title, at: c.var.ctx.now() }))
      },
    )
    .openapi(
      defineRoute('post', '/messages/read', {
        ...read,
        summary: 'Mark messages as read, or as unread',
        request: { body: jsonBody(manyMessagesRead, 'The messages, and the new state') },
        responses: updatedResponse,
      }),
      async (c) => c.json({ data: await markRead(c.var.ctx, c.req.valid('json')) }, 200),
    )
    .openapi(
      defineRoute('post', '/messages/answered', {
        ...write,
        summary: 'Mark messages as answered, or as unanswered',
        description:
          'For messages that were answered elsewhere; a reply from here marks its message automatically: at once, or without a mail server once it is sent.',
        request: { body: jsonBody(manyMessagesAnswered, 'The messages, and the new state') },
        responses: updatedResponse,
      }),
      async (c) => c.json({ data: await markAnswered(c.var.ctx, c.req.valid('json')) }, 200),
    )
    .openapi(
      defineRoute('post', '/messages/spam', {
        ...write,
        summary: 'Move messages to the spam folder, or out of it',
        description: 'A message that is moved out of the spam folder is emailed to the company, once.',
        request: { body: jsonBody(manyMessagesSpam, 'The messages, and the new state') },
        responses: updatedResponse,
      }),
      async (c) => c.json({ data: await moveMessages(c.var.ctx, c.req.valid('json')) }, 200),
    )
    .openapi(
      defineRoute('post', '/messages/delete', {
        ...write,
        summary: 'Delete messages',
        description: 'Also deletes their replies and all emails about them, even unsent ones.',
        request: { body: jsonBody(manyMessages, 'The messages') },
        responses: { 200: json(deletedMessages, 'How many were deleted') },
      }),
      async (c) => c.json({ deleted: await deleteMessages(c.var.ctx, c.req.valid('json').ids) }, 200),
    )

/** `/messages/{id}`. */
const oneMessageApi = () =>
  createApi()
    .openapi(
      defineRoute('get', '/messages/{id}', {
        ...read,
        summary: 'One message',
        description:
          '`id` is the id or the reference of the message, as in every request about one message. Does not mark it as read.',
        request: { params: idParameter },
        responses: { 200: json(message, 'The message, with its note and its replies') },
      }),
      async (c) => c.json(await getMessage(c.var.ctx, c.req.valid('param').id), 200),
    )
    .openapi(
      defineRoute('put', '/messages/{id}', {
        ...write,
        summary: 'Set the note of a message',
        description: 'The message itself cannot be changed.',
        request: { params: idParameter, body: jsonBody(messageNote, 'The note') },
        responses: { 200: json(message, 'Saved'), 409: stale },
      }),
      async (c) => c.json(await noteMessage(c.var.ctx, c.req.valid('param').id, c.req.valid('json')), 200),
    )
    .openapi(
      defineRoute('delete', '/messages/{id}', {
        ...write,
        summary: 'Delete a message',
        description: 'Also deletes its replies and all emails about it, even unsent ones.',
        request: { params: idParameter },
        responses: { 204: { description: 'Deleted' } },
      }),
      async (c) => noContent(c, deleteMessage(c.var.ctx, c.req.valid('param').id)),
    )
    .openapi(
      defineRoute('get', '/messages/{id}/files/{file}', {
        ...read,
        summary: 'Download a file of a message',
        description: 'Always as a download, and never cached.',
        request: { params: idParameter.extend({ file: idParameter.shape.id }) },
        responses: {
          200: {
            description: 'The file',
            content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
          },
        },
      }),
      async (c) => {
        const { ctx } = c.var
        const { id, file } = c.req.valid('param')
        const { name, type, bytes, storageKey } = await getAttachment(ctx, id, file)
        const content = await ctx.uploads.storage.read(storageKey)
        if (!content) throw new Refusal('not_found')
        return c.body(Readable.toWeb(content) as ReadableStream<Uint8Array>, 200, {
          ...Object.fromEntries(securityHeaders(ctx.origin)),
          'Content-Type': type,
          'Content-Length': String(bytes),
          'Content-Disposition': contentDisposition(name, { type: 'attachment', fallback: 'file' }),
          'Content-Security-Policy': "default-src 'none'; sandbox",
          'Cache-Control': 'private, no-store',
        })
      },
    )
    .openapi(
      defineRoute('post', '/messages/{id}/reply', {
        ...write,
        summary: 'Reply to a message by email',
        description:
          'Sent to the visitor, from the configured sender, in the email thread of the message. The same text within ten minutes is not sent again.',
        request: { params: idParameter, body: jsonBody(newReply, 'The reply') },
        responses: {
          201: json(message, 'Queued'),
          409: stale,
          429: refusalResponse('Too many replies in an hour'),
        },
      }),
      async (c) => c.json(await replyToMessage(c.var.ctx, c.req.valid('param').id, c.req.valid('json')), 201),
    )
