import { z } from 'zod'
import { limits } from './limits.ts'
import { listQuery, repeatedQuery, rowIdText } from './list.ts'

/** One audit entry. */
export const auditRow = z
  .object({
    id: z.int(),
    at: z.iso.datetime(),
    /** The actor, with the name at that time; `id` is null for the system itself. */
    actor: z.object({ id: z.int().nullable(), name: z.string() }),
    action: z.string(),
    /** The action in the reader's language. */
    label: z.string(),
    subject: z.object({
      type: z.string(),
      id: z.string().nullable(),
      name: z.string(),
      /** The current title of a page, if it differs from `name`. */
      now: z.string().optional(),
    }),
    /** The changed fields only. */
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
  action: repeatedQuery(name),
  subjectType: name.optional(),
  subjectId: name.optional(),
  /** Inclusive. */
  from: z.iso.datetime().optional(),
  /** Exclusive. */
  until: z.iso.datetime().optional(),
})
export type AuditQuery = z.infer<typeof auditQuery>
