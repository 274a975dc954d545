import { z } from 'zod'
import { appearanceOptions, collectionKinds, entryFieldTypes, type Weekday, weekdays } from './config-choices.ts'
import { formsSchema } from './forms.ts'
import { languageTag } from './language-tag.ts'
import { limits } from './limits.ts'
import { defaultLocale, isLanguageTag, type Locale, type Localized, localized, prefixOf } from './locales.ts'
import { type MenuItem, menuTree } from './menus.ts'
import { isPageOnly, pageBody } from './page-body.ts'
import { retentionSettings } from './retention.ts'
import { isReserved, isSearchSlug, refuseRepeatedSlugs, slug } from './slug.ts'
import { spamSettingsSchema } from './spam.ts'
import { isCleanText, pageTitle } from './text.ts'
import { isOrigin } from './url.ts'

export const siteConfigVersion = '1.2'

/** The id of a collection, of one of its fields, or of an option of a field. */
export const entryFieldId = /^[a-z][a-z0-9-]{0,39}$/

const optionalText = (max: number) => z.string().max(max).refine(isCleanText, 'control')
const boundedText = (max: number) => z.string().min(1).max(max).refine(isCleanText, 'control')
/** Text that may contain placeholders in square brackets: `[brand]`, `[year]` and the others of `placeholdersOf`. */
const text = boundedText(20_000)
/** Text in an email header: without line breaks, which would add headers. */
const headerText = (max: number) => boundedText(max).refine((value) => !/[\p{Cc}\u2028\u2029]/u.test(value), 'control')
/**
 * The schema of a value by language. The main language is declared, so that it is the first key: `localized` falls back
 * to that. Values in languages that the site does not have now are accepted.
 * @param main the main language of the site; omitted: no language is required
 */
