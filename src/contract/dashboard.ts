import { z } from 'zod'
import { auditRow } from './audit.ts'
import { rightName } from './roles.ts'

const count = z.int().min(0)

/** What somebody sees who comes in. What they may not see is null. */
export const dashboard = z
  .object({
    name: z.string(),
    rights: z.array(rightName),
    /** The visit before this one; for who is here for the first time, when the account was made. What came later is new. */
    since: z.iso.datetime(),
    news: z.object({
      messages: z.object({ new: count }).nullable(),
      users: z.object({ new: count }).nullable(),
      mail: z.object({ waiting: count, failed: count }).nullable(),
      /** The newest changes, whoever made them. */
      changes: z.array(auditRow).nullable(),
    }),
  })
  .meta({ id: 'Dashboard' })
export type Dashboard = z.infer<typeof dashboard>
