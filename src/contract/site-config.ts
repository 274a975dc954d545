import { z } from 'zod'
import { appearanceOptions, collectionKinds, entryFieldTypes, type Weekday, weekdays } from './config-choices.ts'
import { formsSchema } from './forms.ts'
import { languageTag } from './language-tag.ts'
import { limits } from './limits.ts'
import { defaultLocale, isLanguageTag, type Locale, type Localized, localized, prefixOf } from './locales.ts'
import { type MenuItem, menuTree } from './menus.ts'
import { isPageOnly, pageBody } from './page-body.ts'
import { retentionSettings } from './retention.ts'
import { eachSlugOnce, isReserved, isSearchSlug, slug } from './slug.ts'
import { spamSettingsSchema } from './spam.ts'
import { isCleanText, pageTitle } from './text.ts'
import { isOrigin } from './url.ts'

export const siteConfigVersion = '1.2'

/** The id of a collection, of one of its fields, or of a choice. */
export const entryFieldId = /^[a-z][a-z0-9-]{0,39}$/

const optionalText = (max: number) => z.string().max(max).refine(isCleanText, 'control')
const boundedText = (max: number) => z.string().min(1).max(max).refine(isCleanText, 'control')
/** Text that may contain placeholders in square brackets: `[brand]`, `[year]` and the others of `placeholdersOf`. */
const text = boundedText(20_000)
/** Text in an email header. */
const headerText = (max: number) => boundedText(max).refine((value) => !/[\p{Cc}\u2028\u2029]/u.test(value), 'control')
/**
 * A value by language, with the main language of the site first: `localized` shows the first where one is missing.
 * Languages that the site does not have now keep theirs.
 * @param main omitted: none is required
 */
