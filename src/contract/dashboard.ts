import { z } from 'zod'
import { auditRow } from './audit.ts'
import { viewPeriods } from './day.ts'
import { languageTag } from './language-tag.ts'
import { author } from './pages.ts'
import { rightName } from './roles.ts'

const count = z.int().min(0)

/** The steps of the onboarding checklist for a new site, in order. */
export const onboardingSteps = [
  'name',
  'logo',
  'colours',
  'company',
  'recipients',
  'mail',
  'page',
  'backups',
  'alarms',
  'twoFactor',
] as const
export type OnboardingStep = (typeof onboardingSteps)[number]

const reviewItem = z.object({
  pageId: z.int(),
  locale: languageTag,
  title: z.string(),
  /** The user who offered it or sent it back, when, and with which note. */
  by: author,
  at: z.iso.datetime(),
  note: z.string(),
})

/** The dashboard. Parts that the user may not see are null. */
export const dashboard = z
  .object({
    name: z.string(),
    rights: z.array(rightName),
    /** When the user signed in for the visit before this one, or when the account was created. `news` is counted from here. */
    since: z.iso.datetime(),
    firstVisit: z.boolean(),
    /** The steps that the user has the rights for; null when all are done, or the user has hidden the checklist. */
    start: z.array(z.object({ step: z.enum(onboardingSteps), done: z.boolean() })).nullable(),
    news: z.object({
      messages: z.object({ new: count }).nullable(),
      users: z.object({ new: count }).nullable(),
      mail: z.object({ waiting: count, failed: count }).nullable(),
      /** The user's own drafts of pages (the newest five, and their number), and the number of drafts of all users. */
      drafts: z
        .object({
          mine: z.array(
            z.object({ pageId: z.int(), locale: languageTag, title: z.string(), savedAt: z.iso.datetime() }),
          ),
          mineCount: count,
          count,
        })
        .nullable(),
      /**
       * Texts of pages that wait for the user's review (the oldest five, and their number), and those sent back to the
       * user.
       */
      reviews: z
        .object({
          waiting: z.array(reviewItem),
          count,
          returned: z.array(reviewItem),
          /** Offers of the user that another writer continued with changes: those texts wait for review. */
          continued: z.array(reviewItem.extend({ takenOver: z.boolean() })),
        })
        .nullable(),
      /** The newest audit entries of all users. */
      changes: z.array(auditRow).nullable(),
    }),
  })
  .meta({ id: 'Dashboard' })
export type Dashboard = z.infer<typeof dashboard>

export const onboardingSetting = z.strictObject({ hidden: z.boolean() }).meta({ id: 'StartListSetting' })

const countOfDay = z.object({
  /** In the Amsterdam time zone: `2026-11-21`. */
  day: z.iso.date(),
  count,
})

export const messagesPerDay = z
  .object({
    /** Oldest first; the last is today. */
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

/** Page views by visitors, without personal data. */
export const views = z
  .object({
    /** Oldest first; the last is today. */
    days: z.array(countOfDay),
    /** The most viewed pages. */
    pages: z.array(
      z.object({
        /** With the language prefix: `/fa/disclaimer`. */
        address: z.string(),
        locale: languageTag,
        /** Null when the page no longer exists. */
        title: z.string().nullable(),
        views: count,
      }),
    ),
  })
  .meta({ id: 'Views' })
export type Views = z.infer<typeof views>
