import { z } from 'zod'
import { limits } from './limits.ts'
import { identifier } from './users.ts'

/** An address stands in a body and never in the address of a call: those are logged on their way. */
export const personSearch = z.strictObject({ email: identifier }).meta({ id: 'PersonSearch' })

/** The password of the one who asks; only who has none may leave it out, and must have signed in just now. */
export const personWish = z
  .strictObject({
    email: identifier,
    password: z.string({ error: 'type' }).max(limits.passwordMaxChars, 'tooLong').optional(),
  })
  .meta({ id: 'PersonWish' })
export type PersonWish = z.infer<typeof personWish>

/** How much is known about an address. */
export const personFound = z
  .object({
    messages: z.int(),
    /** Letters to this address; those about its messages go with the messages. */
    letters: z.int(),
    account: z
      .object({
        id: z.int(),
        name: z.string(),
        /** Not who may do more than the one who asks, and not oneself. */
        can: z.object({ delete: z.boolean() }),
      })
      .nullable(),
    /** Lines of the log that name it. */
    changes: z.int(),
  })
  .meta({ id: 'PersonFound' })
export type PersonFound = z.infer<typeof personFound>

export const personErased = z
  .object({ messages: z.int(), letters: z.int(), account: z.boolean(), changes: z.int() })
  .meta({ id: 'PersonErased' })
export type PersonErased = z.infer<typeof personErased>

/** All that is known about an address, for the person whose it is. */
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