function byLanguage<T extends z.ZodType>(value: T, main?: Locale, isRequired = main !== undefined) {
  const mainKey: Record<string, z.ZodOptional<T>> = main === undefined ? {} : { [main]: value.optional() }
  const values = z
    .object(mainKey)
    .catchall(value.optional())
    .superRefine((translations, { issues }) => {
      const keys = Object.keys(translations).filter((name) => !isLanguageTag(name))
      if (keys.length > 0) issues.push({ code: 'unrecognized_keys', keys, path: [], input: translations })
      if (isRequired && main !== undefined && translations[main] === undefined) {
        issues.push({ code: 'custom', message: 'required', path: [main], input: translations })
      }
    })
  return values as unknown as z.ZodType<Localized<z.output<T>>>
}
type Translated = <T extends z.ZodType>(value: T) => z.ZodType<Localized<z.output<T>>>
const colour = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'colour')
const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'time')
/** The path of an image under `public/`, or an upload's URL. */
const imagePath = z
  .string()
  .max(400)
  .regex(/^((\/[\w-][\w.-]*)+\.(svg|png|jpe?g|webp)|\/files\/[0-9a-f]{32}\/[^/\s?#"'<>\\]{1,360})$/, 'imagePath')
const country = z.string().length(2, 'country')

/** A language of the site, whose URL prefix is no built-in route. `nl` and `fa` are reserved for languages. */
const siteLanguage = languageTag.refine(
  (tag) => tag === 'nl' || tag === 'fa' || !isReserved(prefixOf(tag)),
  'languageReserved',
)

const openingHours = z
  .strictObject({ opens: time, closes: time })
  .refine((hours) => hours.opens < hours.closes, 'closesFirst')
const day = openingHours.nullable()

const offerItem = (translated: Translated) =>
  z.strictObject({
    id: z.string().regex(/^[a-z0-9-]+$/, 'itemId'),
    name: translated(text),
    description: translated(text),
    /** In euro cents. */
    amount: z.int().min(0).max(100_000_000),
    /** `from`: the amount is the lowest price. */
    from: z.boolean().default(false),
    period: z.enum(['once', 'month', 'year']),
    /** The delivery time or minimum term, shown below the price. */
    term: translated(text).optional(),
    features: translated(z.array(text).max(20)),
    recommended: z.boolean().default(false),
  })
export type OfferItem = z.infer<ReturnType<typeof offerItem>>

const entryField = (translated: Translated) =>
  z.strictObject({
    id: z.string().regex(entryFieldId, 'itemId'),
    name: translated(text),
    type: z.enum(entryFieldTypes),
    /** An entry without a value for this field cannot be saved. */
    required: z.boolean().optional(),
    /** Shown with the entry where entries are listed. */
    inList: z.boolean().default(true),
    /** Shown on the page of the entry. */
    inDetail: z.boolean().default(true),
    /** The options of a `choice` field. */
    options: z
      .array(z.strictObject({ id: z.string().regex(entryFieldId, 'itemId'), name: translated(text) }))
      .max(limits.entryOptions)
      .superRefine(refuseRepeatedIds)
      .optional(),
  })

/** Pages of one kind, such as projects or news, with an overview at the address of the collection. */
export const collection = (translated: Translated = byLanguage) =>
  z.strictObject({
    /** Entries refer to this id, so it stays when the name or the address changes. */
    id: z.string().regex(entryFieldId, 'itemId'),
    name: translated(text),
    /** The path of the overview without its first slash; the paths of entries begin with it. */
    slug: translated(slug.refine((path) => path !== '' && !isSearchSlug(path), 'slugReserved')),
    /** A text above the list. */
    intro: translated(text).optional(),
    /** The type of structured data on the pages of entries, for search engines; omitted: none. */
    kind: z.enum(collectionKinds).optional(),
    order: z.enum(['newest', 'oldest', 'title']).default('newest'),
    pageSize: z.int().min(1).max(limits.entriesPerPage).default(12),
    fields: z.array(entryField(translated)).max(limits.entryFields).superRefine(refuseRepeatedIds),
  })

const formField = (translated: Translated) =>
  z.strictObject({
    name: z.enum(['naam', 'email', 'tel', 'bericht']),
    type: z.enum(['single-line', 'multi-line']),
    placeholder: translated(text),
    autocomplete: optionalText(40).optional(),
  })

/** A page in a configuration file. The page is created from it once, after which the database has its texts. */
const configPage = <B extends z.ZodType>(block: B, main: Locale | undefined) => {
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
      /** Path without its first slash; empty for the home page. */
      slug,
      /** The collection of an entry; absent for other pages. */
      collection: z.string().regex(entryFieldId, 'itemId').optional(),
      /** The date of the text, for pages that show it. */
      updated: z.iso.date(),
      content: byLanguage(inOneLocale, main, false),
    })
    .superRefine((page, problems) => {
      // An entry may lack a text in the main language.
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
 * The whole configuration. The schemas of blocks and menu items are parameters, because they are defined in a higher
 * layer.
 * @param main the main language of the site, in which each text is required; omitted: no language is required
 */
export const siteConfigSchema = <B extends z.ZodType, M extends z.ZodType>(block: B, menuItem: M, main?: Locale) => {
  const translated: Translated = (value) => byLanguage(value, main)
  const area = translated(z.array(block).max(50).superRefine(refusePageOnly))
  return z.strictObject({
    $schema: z.string().optional(),
    version: z.literal(siteConfigVersion),
    brand: headerText(60),
    tagline: translated(text),
    /** The site's origin, without a trailing slash; the setting BASE_URL overrides it. */
    url: z.url({ protocol: /^https?$/, error: 'origin', abort: true }).refine(isOrigin, 'origin'),
    seo: z.strictObject({
      title: translated(text),
      description: translated(text),
      keywords: translated(z.array(text).max(40)),
    }),
    business: z.strictObject({
      type: z.literal('ProfessionalService'),
      description: translated(text),
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
    /** The appearance options; omitted: the defaults. */
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
    /** The language whose pages have no URL prefix; omitted: Dutch, or the first where the site has no Dutch. */
    rootLocale: siteLanguage.optional(),
    /** Previous languages at the root: their old addresses without a prefix redirect to the current ones. */
    formerRootLocales: z.array(languageTag).max(limits.siteLanguages).optional(),
    /** The fallback languages, in order, for built-in texts that the visitor's language lacks; Dutch is the last. */
    fallbackLocales: z
      .array(languageTag)
      .max(limits.siteLanguages, 'tooMany')
      .refine((list) => new Set(list).size === list.length, 'twice')
      .optional(),
    /** The names and directions of languages, where they differ from the standard ones. */
    languages: z
      .record(
        languageTag,
        z.strictObject({ name: boundedText(40).optional(), direction: z.enum(['ltr', 'rtl']).optional() }),
      )
      .optional(),
    /** Texts for visitors that replace or translate built-in ones, by language and key (`contact.failureText`). */
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
        .array(formField(translated))
        .length(4)
        .refine((list) => new Set(list.map((field) => field.name)).size === 4, 'contactFields'),
    }),
    /** The forms that `form` blocks show, besides the contact form. */
    forms: formsSchema({
      text: translated(boundedText(2_000)),
      list: translated(z.array(boundedText(limits.formOptionChars)).max(50)),
      header: headerText(200),
    }).optional(),
    /** What marks a message as suspicious; omitted: `defaultSpamSettings`. */
    spam: spamSettingsSchema(boundedText(limits.spamWordChars)).optional(),
    /** When stored data is deleted automatically; omitted: `defaultRetention`. */
    retention: retentionSettings.optional(),
    offer: z.strictObject({
      /** Whether the amounts exclude (`excl`) or include (`incl`) VAT. */
      vat: z.enum(['excl', 'incl']),
      prices: z.array(offerItem(translated)).max(12),
      subscriptions: z.array(offerItem(translated)).max(12),
    }),
    branding: z.strictObject({
      navbar: z.strictObject({ top: area, desktop: area, mobile: area }),
      footer: z.strictObject({ left: area, right: area, bottom: area }),
    }),
    /** The menu of the site, which `menu` blocks show; a language without a tree shows that of the main language. */
    menus: z.strictObject({ main: translated(menuTree(menuItem)) }).optional(),
    collections: z
      .array(collection(translated))
      .max(limits.collections)
      .superRefine(refuseRepeatedIds)
      .superRefine(refuseRepeatedAddresses)
      .optional(),
    pages: z
      .array(configPage(block, main))
      .max(limits.configPages)
      .superRefine(requireFixedPages)
      .superRefine(refuseRepeatedSlugs),
  })
}

/** Adds a problem when the home page, the privacy statement or the disclaimer is missing. */
function requireFixedPages(pages: { slug: string }[], problems: z.core.$RefinementCtx): void {
  const missing = ['', 'privacy-verklaring', 'disclaimer'].filter((slug) => !pages.some((page) => page.slug === slug))
  if (missing.length === 0) return
  const detail = missing.map((slug) => slug || 'home').join(', ')
  problems.addIssue({ code: 'custom', message: 'fixedPages', params: { detail } })
}

/** Adds a problem for each item whose id an earlier item has. */
function refuseRepeatedIds(list: { id: string }[], problems: z.core.$RefinementCtx): void {
  for (const [index, { id }] of list.entries()) {
    if (list.findIndex((item) => item.id === id) === index) continue
    problems.addIssue({ code: 'custom', path: [index, 'id'], message: 'twice' })
  }
}

/** Adds a problem for each collection whose overview has the address of an earlier one, in the first such language. */
function refuseRepeatedAddresses(collections: { slug: Localized<string> }[], problems: z.core.$RefinementCtx): void {
  for (const [index, { slug }] of collections.entries()) {
    const earlier = collections.slice(0, index)
    const locales = new Set([...earlier.flatMap((collection) => Object.keys(collection.slug)), ...Object.keys(slug)])
    for (const locale of locales) {
      const address = localized(slug, locale).value
      const isTaken = earlier.some((collection) => localized(collection.slug, locale).value === address)
      if (!isTaken) continue
      problems.addIssue({ code: 'custom', path: [index, 'slug', locale], message: 'slugTaken' })
      break
    }
  }
}

/** Refuses shared sections: a configuration file can be imported on another site, which has other sections. */
function refuseSections(body: unknown, { issues }: { issues: z.core.$ZodRawIssue[] }): void {
  for (const [index, block] of (body as StoredBlock[]).entries()) {
    if (block.type !== 'section') continue
    issues.push({ code: 'custom', message: 'sectionInFile', path: [index, 'type'], input: block })
  }
}

/** Refuses, at any depth, `style` and blocks that only pages can contain: header and footer have their own style. */
function refusePageOnly(value: unknown, { issues }: { issues: z.core.$ZodRawIssue[] }): void {
  const visit = (node: unknown, path: PropertyKey[]) => {
    if (typeof node !== 'object' || node === null) return
    if ('type' in node && 'style' in node && node.style !== undefined) {
      issues.push({ code: 'unrecognized_keys', keys: ['style'], path, input: node })
    }
    if ('type' in node && isPageOnly(node.type)) {
      issues.push({ code: 'custom', message: 'pageOnly', path: [...path, 'type'], input: node })
    }
    for (const [key, child] of Object.entries(node)) visit(child, [...path, key])
  }
  visit(value, [])
}

/** A stored block: `type` selects its schema. */
export interface StoredBlock {
  type: string
  /** Unique within the page; older blocks have none. */
  id?: string | undefined
}

export type SiteConfig = z.infer<ReturnType<typeof siteConfigSchema<z.ZodType<StoredBlock>, z.ZodType<MenuItem>>>>
export type SitePage = SiteConfig['pages'][number]
