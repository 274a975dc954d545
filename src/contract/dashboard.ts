import { z } from 'zod'
import { auditRow } from './audit.ts'
import { viewPeriods } from './day.ts'
import { locales } from './locales.ts'
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
      /** One's own drafts of pages, the newest five, and how many there are of everybody. */
      drafts: z
        .object({
          mine: z.array(
            z.object({ pageId: z.int(), locale: z.enum(locales), title: z.string(), savedAt: z.iso.datetime() }),
          ),
          count,
        })
        .nullable(),
      /** The newest changes, whoever made them. */
      changes: z.array(auditRow).nullable(),
    }),
  })
  .meta({ id: 'Dashboard' })
export type Dashboard = z.infer<typeof dashboard>

const countOfDay = z.object({
  /** Of the calendar in Amsterdam: `2026-11-21`. */
  day: z.iso.date(),
  count,
})

export const messagesPerDay = z
  .object({
    /** The oldest first; the last is today. */
    days: z.array(countOfDay),
  })
  .meta({ id: 'MessagesPerDay' })
export type MessagesPerDay = z.infer<typeof messagesPerDay>

export const viewsQuery = z.strictObject({
  days: z.coerce
    .number()
    .pipe(z.literal(viewPeriods))
    .default(30)
    .meta({ type: 'integer', enum: [...viewPeriods] }),
})
export type ViewsQuery = z.infer<typeof viewsQuery>

/** How often pages were looked at: by people, of whom nothing is known. */
export const views = z
  .object({
    /** The oldest first; the last is today. */
    days: z.array(countOfDay),
    /** The pages that were looked at most. */
    pages: z.array(
      z.object({
        /** With the language: `/fa/disclaimer`. */
        address: z.string(),
        locale: z.enum(locales),
        /** Null when there is no such page any more. */
        title: z.string().nullable(),
        views: count,
      }),
    ),
  })
  .meta({ id: 'Views' })
export type Views = z.infer<typeof views>
