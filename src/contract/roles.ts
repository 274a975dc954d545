import { z } from 'zod'
import { limits } from './limits.ts'
import { counter } from './list.ts'
import { type RightGroup, rightGroups, rights } from './rights.ts'
import { singleLine } from './text.ts'

export const rightName = z.enum(rights as [(typeof rights)[number], ...typeof rights])

/** A role as part of a user or of the profile. */
export const embeddedRole = z
  .object({ id: z.int(), name: z.string(), rights: z.array(rightName) })
  .meta({ id: 'EmbeddedRole' })

export const role = z
  .object({
    ...embeddedRole.shape,
    /** The number of users with this role. */
    users: z.int(),
    version: z.int(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    can: z.object({ change: z.boolean(), delete: z.boolean() }),
  })
  .meta({ id: 'Role' })
export type Role = z.infer<typeof role>

const roleInput = z.strictObject({
  name: singleLine(limits.roleNameChars),
  rights: z
    .array(rightName)
    .max(100)
    .transform((names) => [...new Set(names)]),
})
export const newRole = roleInput.meta({ id: 'NewRole' })
export const changedRole = roleInput.extend({ version: counter.optional() }).meta({ id: 'ChangedRole' })
export const roleList = z.object({ data: z.array(role) }).meta({ id: 'Roles' })

/** All rights in groups, with labels in the reader's language. */
export const rightList = z
  .object({
    data: z.array(
      z.object({
        group: z.enum(Object.keys(rightGroups) as [RightGroup, ...RightGroup[]]),
        label: z.string(),
        rights: z.array(z.object({ name: rightName, label: z.string(), explanation: z.string() })),
      }),
    ),
  })
  .meta({ id: 'Rights' })

export type NewRole = z.infer<typeof newRole>
export type ChangedRole = z.infer<typeof changedRole>
