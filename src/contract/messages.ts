import { z } from 'zod'
import { limits } from './limits.ts'
import { counter, listQuery, rowId } from './list.ts'
import { locales } from './locales.ts'
import { optionalParagraphs, paragraphs } from './text.ts'

export const messageFolders = ['inbox', 'spam'] as const
export type MessageFolder = (typeof messageFolders)[number]

/** What one may ask a folder for: not read yet, not answered yet, answered. */
export const messageStates = ['unread', 'open', 'answered'] as const
export type MessageState = (typeof messageStates)[number]

export const listedMessage = z
  .object({
    /** The reference number that the visitor was told. */
    id: z.int(),
    naam: z.string(),
    email: z.string(),
    tel: z.string(),
    /** The beginning of the message, in one line. */
    excerpt: z.string(),
    /** The language that the visitor read. */
    locale: z.enum(locales),
    folder: z.enum(messageFolders),
    /** Why it is in the spam: `honeypot`, or `staff` who put it there. */
    spamReason: z.string().nullable(),
    readAt: z.iso.datetime().nullable(),
    answeredAt: z.iso.datetime().nullable(),
    hasNote: z.boolean(),
    version: z.int(),
    createdAt: z.iso.datetime(),
    /** From then on it is removed by the website itself. */
    keptUntil: z.iso.datetime(),
    can: z.object({ change: z.boolean() }),
  })
  .meta({ id: 'ListedMessage' })
export type ListedMessage = z.infer<typeof listedMessage>

export const messageReply = z
  .object({
    id: z.int(),
    text: z.string(),
    /** Who wrote it, as they were called then. */
    by: z.string(),
    at: z.iso.datetime(),
    /** Where its letter is. */
    state: z.enum(['waiting', 'sent', 'failed']),
  })
  .meta({ id: 'MessageReply' })
export type MessageReply = z.infer<typeof messageReply>

export const message = listedMessage
  .extend({
    bericht: z.string(),
    /** Of the staff, for each other. */
    note: z.string(),
    /** Which privacy statement the visitor was shown. */
    privacyVersion: z.string(),
    /** What an answer may begin and end with, in the visitor's language. */
    replyStart: z.string(),
    /** The oldest first. */
    replies: z.array(messageReply),
  })
  .meta({ id: 'Message' })
export type Message = z.infer<typeof message>

const which = z.strictObject({
  folder: z.enum(messageFolders).default('inbox'),
  state: z.enum(messageStates).optional(),
})
export const messageQuery = listQuery(['createdAt']).extend(which.shape)
export type MessageQuery = z.infer<typeof messageQuery>
/** Which messages an export holds: all that the same list would show, in the same order. */
export const messageExportQuery = messageQuery.omit({ page: true, pageSize: true })
export type MessageExportQuery = z.infer<typeof messageExportQuery>

/** What is known of the whole inbox, and what an answer is sent with. */
export const inbox = z
  .object({
    /** Up to 10,000 are counted. */
    unread: z.int(),
    open: z.int(),
    spam: z.int(),
    /** Days after which a message is removed; the privacy statement shows the same number. */
    retentionDays: z.int(),
    sender: z.object({ name: z.string(), email: z.string() }),
    /** Where the visitor's answer to an answer goes. */
    replyTo: z.array(z.string()),
  })
  .meta({ id: 'Inbox' })
export type Inbox = z.infer<typeof inbox>

const ids = z
  .array(rowId)
  .min(1, 'required')
  .max(limits.manyMost)
  .transform((list) => [...new Set(list)])
export const manyMessages = z.strictObject({ ids }).meta({ id: 'ManyMessages' })
export const manyMessagesRead = z.strictObject({ ids, read: z.boolean() }).meta({ id: 'ManyMessagesRead' })
export const manyMessagesAnswered = z.strictObject({ ids, answered: z.boolean() }).meta({ id: 'ManyMessagesAnswered' })
export const manyMessagesSpam = z.strictObject({ ids, spam: z.boolean() }).meta({ id: 'ManyMessagesSpam' })
/** Who is gone meanwhile is left out. */
export const messagesNow = z.object({ data: z.array(listedMessage) }).meta({ id: 'MessagesNow' })
export const messagesGone = z.object({ deleted: z.int() }).meta({ id: 'MessagesGone' })

export const messageNote = z
  .strictObject({ note: optionalParagraphs(limits.noteChars), version: counter.optional() })
  .meta({ id: 'MessageNote' })
export type MessageNote = z.infer<typeof messageNote>

export const newReply = z
  .strictObject({
    text: paragraphs(limits.replyChars),
    /** Refused when somebody else did something with the message since. */
    version: counter.optional(),
  })
  .meta({ id: 'NewReply' })
export type NewReply = z.infer<typeof newReply>
