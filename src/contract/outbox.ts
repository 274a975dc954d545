import { z } from 'zod'
import { limits } from './limits.ts'
import { listQuery, rowId } from './list.ts'
import { locales } from './locales.ts'

export const letterStates = ['waiting', 'failed', 'sent'] as const
export type LetterState = (typeof letterStates)[number]

/** Every letter that the program writes: the names under which the outbox keeps them, each with the kinds that it writes. */
export const letterTemplates = {
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
} as const
export type LetterTemplate = keyof typeof letterTemplates
export type LetterKind = (typeof letterTemplates)[LetterTemplate][number]
export const letterKinds: LetterKind[] = Object.values(letterTemplates).flat()

/** A letter on its way, without what it says. */
export const outboxLetter = z
  .object({
    id: z.int(),
    /** What kind of letter it is, as a name and in the reader's words. */
    template: z.string(),
    label: z.string(),
    recipient: z.string(),
    /** What it is about; `type` is `message` or `user`. */
    about: z.object({ type: z.string(), id: z.int() }).nullable(),
    state: z.enum(letterStates),
    attempts: z.int(),
    /** What the mail server answered to the last try. */
    reason: z.string().nullable(),
    createdAt: z.iso.datetime(),
    /** Of one that waits. */
    nextAttemptAt: z.iso.datetime().nullable(),
    sentAt: z.iso.datetime().nullable(),
    can: z.object({ retry: z.boolean() }),
  })
  .meta({ id: 'OutboxLetter' })
export type OutboxLetter = z.infer<typeof outboxLetter>

export const outboxQuery = listQuery(['createdAt']).extend({ state: z.enum(letterStates).optional() })
export type OutboxQuery = z.infer<typeof outboxQuery>

export const outboxCounts = z.object({ waiting: z.int(), failed: z.int(), sent: z.int() }).meta({ id: 'OutboxCounts' })
export type OutboxCounts = z.infer<typeof outboxCounts>

export const lettersToRetry = z
  .strictObject({
    /** Left out: every letter that was given up. */
    ids: z.array(rowId).min(1, 'required').max(limits.manyMost).optional(),
  })
  .meta({ id: 'LettersToRetry' })
export const lettersRetried = z.object({ retried: z.int() }).meta({ id: 'LettersRetried' })

/** The letters that the program writes; each can be looked at. */
export const letterKindList = z
  .object({ data: z.array(z.object({ kind: z.string(), label: z.string() })) })
  .meta({ id: 'LetterKinds' })

export const letterKindParameter = z.object({ kind: z.enum(letterKinds) })
export const letterPreviewQuery = z.strictObject({ locale: z.enum(locales).default('nl') })

const address = z.object({ name: z.string(), address: z.string() })
/** A letter as it would be, with the configuration of now and somebody who does not exist. */
export const letterPreview = z
  .object({
    subject: z.string(),
    from: address,
    to: z.array(address),
    replyTo: z.array(address),
    html: z.string(),
    /** The part for programs that show no HTML. */
    text: z.string(),
  })
  .meta({ id: 'LetterPreview' })
export type LetterPreview = z.infer<typeof letterPreview>
