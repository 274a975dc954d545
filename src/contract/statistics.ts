import { z } from 'zod'
import { languageTag } from './language-tag.ts'
import { statisticsPeriods } from './visits.ts'

export const statisticsQuery = z.strictObject({
  days: z.coerce
    .number()
    .pipe(z.literal(statisticsPeriods))
    .default(30)
    .meta({ type: 'integer', enum: [...statisticsPeriods] }),
})
export type StatisticsQuery = z.infer<typeof statisticsQuery>

const count = z.int().min(0)
/** Null: not everything was counted in the period before. */
const figure = z.object({ count: z.number().min(0), before: z.number().min(0).nullable() })
export type Figure = z.infer<typeof figure>

/** Visitor statistics, without personal data. A visit is a page view that does not come from another page of this site. */
export const statistics = z
  .object({
    visits: figure,
    views: figure,
    /** Without spam. Null for users who may not see messages; so are `perThousand` and `pages`. */
    messages: figure.nullable(),
    /** Messages per thousand visits. */
    perThousand: figure.nullable(),
    /** Views by bots that identify themselves; these are counted nowhere else. */
    bots: count,
    /** Visits by day, in the Amsterdam time zone. Oldest first; the last is today. */
    days: z.array(z.object({ day: z.iso.date(), count })),
    devices: z.object({ desktop: count, phone: count, tablet: count }),
    /** The sites that visitors came from, most visits first; `direct`: from none. */
    sources: z.object({ rows: z.array(z.object({ name: z.string(), count })), other: count }),
    /** The campaign tags of the visited addresses. */
    campaigns: z.object({
      rows: z.array(z.object({ source: z.string(), medium: z.string(), campaign: z.string(), count })),
      other: count,
    }),
    /** The pages with the form that messages were sent from. */
    pages: z
      .object({
        rows: z.array(
          z.object({
            /** With the language prefix: `/fa/contact`. */
            address: z.string(),
            locale: languageTag,
            /** Null when the page no longer exists. */
            title: z.string().nullable(),
            count,
          }),
        ),
        /** Also messages from programs, which name no page. */
        other: count,
      })
      .nullable(),
  })
  .meta({ id: 'Statistics' })
export type Statistics = z.infer<typeof statistics>
