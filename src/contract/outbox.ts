import { z } from 'zod'
import { limits } from './limits.ts'
import { listQuery, rowId } from './list.ts'
import { builtInLocales } from './locales.ts'

/** `file`: no mail server was configured, so the email was only written to a file. */
export const emailStates = ['waiting', 'failed', 'sent', 'file'] as const
export type EmailState = (typeof emailStates)[number]

/** The email templates, whose names the outbox stores, each with the kinds of email that it renders. */
export const emailTemplates = {
  contactMessage: ['contactMessage'],
  messageReply: ['messageReply'],
  userAccount: ['newUser', 'newUserPassword', 'updatedUser', 'updatedUserPassword'],
  userInvitation: ['userInvitation'],
  passwordLink: ['passwordLink'],
  confirmEmail: ['confirmEmail'],
  profileNotice: [
    'emailAsked',
    'emailTaken',
    'emailChanged',
    'passwordChanged',
    'twoFactorOn',
    'twoFactorOff',
    'recoveryCodes',
    'passkeyAdded',
    'passkeyRemoved',
  ],
  contactChange: ['contactChange'],
  pageReview: ['pageOffered', 'pageReturned', 'pageAdded', 'pageTakenOver'],
  healthAlarm: ['healthAlarm'],
  monthlyReport: ['monthlyReport'],
} as const
export type EmailTemplate = keyof typeof emailTemplates
export type EmailKind = (typeof emailTemplates)[EmailTemplate][number]
export const emailKinds: EmailKind[] = Object.values(emailTemplates).flat()

/** A report of a mail server that an email was not delivered (`failed`), or not yet (`delayed`). */
export const emailBounce = z.object({
  at: z.iso.datetime(),
  action: z.enum(['failed', 'delayed']),
  status: z.string().describe('Such as 5.1.1'),
  reason: z.string(),
})

/** An email in the outbox, without its content. */
export const outboxEmail = z
  .object({
    id: z.int(),
    /** The kind of email, and its label in the reader's language. */
    template: z.string(),
    label: z.string(),
    recipient: z.string(),
    /** The record that the email is about; `type` is `message` or `user`. */
    about: z
      .object({
        type: z.string(),
        id: z.int(),
        reference: z.int().optional().describe('The number that its sender knows, of a message'),
      })
      .nullable(),
    state: z.enum(emailStates),
    attempts: z.int(),
    /** The mail server's last response. */
    reason: z.string().nullable(),
    createdAt: z.iso.datetime(),
    /** Null unless the email is waiting. */
    nextAttemptAt: z.iso.datetime().nullable(),
    sentAt: z.iso.datetime().nullable(),
    bounce: emailBounce.nullable(),
    can: z.object({ retry: z.boolean() }),
  })
  .meta({ id: 'OutboxEmail' })
export type OutboxEmail = z.infer<typeof outboxEmail>

export const outboxQuery = listQuery(['createdAt']).extend({ state: z.enum(emailStates).optional() })
export type OutboxQuery = z.infer<typeof outboxQuery>

export const outboxCounts = z
  .object({ waiting: z.int(), failed: z.int(), sent: z.int(), file: z.int() })
  .meta({ id: 'OutboxCounts' })
export type OutboxCounts = z.infer<typeof outboxCounts>

export const emailsToRetry = z
  .strictObject({
    /** Omitted: all failed emails. */
    ids: z.array(rowId).min(1, 'required').max(limits.bulkIdsMax).optional(),
  })
  .meta({ id: 'EmailsToRetry' })
export const emailsRetried = z.object({ retried: z.int() }).meta({ id: 'EmailsRetried' })

/** All kinds of email, for previews. */
export const emailKindList = z
  .object({ data: z.array(z.object({ kind: z.string(), label: z.string() })) })
  .meta({ id: 'EmailTemplates' })

export const emailKindParameter = z.object({ kind: z.enum(emailKinds) })
export const emailPreviewQuery = z.strictObject({ locale: z.enum(builtInLocales).default('nl') })

const address = z.object({ name: z.string(), address: z.string() })
/** A sample email with the current configuration and a fictitious recipient. */
export const emailPreview = z
  .object({
    subject: z.string(),
    from: address,
    to: z.array(address),
    replyTo: z.array(address),
    html: z.string(),
    /** The plain text part. */
    text: z.string(),
  })
  .meta({ id: 'EmailPreview' })
export type EmailPreview = z.infer<typeof emailPreview>
