import { z } from 'zod'
import { formAnswer } from './forms.ts'
import { languageTag } from './language-tag.ts'
import { limits } from './limits.ts'
import { counter, listQuery, rowId } from './list.ts'
import { emailBounce, emailStates } from './outbox.ts'
import { spamReason } from './spam.ts'
import { comparedText, multiLine, optionalMultiLine } from './text.ts'

const messageFolders = ['inbox', 'spam'] as const
export type MessageFolder = (typeof messageFolders)[number]

/** The filters of a folder: unread, unanswered (`open`), answered. */
const messageStates = ['unread', 'open', 'answered'] as const
export type MessageState = (typeof messageStates)[number]

export const listedMessage = z
  .object({
    id: z.int(),
    /** The number that the visitor received. */
    reference: z.int(),
    /** The form, with its name at that time; empty for the contact form. */
    form: z.object({ id: z.string(), name: z.string() }),
    naam: z.string(),
    email: z.string(),
    tel: z.string(),
    /** The beginning of the message, on one line. */
    excerpt: z.string(),
    /** The language of the visitor. */
    locale: languageTag,
    folder: z.enum(messageFolders),
    /** Why it is spam: `honeypot`, `suspected` by the rules, or `staff` moved it. */
    spamReason: z.string().nullable(),
    /** The spam rules that matched, with their points. */
    spamReasons: z.array(spamReason),
    readAt: z.iso.datetime().nullable(),
    answeredAt: z.iso.datetime().nullable(),
    hasNote: z.boolean(),
    version: z.int(),
    createdAt: z.iso.datetime(),
    /** When the retention period ends and the message is deleted automatically. */
    keptUntil: z.iso.datetime(),
    can: z.object({ change: z.boolean() }),
  })
  .meta({ id: 'ListedMessage' })
export type ListedMessage = z.infer<typeof listedMessage>

const messageReply = z
  .object({
    id: z.int(),
    text: z.string(),
    /** The author's name at that time. */
    by: z.string(),
    at: z.iso.datetime(),
    /** The state of its email. */
    state: z.enum(emailStates),
  })
  .meta({ id: 'MessageReply' })
export type MessageReply = z.infer<typeof messageReply>

export const message = listedMessage
  .extend({
    bericht: z.string(),
    /** Empty for the contact form, whose fields are those above. */
    answers: z.array(formAnswer),
    /** Its attachments. */
    files: z.array(z.object({ id: z.int(), field: z.string(), name: z.string(), type: z.string(), bytes: z.int() })),
    /** Staff notes. */
    note: z.string(),
    /** The version of the privacy statement that the visitor saw. */
    privacyVersion: z.string(),
    /** Emails about it that did not reach their recipient: replies, and notices to staff. */
    bounces: z.array(emailBounce.extend({ recipient: z.string() })),
    /** A draft reply with salutation and closing, in the visitor's language. */
    replyStart: z.string(),
    /** Where the visitor's response to a reply is sent: the recipients of the message's form. */
    replyTo: z.array(z.string()),
    /** Oldest first. */
    replies: z.array(messageReply),
  })
  .meta({ id: 'Message' })
export type Message = z.infer<typeof message>

const messageFilters = z.strictObject({
  folder: z.enum(messageFolders).default('inbox'),
  state: z.enum(messageStates).optional(),
  /** The id of a form, `contact` for the contact form. */
  form: comparedText(40).optional(),
})
export const messageQuery = listQuery(['createdAt']).extend(messageFilters.shape)
export type MessageQuery = z.infer<typeof messageQuery>
/** An export has the filters and the order of the list. */
export const messageExportQuery = messageQuery.omit({ page: true, pageSize: true })
export type MessageExportQuery = z.infer<typeof messageExportQuery>

/** Counts of the inbox, and the addresses used for replies. */
export const inbox = z
  .object({
    /** Unread messages, counted up to 10,000, as are the next two. */
    unread: z.int(),
    open: z.int(),
    spam: z.int(),
    /** The forms to filter by: those of the site, and former ones with messages. The contact form has an empty name. */
    forms: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        /** Days after which its messages are deleted; null for a deleted form, whose messages each have their own. */
        retentionDays: z.int().nullable(),
      }),
    ),
    /** Days after which a message of the contact form is deleted; the privacy statement shows the same number. */
    retentionDays: z.int(),
    sender: z.object({ name: z.string(), email: z.string() }),
    /** The recipients of the contact form. */
    replyTo: z.array(z.string()),
  })
  .meta({ id: 'Inbox' })
export type Inbox = z.infer<typeof inbox>

const ids = z
  .array(rowId)
  .min(1, 'required')
  .max(limits.bulkIdsMax)
  .transform((list) => [...new Set(list)])
export const manyMessages = z.strictObject({ ids }).meta({ id: 'ManyMessages' })
export const manyMessagesRead = z.strictObject({ ids, read: z.boolean() }).meta({ id: 'ManyMessagesRead' })
export const manyMessagesAnswered = z.strictObject({ ids, answered: z.boolean() }).meta({ id: 'ManyMessagesAnswered' })
export const manyMessagesSpam = z.strictObject({ ids, spam: z.boolean() }).meta({ id: 'ManyMessagesSpam' })
/** The changed messages, without those that were deleted meanwhile. */
export const updatedMessages = z.object({ data: z.array(listedMessage) }).meta({ id: 'UpdatedMessages' })
export const deletedMessages = z.object({ deleted: z.int() }).meta({ id: 'DeletedMessages' })

export const messageNote = z
  .strictObject({ note: optionalMultiLine(limits.noteChars), version: counter.optional() })
  .meta({ id: 'MessageNote' })
export type MessageNote = z.infer<typeof messageNote>

export const newReply = z
  .strictObject({
    text: multiLine(limits.replyChars),
    /** Refused when another user changed the message since. */
    version: counter.optional(),
  })
  .meta({ id: 'NewReply' })
export type NewReply = z.infer<typeof newReply>
