import { z } from 'zod'
import { limits } from './limits.ts'
import { locales } from './locales.ts'
import { pageBody } from './page-body.ts'
import { eachSlugOnce, slug } from './slug.ts'
import { isClean, pageTitle } from './text.ts'
import { isOrigin } from './url.ts'
import { wanted } from './wanted.ts'

export const siteConfigVersion = '1.2'

const optionalText = (max: number) => z.string().max(max).refine(isClean, wanted.control)
const said = (max: number) => z.string().min(1).max(max).refine(isClean, wanted.control)
/** Text that may hold placeholders in square brackets: `[brand]`, `[year]` and the others of `fillText`. */
const text = said(20_000)
const each = <T extends z.ZodType>(value: T) => z.strictObject({ nl: value, fa: value.optional() })
const colour = z.string().regex(/^#[0-9a-fA-F]{6}$/, wanted.colour)
const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, wanted.time)
/** A picture under `public/`, or the address of an upload. */
const picturePath = z
  .string()
  .max(400)
  .regex(/^((\/[\w-][\w.-]*)+\.(svg|png|jpe?g|webp)|\/files\/[0-9a-f]{32}\/[^/\s?#"'<>\\]{1,360})$/, wanted.picturePath)
const country = z.string().length(2, wanted.country)

export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
export type Weekday = (typeof weekdays)[number]

const openingHours = z
  .strictObject({ opens: time, closes: time })
  .refine((hours) => hours.opens < hours.closes, wanted.closesFirst)
const day = openingHours.nullable()

const offerItem = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]+$/, wanted.itemId),
  name: each(text),
  description: each(text),
  /** Cents of a euro. */
  amount: z.int().min(0).max(100_000_000),
  /** `from`: the price is where it starts, the offer says where it ends. */
  from: z.boolean().default(false),
  period: z.enum(['once', 'month', 'year']),
  /** How long delivery takes, or from when it can be ended: shown under the price. */
  term: each(text).optional(),
  features: each(z.array(text).max(20)),
  recommended: z.boolean().default(false),
})
export type OfferItem = z.infer<typeof offerItem>

const formField = z.strictObject({
  name: z.enum(['naam', 'email', 'tel', 'bericht']),
  type: z.enum(['single-line', 'multi-line']),
  placeholder: each(text),
  autocomplete: optionalText(40).optional(),
})

/** Home, privacy statement and disclaimer as they are delivered. `slug` is the path without its first slash; home's is empty. */
const firstPage = <B extends z.ZodType>(block: B) => {
  const inOneLocale = z.strictObject({
    title: pageTitle.meta({ minLength: 1, maxLength: limits.pageTitleChars }),
    description: optionalText(limits.pageDescriptionChars),
    body: pageBody(block),
    /** Where it is found in this language, when that is not at the page's own slug. */
    slug: slug.optional(),
    /** For search engines and tabs; left out: the title. */
    seoTitle: optionalText(limits.pageTitleChars).optional(),
    /** The address of an upload, for cards. */
    picture: z
      .string()
      .regex(/^\/files\/[\w-]+\/[^\s]+$/)
      .max(500)
      .optional(),
    /** Search engines leave it alone. */
    noindex: z.boolean().optional(),
  })
  return z.strictObject({
    slug,
    /** Date of the text, for pages that must say how old they are. */
    updated: z.iso.date(),
    content: each(inOneLocale),
  })
}

/** The whole configuration; what a block is, the caller says, for the blocks live above this file. */
export const siteConfigSchema = <B extends z.ZodType>(block: B) => {
  const area = each(z.array(block).max(50))
  return z.strictObject({
    $schema: z.string().optional(),
    version: z.literal(siteConfigVersion),
    brand: said(60),
    tagline: each(text),
    /** Where the site stands, without a slash at the end; the setting BASE_URL wins. */
    url: z.url({ protocol: /^https?$/, error: wanted.origin, abort: true }).refine(isOrigin, wanted.origin),
    seo: z.strictObject({ title: each(text), description: each(text), keywords: each(z.array(text).max(40)) }),
    business: z.strictObject({
      type: z.literal('ProfessionalService'),
      description: each(text),
      openingHours: z.strictObject(
        Object.fromEntries(weekdays.map((name) => [name, day])) as Record<Weekday, typeof day>,
      ),
      priceRange: said(20),
      /** ISO 3166-1 code of the country served. */
      areaServed: country,
      sameAs: z.array(z.url({ protocol: /^https$/ })).max(20),
      geo: z.strictObject({ latitude: z.number().min(-90).max(90), longitude: z.number().min(-180).max(180) }),
    }),
    legal: z.strictObject({
      name: text,
      address: z.strictObject({ street: text, postalCode: text, city: text, country }),
      email: z.email(),
      telephone: said(40).min(3).optional(),
      /** Number at the Dutch chamber of commerce. */
      kvk: z.string().regex(/^\d{8}$/, wanted.kvk),
      /** Btw-id. */
      vat: z.string().regex(/^[A-Z]{2}[0-9A-Z]{2,13}$/, wanted.vatId),
    }),
    sender: z.strictObject({ name: text, email: z.email() }),
    /** The mark that stands beside the brand's name; a picture under `public/` or an upload, best an SVG. */
    logo: z.strictObject({ src: picturePath }),
    palette: z.strictObject({ primary: colour, secondary: colour, accent: colour, light: colour, dark: colour }),
    locales: z
      .array(z.enum(locales))
      .min(1)
      .refine((list) => list.includes('nl'), wanted.dutchStays)
      .refine((list) => new Set(list).size === list.length, wanted.twice)
      .meta({ uniqueItems: true }),
    contact: z.strictObject({
      type: z.literal('api'),
      action: z.literal('/api/contact'),
      recipients: z.array(z.email()).min(1).max(10),
      subject: said(200),
      /** Days after which a message is removed; the privacy statement shows this number. */
      retentionDays: z.int().min(1).max(3_650),
      fields: z
        .array(formField)
        .length(4)
        .refine((list) => new Set(list.map((field) => field.name)).size === 4, wanted.contactFields),
    }),
    offer: z.strictObject({
      /** Whether the amounts are without (`excl`) or with (`incl`) value added tax. */
      vat: z.enum(['excl', 'incl']),
      prices: z.array(offerItem).max(12),
      subscriptions: z.array(offerItem).max(12),
    }),
    branding: z.strictObject({
      navbar: z.strictObject({ top: area, desktop: area, mobile: area }),
      footer: z.strictObject({ left: area, right: area, bottom: area }),
    }),
    pages: z
      .array(firstPage(block))
      .max(limits.configPages)
      .refine(
        (list) => ['', 'privacy-verklaring', 'disclaimer'].every((slug) => list.some((page) => page.slug === slug)),
        'Home (an empty slug), privacy-verklaring and disclaimer must be there',
      )
      .superRefine(eachSlugOnce),
  })
}

/** A block as it is stored: its `type` says which one, the rest is its own. */
export interface StoredBlock {
  type: string
  /** Tells it from the others of its page; older ones have none. */
  id?: string | undefined
}

export type SiteConfig = z.infer<ReturnType<typeof siteConfigSchema<z.ZodType<StoredBlock>>>>
export type SitePage = SiteConfig['pages'][number]
