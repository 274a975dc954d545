import { z } from 'zod'
import { limits } from './limits.ts'
import { identifier } from './users.ts'

/** An email address, in the body of a POST because URLs are logged. */
export const personSearch = z.strictObject({ email: identifier }).meta({ id: 'PersonSearch' })

/** `password`: that of the actor. An actor without a password omits it, and must have signed in recently. */
export const personRequest = z
  .strictObject({
    email: identifier,
    password: z.string({ error: 'type' }).max(limits.passwordMaxChars, 'tooLong').optional(),
  })
  .meta({ id: 'PersonRequest' })
export type PersonRequest = z.infer<typeof personRequest>

/** `html` is a printable page, `json` is machine-readable. */
const exportFormats = ['json', 'html'] as const
export const personExportRequest = personRequest
  .extend({ format: z.enum(exportFormats).default('json') })
  .meta({ id: 'PersonExportRequest' })
export type PersonExportRequest = z.infer<typeof personExportRequest>

/** How much data there is about an email address. */
export const personFound = z
  .object({
    messages: z.int(),
    /** Emails to the address, about its account, or naming it, without those that brought its messages to the company. */
    letters: z.int(),
    account: z
      .object({
        id: z.int(),
        name: z.string(),
        /** False for the actor's own account, and for users with rights that the actor lacks. */
        can: z.object({ delete: z.boolean() }),
      })
      .nullable(),
    /** Audit entries that name the address. */
    changes: z.int(),
  })
  .meta({ id: 'PersonFound' })
export type PersonFound = z.infer<typeof personFound>

export const personErased = z
  .object({ messages: z.int(), letters: z.int(), account: z.boolean(), changes: z.int() })
  .meta({ id: 'PersonErased' })
export type PersonErased = z.infer<typeof personErased>

/** All data about an email address, for a data subject access request (GDPR). */
export const personExport = z
  .object({
    email: z.string(),
    exportedAt: z.iso.datetime(),
    messages: z.array(z.record(z.string(), z.unknown())),
    letters: z.array(z.record(z.string(), z.unknown())),
    account: z.record(z.string(), z.unknown()).nullable(),
    changes: z.array(z.record(z.string(), z.unknown())),
  })
  .meta({ id: 'PersonExport' })
export type PersonExport = z.infer<typeof personExport>
