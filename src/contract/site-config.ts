import { z } from 'zod'
import { locales } from './locales.ts'
import { eachSlugOnce, slug } from './slug.ts'
import { isOrigin } from './url.ts'

export const siteConfigVersion = '1.2'

/** Text that may hold placeholders in square brackets: `[brand]`, `[year]` and the others of `fillText`. */
const text = z.string().min(1).max(20_000)
const each = <T extends z.ZodType>(value: T) => z.strictObject({ nl: value, fa: value.optional() })
const colour = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'A colour like #10B981 is wanted')
const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'A time like 09:00 is wanted')
const publicPicture = z
  .string()
  .max(200)
  .regex(
    /^(\/[\w-][\w.-]*)+\.(svg|png|jpe?g|webp)$/,
    'The path of an svg, png, jpg or webp under public is wanted, like /logo.svg',
  )
const originWanted = 'Scheme and host alone are wanted, like https://www.example.nl'

export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
export type Weekday = (typeof weekdays)[number]

const openingHours = z
  .strictObject({ opens: time, closes: time })
  .refine((hours) => hours.opens < hours.closes, 'It closes before it opens')
const day = openingHours.nullable()

const offerItem = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]+$/, 'Small letters, digits and - are wanted'),
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
  autocomplete: z.string().max(40).optional(),
})

/** Home, privacy statement and disclaimer as they are delivered. `slug` is the path without its first slash; home's is empty. */
const firstPage = <B extends z.ZodType>(block: B) => {
  const inOneLocale = z.strictObject({
    title: text,
    description: z.string().max(320),
    body: z.array(block).max(200),
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
    brand: z.string().min(1).max(60),
    tagline: each(text),
    /** Where the site stands, without a slash at the end; the setting BASE_URL wins. */
    url: z.url({ protocol: /^https?$/, error: originWanted, abort: true }).refine(isOrigin, originWanted),
    seo: z.strictObject({ title: each(text), description: each(text), keywords: each(z.array(text).max(40)) }),
    business: z.strictObject({
      type: z.literal('ProfessionalService'),
      description: each(text),
      openingHours: z.strictObject(
        Object.fromEntries(weekdays.map((name) => [name, day])) as Record<Weekday, typeof day>,
      ),
      priceRange: z.string().min(1).max(20),
      /** ISO 3166-1 code of the country served. */
      areaServed: z.string().length(2),
      sameAs: z.array(z.url({ protocol: /^https$/ })).max(20),
      geo: z.strictObject({ latitude: z.number().min(-90).max(90), longitude: z.number().min(-180).max(180) }),
    }),
    legal: z.strictObject({
      name: text,
      address: z.strictObject({ street: text, postalCode: text, city: text, country: z.string().length(2) }),
      email: z.email(),
      telephone: z.string().min(3).max(40).optional(),
      /** Number at the Dutch chamber of commerce. */
      kvk: z.string().regex(/^\d{8}$/, 'Eight digits are wanted'),
      /** Btw-id. */
      vat: z.string().regex(/^[A-Z]{2}[0-9A-Z]{2,13}$/, 'A number like NL001234567B01 is wanted'),
    }),
    sender: z.strictObject({ name: text, email: z.email() }),
    /** The mark that stands beside the brand's name; a picture under `public/`, best an SVG. */
    logo: z.strictObject({ src: publicPicture }),
    palette: z.strictObject({ primary: colour, secondary: colour, accent: colour, light: colour, dark: colour }),
    locales: z
      .array(z.enum(locales))
      .min(1)
      .refine((list) => list.includes('nl'), 'Dutch cannot be left out: it is what the others fall back to'),
    contact: z.strictObject({
      type: z.literal('api'),
      action: z.literal('/api/contact'),
      recipients: z.array(z.email()).min(1).max(10),
      subject: z.string().min(1).max(200),
      /** Days after which a message is removed; the privacy statement shows this number. */
      retentionDays: z.int().min(1).max(3_650),
      fields: z
        .array(formField)
        .length(4)
        .refine(
          (list) => new Set(list.map((field) => field.name)).size === 4,
          'naam, email, tel and bericht, each once',
        ),
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
}

export type SiteConfig = z.infer<ReturnType<typeof siteConfigSchema<z.ZodType<StoredBlock>>>>
export type SitePage = SiteConfig['pages'][number]
