import { z } from 'zod'
import { limits } from './limits.ts'
import { identifier } from './users.ts'

/** The address is sent in the body, because URLs are logged. */
export const personSearch = z.strictObject({ email: identifier }).meta({ id: 'PersonSearch' })

/** The actor's own password; an actor without one may omit it, and must have signed in recently. */
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

/** The amount of data about an address. */
export const personFound = z
  .object({
    messages: z.int(),
    /** Emails to this address; those about its messages are counted with the messages. */
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

/** All data about an address, for a data subject access request. */
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