function byLanguage<T extends z.ZodType>(value: T, main?: Locale, isRequired = main !== undefined) {
  const own: Record<string, z.ZodOptional<T>> = main === undefined ? {} : { [main]: value.optional() }
  const values = z
    .object(own)
    .catchall(value.optional())
    .superRefine((found, { issues }) => {
      const keys = Object.keys(found).filter((name) => !isLanguageTag(name))
      if (keys.length > 0) issues.push({ code: 'unrecognized_keys', keys, path: [], input: found })
      if (isRequired && main !== undefined && found[main] === undefined) {
        issues.push({ code: 'custom', message: 'required', path: [main], input: found })
      }
    })
  return values as unknown as z.ZodType<Localized<z.output<T>>>
}
type Each = <T extends z.ZodType>(value: T) => z.ZodType<Localized<z.output<T>>>
const colour = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'colour')
const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'time')
/** The path of an image under `public/`, or an upload's URL. */
const imagePath = z
  .string()
  .max(400)
  .regex(/^((\/[\w-][\w.-]*)+\.(svg|png|jpe?g|webp)|\/files\/[0-9a-f]{32}\/[^/\s?#"'<>\\]{1,360})$/, 'imagePath')
const country = z.string().length(2, 'country')

/** The first part of its addresses must be free. */
const siteLanguage = languageTag.refine(
  (tag) => tag === 'nl' || tag === 'fa' || !isReserved(prefixOf(tag)),
  'languageReserved',
)

const openingHours = z
  .strictObject({ opens: time, closes: time })
  .refine((hours) => hours.opens < hours.closes, 'closesFirst')
const day = openingHours.nullable()

const offerItem = (each: Each) =>
  z.strictObject({
    id: z.string().regex(/^[a-z0-9-]+$/, 'itemId'),
    name: each(text),
    description: each(text),
    /** In euro cents. */
    amount: z.int().min(0).max(100_000_000),
    /** `from`: the amount is the lowest price. */
    from: z.boolean().default(false),
    period: z.enum(['once', 'month', 'year']),
    /** The delivery time or minimum term, shown below the price. */
    term: each(text).optional(),
    features: each(z.array(text).max(20)),
    recommended: z.boolean().default(false),
  })
export type OfferItem = z.infer<ReturnType<typeof offerItem>>

const entryField = (each: Each) =>
  z.strictObject({
    id: z.string().regex(entryFieldId, 'itemId'),
    name: each(text),
    type: z.enum(entryFieldTypes),
    /** An entry is only saved with a value. */
    required: z.boolean().optional(),
    /** Shown with the entry where entries are listed. */
    inList: z.boolean().default(true),
    /** Shown on the page of the entry. */
    inDetail: z.boolean().default(true),
    /** The choices. */
    options: z
      .array(z.strictObject({ id: z.string().regex(entryFieldId, 'itemId'), name: each(text) }))
      .max(limits.entryOptions)
      .superRefine(eachIdOnce)
      .optional(),
  })

/** Pages of one kind, with an overview at their address: projects, news. */
export const collection = (each: Each = byLanguage) =>
  z.strictObject({
    /** Entries name it, so it stays when the name or the address changes. */
    id: z.string().regex(entryFieldId, 'itemId'),
    name: each(text),
    /** The path of the overview without its first slash; the paths of entries begin with it. */
    slug: each(slug.refine((path) => path !== '' && !isSearchSlug(path), 'slugReserved')),
    /** A text above the list. */
    intro: each(text).optional(),
    /** The structured data of its pages, for search engines; omitted: none of its own. */
    kind: z.enum(collectionKinds).optional(),
    order: z.enum(['newest', 'oldest', 'title']).default('newest'),
    pageSize: z.int().min(1).max(limits.entriesPerPage).default(12),
    fields: z.array(entryField(each)).max(limits.entryFields).superRefine(eachIdOnce),
  })

const formField = (each: Each) =>
  z.strictObject({
    name: z.enum(['naam', 'email', 'tel', 'bericht']),
    type: z.enum(['single-line', 'multi-line']),
    placeholder: each(text),
    autocomplete: optionalText(40).optional(),
  })

/** A page as first seeded. `slug` is the path without its first slash; empty for home. */
const firstPage = <B extends z.ZodType>(block: B, main: Locale | undefined) => {
  const inOneLocale = z.strictObject({
    title: pageTitle.meta({ minLength: 1, maxLength: limits.pageTitleChars }),
    description: optionalText(limits.pageDescriptionChars),
    body: pageBody(block, limits.filePageBlocks).superRefine(refuseSections),
    /** The slug in this language, when it differs from the page's. */
    slug: slug.optional(),
    /** The title for search engines and tabs; omitted: the page title. */
    seoTitle: optionalText(limits.pageTitleChars).optional(),
    /** The image for link previews, as an upload's URL. */
    picture: z
      .string()
      .regex(/^\/files\/[\w-]+\/[^\s]+$/, 'url')
      .max(500)
      .optional(),
    /** Excluded from search engines. */
    noindex: z.boolean().optional(),
    /** The date of the text in this language, when it differs from the page's. */
    updated: z.iso.date().optional(),
    /** The values of an entry, by the id of their field. */
    fields: z
      .record(z.string().regex(entryFieldId, 'itemId'), z.union([z.string(), z.number()]))
      .refine((values) => JSON.stringify(values).length <= limits.entryBytes, 'tooLong')
      .optional(),
  })
  return z
    .strictObject({
      slug,
      /** The collection that it is an entry of. */
      collection: z.string().regex(entryFieldId, 'itemId').optional(),
      /** Date of the text, for pages that must show it. */
      updated: z.iso.date(),
      content: byLanguage(inOneLocale, main, false),
    })
    .superRefine((page, problems) => {
      const needed = page.collection === undefined ? main : undefined
      const isMissing = needed === undefined ? Object.keys(page.content).length === 0 : !page.content[needed]
      if (isMissing)
        problems.addIssue({ code: 'custom', path: ['content', main ?? defaultLocale], message: 'required' })
      for (const [locale, text] of Object.entries(page.content)) {
        if (page.collection !== undefined || !text?.fields) continue
        problems.addIssue({ code: 'custom', path: ['content', locale, 'fields'], message: 'unknownField' })
      }
    })
}

/**
 * The whole configuration. The schemas of blocks and menu items are parameters, because they are defined in a higher layer.
 * @param main the main language of the site, which each text must have; omitted: none is required
 */
export const siteConfigSchema = <B extends z.ZodType, M extends z.ZodType>(block: B, menuItem: M, main?: Locale) => {
  const each: Each = (value) => byLanguage(value, main)
  const area = each(z.array(block).max(50).superRefine(refusePageOnly))
  return z.strictObject({
    $schema: z.string().optional(),
    version: z.literal(siteConfigVersion),
    brand: headerText(60),
    tagline: each(text),
    /** The site's origin, without a trailing slash; the setting BASE_URL overrides it. */
    url: z.url({ protocol: /^https?$/, error: 'origin', abort: true }).refine(isOrigin, 'origin'),
    seo: z.strictObject({ title: each(text), description: each(text), keywords: each(z.array(text).max(40)) }),
    business: z.strictObject({
      type: z.literal('ProfessionalService'),
      description: each(text),
      openingHours: z.strictObject(
        Object.fromEntries(weekdays.map((name) => [name, day])) as Record<Weekday, typeof day>,
      ),
      priceRange: boundedText(20),
      /** ISO 3166-1 code of the country served. */
      areaServed: country,
      sameAs: z.array(z.url({ protocol: /^https$/ })).max(20),
      geo: z.strictObject({ latitude: z.number().min(-90).max(90), longitude: z.number().min(-180).max(180) }),
    }),
    legal: z.strictObject({
      name: boundedText(limits.legalChars),
      address: z.strictObject({
        street: boundedText(limits.legalChars),
        postalCode: boundedText(limits.legalChars),
        city: boundedText(limits.legalChars),
        country,
      }),
      email: z.email().max(limits.legalChars),
      telephone: boundedText(40).min(3).optional(),
      /** The number at the Dutch chamber of commerce. */
      kvk: z.string().regex(/^\d{8}$/, 'kvk'),
      /** The Dutch VAT identification number. */
      vat: z.string().regex(/^[A-Z]{2}[0-9A-Z]{2,13}$/, 'vatId'),
    }),
    sender: z.strictObject({ name: headerText(200), email: z.email() }),
    /** The logo beside the brand name: an image under `public/` or an upload, preferably an SVG. */
    logo: z.strictObject({ src: imagePath }),
    palette: z.strictObject({ primary: colour, secondary: colour, accent: colour, light: colour, dark: colour }),
    /** How the site looks in its colours; omitted: in the usual way. */
    look: z
      .strictObject({
        /** The size of headings. */
        scale: z.enum(appearanceOptions.scale).optional(),
        corners: z.enum(appearanceOptions.corners).optional(),
        /** The edges between sections. */
        edges: z.enum(appearanceOptions.edges).optional(),
        buttons: z.enum(appearanceOptions.buttons).optional(),
        fonts: z.enum(appearanceOptions.fonts).optional(),
        headings: z.enum(appearanceOptions.headings).optional(),
        panels: z.enum(appearanceOptions.panels).optional(),
        /** The arrangement of logo, menu and button at the top. */
        header: z.enum(appearanceOptions.header).optional(),
        /** The image behind heroes that show one, and on error pages. */
        illustration: z.enum(appearanceOptions.illustration).optional(),
        /** The search field in the header and in the menu for phones. */
        search: z.enum(appearanceOptions.search).optional(),
      })
      .optional(),
    locales: z
      .array(siteLanguage)
      .min(1)
      .max(limits.siteLanguages, 'tooMany')
      .refine((list) => new Set(list).size === list.length, 'twice')
      .meta({ uniqueItems: true }),
    /** The language at the root, without a prefix; omitted: Dutch, or the first where the site has no Dutch. */
    rootLocale: siteLanguage.optional(),
    /** Languages that stood at the root before: their former addresses lead to those that they have now. */
    formerRootLocales: z.array(languageTag).max(limits.siteLanguages).optional(),
    /** The languages, in order, of texts that the program lacks in the visitor's language; Dutch is the last. */
    fallbackLocales: z
      .array(languageTag)
      .max(limits.siteLanguages, 'tooMany')
      .refine((list) => new Set(list).size === list.length, 'twice')
      .optional(),
    /** Names and directions of languages that replace the standard ones. */
    languages: z
      .record(
        languageTag,
        z.strictObject({ name: boundedText(40).optional(), direction: z.enum(['ltr', 'rtl']).optional() }),
      )
      .optional(),
    /** Texts for visitors that replace or translate those of the program, by language and path. */
    texts: z
      .record(
        languageTag,
        z.record(
          z
            .string()
            .max(100)
            .regex(/^[a-zA-Z]+(\.[a-zA-Z_]+)+$/, 'value'),
          boundedText(limits.visitorTextChars),
        ),
      )
      .optional(),
    contact: z.strictObject({
      type: z.literal('api'),
      action: z.literal('/api/contact'),
      recipients: z.array(z.email()).min(1).max(10),
      subject: headerText(200),
      /** Days after which a message is deleted; the privacy statement shows this number. */
      retentionDays: z.int().min(1).max(3_650),
      fields: z
        .array(formField(each))
        .length(4)
        .refine((list) => new Set(list.map((field) => field.name)).size === 4, 'contactFields'),
    }),
    /** The forms that `form` blocks show, besides the contact form. */
    forms: formsSchema({
      text: each(boundedText(2_000)),
      list: each(z.array(boundedText(limits.formOptionChars)).max(50)),
      header: headerText(200),
    }).optional(),
    /** By which messages are suspected; omitted: `defaultSpamSettings`. */
    spam: spamSettingsSchema(boundedText(limits.spamWordChars)).optional(),
    /** When the program deletes what it stored by itself; omitted: `defaultRetention`. */
    retention: retentionSettings.optional(),
    offer: z.strictObject({
      /** Whether the amounts exclude (`excl`) or include (`incl`) VAT. */
      vat: z.enum(['excl', 'incl']),
      prices: z.array(offerItem(each)).max(12),
      subscriptions: z.array(offerItem(each)).max(12),
    }),
    branding: z.strictObject({
      navbar: z.strictObject({ top: area, desktop: area, mobile: area }),
      footer: z.strictObject({ left: area, right: area, bottom: area }),
    }),
    /** The menu of the site, which `menu` blocks show; a language without a tree shows that of the main language. */
    menus: z.strictObject({ main: each(menuTree(menuItem)) }).optional(),
    /** Kinds of pages, each with its fields and its overview. */
    collections: z
      .array(collection(each))
      .max(limits.collections)
      .superRefine(eachIdOnce)
      .superRefine(eachAddressOnce)
      .optional(),
    pages: z
      .array(firstPage(block, main))
      .max(limits.configPages)
      .superRefine(requireFixedPages)
      .superRefine(eachSlugOnce),
  })
}

/** The pages that cannot be deleted. */
function requireFixedPages(pages: { slug: string }[], problems: z.core.$RefinementCtx): void {
  const missing = ['', 'privacy-verklaring', 'disclaimer'].filter((slug) => !pages.some((page) => page.slug === slug))
  if (missing.length === 0) return
  const detail = missing.map((slug) => slug || 'home').join(', ')
  problems.addIssue({ code: 'custom', message: 'fixedPages', params: { detail } })
}

function eachIdOnce(list: { id: string }[], problems: z.core.$RefinementCtx): void {
  for (const [index, { id }] of list.entries()) {
    if (list.findIndex((one) => one.id === id) === index) continue
    problems.addIssue({ code: 'custom', path: [index, 'id'], message: 'twice' })
  }
}

/** In each language, two overviews cannot have one address. */
function eachAddressOnce(list: { slug: Localized<string> }[], problems: z.core.$RefinementCtx): void {
  for (const [index, { slug }] of list.entries()) {
    const locales = new Set(list.slice(0, index + 1).flatMap((one) => Object.keys(one.slug)))
    for (const locale of locales) {
      const isTaken = list
        .slice(0, index)
        .some((other) => localized(other.slug, locale).value === localized(slug, locale).value)
      if (!isTaken) continue
      problems.addIssue({ code: 'custom', path: [index, 'slug', locale], message: 'slugTaken' })
      break
    }
  }
}

/** A file of one site may be used for another, which has other sections. */
function refuseSections(body: unknown, { issues }: { issues: z.core.$ZodRawIssue[] }): void {
  for (const [index, block] of (body as StoredBlock[]).entries()) {
    if (block.type !== 'section') continue
    issues.push({ code: 'custom', message: 'sectionInFile', path: [index, 'type'], input: block })
  }
}

/** Header and footer have a style of their own, so their blocks, also nested ones, have no `style`. */
function refusePageOnly(value: unknown, { issues }: { issues: z.core.$ZodRawIssue[] }): void {
  const search = (one: unknown, path: PropertyKey[]) => {
    if (typeof one !== 'object' || one === null) return
    if ('type' in one && 'style' in one && one.style !== undefined) {
      issues.push({ code: 'unrecognized_keys', keys: ['style'], path, input: one })
    }
    if ('type' in one && isPageOnly(one.type)) {
      issues.push({ code: 'custom', message: 'pageOnly', path: [...path, 'type'], input: one })
    }
    for (const [name, inner] of Object.entries(one)) search(inner, [...path, name])
  }
  search(value, [])
}

/** A stored block: `type` selects its schema. */
export interface StoredBlock {
  type: string
  /** Unique within the page; older blocks have none. */
  id?: string | undefined
}

export type SiteConfig = z.infer<ReturnType<typeof siteConfigSchema<z.ZodType<StoredBlock>, z.ZodType<MenuItem>>>>
export type SitePage = SiteConfig['pages'][number]
