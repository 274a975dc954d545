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
/** A number for the period and for the one before; null when counting began later than that. */
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
    /** Views by bots that identify themselves, which no other number includes. */
    bots: count,
    /** Visits by day, in the Amsterdam time zone. Oldest first; the last is today. */
    days: z.array(z.object({ day: z.iso.date(), count })),
    devices: z.object({ desktop: count, phone: count, tablet: count }),
    /** Visits by referring site, most visits first; `direct`: without one. */
    sources: z.object({ rows: z.array(z.object({ name: z.string(), count })), other: count }),
    /** Visits by the campaign parameters (`utm_…`) of the address. */
    campaigns: z.object({
      rows: z.array(z.object({ source: z.string(), medium: z.string(), campaign: z.string(), count })),
      other: count,
    }),
    /** Messages by the page with the form that they were sent from. */
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
        /** The messages from further pages, and from API clients, which send no page. */
        other: count,
      })
      .nullable(),
  })
  .meta({ id: 'Statistics' })
export type Statistics = z.infer<typeof statistics>
