import { z } from 'zod'
import { limits } from './limits.ts'
import { listQuery, rowIdText, several } from './list.ts'

/** What the log tells of. A name is permanent: rows hold it. Its words stand in `i18n` at `audit.actions.<name>`. */
export const auditActions = [
  'user.created',
  'user.updated',
  'user.deleted',
  'user.blocked',
  'user.unblocked',
  'user.role_given',
  'user.password_set',
  'user.password_link_made',
  'user.notified',
  'user.two_factor_off',
  'user.provider_linked',
  'users.exported',
  'message.answered',
  'message.unanswered',
  'message.replied',
  'message.noted',
  'message.spam',
  'message.not_spam',
  'message.deleted',
  'messages.exported',
  'letters.retried',
  'privacy.exported',
  'privacy.erased',
  'role.created',
  'role.updated',
  'role.deleted',
  'file.uploaded',
  'file.updated',
  'file.replaced',
  'file.deleted',
  'page.created',
  'page.updated',
  'page.published',
  'page.unpublished',
  'page.planned',
  'page.duplicated',
  'page.binned',
  'page.unbinned',
  'page.deleted',
  'page.restored',
  'redirect.created',
  'redirect.updated',
  'redirect.deleted',
  'config.changed',
  'config.imported',
  'config.restored',
  'profile.changed',
  'profile.email_asked',
  'profile.email_changed',
  'profile.email_withdrawn',
  'profile.password_changed',
  'profile.two_factor_on',
  'profile.two_factor_off',
  'profile.recovery_codes_renewed',
  'profile.passkey_added',
  'profile.passkey_renamed',
  'profile.passkey_removed',
  'profile.session_ended',
  'profile.sessions_ended',
] as const
export type AuditAction = (typeof auditActions)[number]

/** One change: who, when, what, from what, to what. */
export const auditRow = z
  .object({
    id: z.int(),
    at: z.iso.datetime(),
    /** As they were called then; `id` is empty when the program itself did it. */
    actor: z.object({ id: z.int().nullable(), name: z.string() }),
    action: z.string(),
    /** The action in the reader's language. */
    label: z.string(),
    subject: z.object({
      type: z.string(),
      id: z.string().nullable(),
      name: z.string(),
      /** What a page is called by now, where that is something else. */
      now: z.string().optional(),
    }),
    /** The changed fields alone. */
    before: z.record(z.string(), z.unknown()).nullable(),
    after: z.record(z.string(), z.unknown()).nullable(),
  })
  .meta({ id: 'AuditRow' })
export type AuditRow = z.infer<typeof auditRow>

const name = z
  .string()
  .regex(/^[\w.]+$/)
  .max(limits.nameChars)
export const auditQuery = listQuery(['at']).extend({
  actorId: rowIdText.optional(),
  action: several(name),
  subjectType: name.optional(),
  subjectId: name.optional(),
  /** From this instant on. */
  from: z.iso.datetime().optional(),
  /** Before this instant. */
  until: z.iso.datetime().optional(),
})
export type AuditQuery = z.infer<typeof auditQuery>
