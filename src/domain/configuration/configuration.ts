import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { entryValueSchema } from '../../blocks/entry-values.ts'
import { siteMenuItem } from '../../blocks/menu.tsx'
import { blockSchema } from '../../blocks/registry.ts'
import { type Collection, type EntryValues, findCollection, isEntrySlug } from '../../contract/collections.ts'
import type { FieldProblem, ValidationKey } from '../../contract/errors.ts'
import { fieldProblems, isValidationKey } from '../../contract/field-problems.ts'
import { publicFileIdsIn } from '../../contract/file-urls.ts'
import { limits } from '../../contract/limits.ts'
import { defaultLocale, isLanguageTag, type Locale, mainLocaleOf, rootLocaleOf } from '../../contract/locales.ts'
import { isPageOnly } from '../../contract/page-body.ts'
import { type SiteConfig, type SitePage, siteConfigSchema } from '../../contract/site-config.ts'
import { truncateText } from '../../contract/text.ts'
import { translator } from '../../i18n/translate.ts'
import { InvalidConfiguration, upgradeConfiguration } from '../../platform/config/site-file.ts'

/** English messages for the operator, where those that the admin shows do not fit a file. */
const operatorReasons: Partial<Record<ValidationKey, string>> = {
  required: 'A value is wanted',
  tooLong: 'It is too long',
  colour: 'A colour like #10B981 is wanted',
  time: 'A time like 09:00 is wanted',
  closesFirst: 'It closes before it opens',
  imagePath: 'The path of an svg, png, jpg or webp under public is wanted, like /logo.svg, or that of an upload',
  origin: 'Scheme and host alone are wanted, like https://www.example.nl',
  itemId: 'Small letters, digits and - are wanted',
  kvk: 'Eight digits are wanted',
  vatId: 'A number like NL001234567B01 is wanted',
  country: 'The two letters of a country are wanted, like NL',
  tooManyBlocks: 'A page has too many blocks',
  pageTooLarge: 'The blocks of a page hold too much together',
  control: 'Control characters and broken characters cannot stand in it',
  twice: 'Each can stand in it once',
  languageTag: 'A language tag like de or pt-BR is wanted',
  languageReserved: 'The program itself uses this address',
  rootStays: 'The language at the root must be one of `locales`',
  menuPage: 'The id of a page is wanted, or its slug',
  menuTarget: 'A page or an address is wanted, not both',
  menuEmpty: 'A page, an address or a submenu is wanted',
  menuTooDeep: `A menu has at most ${limits.menuLevels} levels`,
  contactFields: 'naam, email, tel and bericht, each once',
  videoUrl: 'A film of this site (mp4 or webm), or a video of YouTube or Vimeo is wanted',
  filmUrl: 'A film of this site is wanted: mp4 or webm',
  captionsUrl: 'A file with captions on this site is wanted: vtt',
  downloadUrl: 'A file of this site is wanted',
  url: 'An address of this site, of the web, mailto: or tel: is wanted',
  collectionGone: 'There is no collection with this id in `collections`',
  entrySlug: 'The address of an entry begins with that of its collection',
  unknownField: 'The collection has no such field',
  slugForm: 'Letters, digits, - and _ are wanted, in parts with one / between them',
  slugReserved: 'The site itself uses this address',
  slugTaken: 'Each address can be used once, and another has this one already',
  fixedPages: 'Home (an empty slug), privacy-verklaring and disclaimer must be there',
  blockId: 'At most 40 letters, digits and - are wanted',
  className: 'Letters, digits, spaces, - and _ are wanted',
}

/** The message of a problem, for the operator: in English. */
export const reasonFor = (key: ValidationKey, values?: { limit?: number }): string =>
  operatorReasons[key] ?? translator('en')(`validation.${key}`, values)

/** The message of a schema's issue for the operator. The issue has one of our keys, or a message of Zod in English. */
function operatorReason(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_union' && 'options' in issue && issue.options?.length)
    return `One of these is wanted: ${issue.options.join(', ')}`
  if (!isValidationKey(issue.message)) return issue.message
  if (issue.code === 'too_big') return reasonFor(issue.message, { limit: Number(issue.maximum) })
  const params = issue.code === 'custom' ? issue.params : undefined
  const reason = reasonFor(issue.message, params)
  return typeof params?.detail === 'string' ? `${reason}: ${params.detail}` : reason
}

/**
 * The schemas, by the main language of a site. Created at their first use: a start with a cached configuration needs
 * none.
 */
const schemasByMainLocale = new LRUCache<Locale, ReturnType<typeof createSchemas>>({ max: 4 })

/**
 * `whole` is for a configuration, `parts` for one without its pages. Each text but those of entries is
 * required in the main language.
 */
function createSchemas(main: Locale) {
  const whole = siteConfigSchema(blockSchema, siteMenuItem, main)
  return { whole, parts: whole.omit({ pages: true }) }
}

/** The schemas for a configuration that is not validated yet: its languages may be invalid, too. */
function getOrCreateSchemas({ locales, rootLocale }: { locales?: unknown; rootLocale?: unknown }) {
  const isTag = (value: unknown): value is Locale => typeof value === 'string' && isLanguageTag(value)
  const tags = Array.isArray(locales) ? locales.filter(isTag) : []
  const main = mainLocaleOf({ locales: tags, rootLocale: isTag(rootLocale) ? rootLocale : tags[0] })
  const schemas = schemasByMainLocale.get(main) ?? createSchemas(main)
  schemasByMainLocale.set(main, schemas)
  return schemas
}

/** The configuration with the first language as `rootLocale`, if it has none and Dutch is not one of its languages. */
const withRootLocale = <Languages extends Pick<SiteConfig, 'locales' | 'rootLocale'>>(site: Languages): Languages =>
  site.rootLocale !== undefined || site.locales.includes(defaultLocale)
    ? site
    : { ...site, rootLocale: site.locales[0] }

/** The maximum number of problems that are reported. */
const maxProblems = 200

/**
 * Parses a configuration of this version or an older one, and sanitizes its rich text.
 * @param source what error messages call the text: a file path or a revision
 * @param publicDir the directory with the files that it names
 * @throws {InvalidConfiguration} with the path of each problem
 */
export function parseConfiguration(text: string, source: string, publicDir = 'public'): SiteConfig {
  const site = getOrValidate(`file ${text}`, { source, publicDir }, () => upgradeConfiguration(text, source))
  return withValidEntries(site, source)
}

/** The configuration without collection entries. They are stored as pages: each revision would contain all of them. */
export const withoutEntries = (site: SiteConfig): SiteConfig => ({
  ...site,
  pages: site.pages.filter(({ collection }) => collection === undefined),
})

/**
 * The configuration of a file with its collection entries validated, and their rich text sanitized. Revisions are not
 * checked, because their collections may have changed since the entries were stored.
 * @throws {InvalidConfiguration} with the first problem of each path
 */
function withValidEntries(site: SiteConfig, source: string): SiteConfig {
  const problems: FieldProblem[] = []
  const pages = site.pages.map((page, index) => {
    if (page.collection === undefined) return page
    const pagePath = `pages.${index}`
    const collection = findCollection(site, page.collection)
    if (collection) return validateEntry(page, collection, pagePath, problems)
    problems.push({ path: `${pagePath}.collection`, key: 'collectionGone' })
    return page
  })
  if (problems.length === 0) return { ...site, pages }
  const firstByPath = new Map<string, FieldProblem>()
  for (const problem of problems) if (!firstByPath.has(problem.path)) firstByPath.set(problem.path, problem)
  const reported = [...firstByPath.values()].slice(0, maxProblems)
  throw new InvalidConfiguration(
    source,
    reported.map((problem) => ({ path: problem.path, reason: reasonFor(problem.key, problem) })),
    reported,
  )
}

/** The entry with its rich text sanitized. Adds what is wrong with its slugs and values to `problems`. */
function validateEntry(page: SitePage, collection: Collection, pagePath: string, problems: FieldProblem[]): SitePage {
  const texts: [string, SitePage['content'][string]][] = []
  for (const [locale, text] of Object.entries(page.content)) {
    if (!text) continue
    const textPath = `${pagePath}.content.${locale}`
    if (!isEntrySlug(collection, text.slug ?? page.slug, locale)) {
      problems.push({ path: text.slug === undefined ? `${pagePath}.slug` : `${textPath}.slug`, key: 'entrySlug' })
    }
    const fields = validateEntryFields(text.fields ?? {}, collection, `${textPath}.fields`, problems)
    texts.push([locale, text.fields ? { ...text, fields } : text])
  }
  return { ...page, content: Object.fromEntries(texts) }
}

/** The valid values of an entry, with rich text sanitized. Adds the first problem of each other value to `problems`. */
function validateEntryFields(
  values: Record<string, unknown>,
  collection: Collection,
  path: string,
  problems: FieldProblem[],
): EntryValues {
  const valid: EntryValues = {}
  for (const [id, value] of Object.entries(values)) {
    const field = collection.fields.find((candidate) => candidate.id === id)
    if (!field) {
      problems.push({ path: `${path}.${id}`, key: 'unknownField' })
      continue
    }
    const parsed = entryValueSchema(field).safeParse(value)
    if (parsed.success) valid[id] = parsed.data
    else {
      const [problem] = fieldProblems(parsed.error)
      if (problem) problems.push({ ...problem, path: `${path}.${id}` })
    }
  }
  return valid
}

/**
 * Parses a stored revision. It was validated by the rules of its time: a text that is now too long is truncated, and a
 * block of the header or footer that only a page can show is left out, because these cannot be corrected in the
 * database and must not stop the program from starting.
 * @param publicDir the directory with the file of the logo; undefined: it is not checked
 * @throws {InvalidConfiguration}
 */
export function parseConfigRevision(
  { id, config }: { id: number; config: string },
  publicDir: string | undefined,
): SiteConfig {
  const source = `revision ${id}`
  const upgrade = () => adaptToCurrentRules(upgradeConfiguration(config, source))
  return getOrValidate(`revision ${config}`, { source, publicDir }, upgrade)
}

/** Recently validated configurations by their kind and text, because each change reads the previous revision again. */
const validConfigurations = new LRUCache<string, SiteConfig>({
  maxSize: 1_000_000,
  sizeCalculation: (_site, text) => text.length,
})

/**
 * Returns a valid configuration from the cache, or validates it.
 * @param upgrade parses the text, and adapts it to the form and the rules of this version
 */
function getOrValidate(
  key: string,
  { source, publicDir }: { source: string; publicDir: string | undefined },
  upgrade: () => object,
): SiteConfig {
  let site = validConfigurations.get(key)
  // The file of the logo may have been deleted since.
  if (site) checkLogo(site, source, publicDir)
  else site = validateConfiguration(upgrade(), source, publicDir)
  validConfigurations.set(key, site)
  // A caller may modify its result.
  return structuredClone(site)
}

/** What `parseConfigRevision` changes in a revision before it is validated. */
function adaptToCurrentRules(config: { [key: string]: unknown }): object {
  const { legal, pages, branding } = config
  return {
    ...config,
    ...(isObject(legal) && { legal: truncateTexts(legal, limits.legalChars) }),
    ...(Array.isArray(pages) && { pages: pages.map(truncateTitles) }),
    ...(isObject(branding) && { branding: withoutPageOnly(branding) }),
  }
}

/** Removes, at any depth, the blocks that only a page can show. */
function withoutPageOnly(value: unknown): unknown {
  if (Array.isArray(value))
    return value.filter((item) => !isObject(item) || !isPageOnly(item.type)).map(withoutPageOnly)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withoutPageOnly(field)]))
}

/** Truncates the titles of a page in all languages. */
function truncateTitles(page: unknown): unknown {
  if (!isObject(page) || !isObject(page.content)) return page
  const content = Object.entries(page.content).map(([locale, text]) => [
    locale,
    isObject(text) && typeof text.title === 'string'
      ? { ...text, title: truncateText(text.title, limits.pageTitleChars) }
      : text,
  ])
  return { ...page, content: Object.fromEntries(content) }
}

/** Truncates every text in an object, at any depth. */
const truncateTexts = (texts: Record<string, unknown>, maxChars: number): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [
      name,
      typeof text === 'string' ? truncateText(text, maxChars) : isObject(text) ? truncateTexts(text, maxChars) : text,
    ]),
  )

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/**
 * Validates an already parsed configuration of the current version.
 * @throws {InvalidConfiguration}
 */
export function validateConfiguration(config: object, source: string, publicDir: string | undefined): SiteConfig {
  refuseManyPages(config, source)
  const valid = withRootLocale(dataOrThrow(getOrCreateSchemas(config).whole.safeParse(config), source))
  checkRootLocale(valid, source)
  checkLogo(valid, source, publicDir)
  return valid
}

/** The configuration with some parts replaced; `null` removes an optional part. */
export const withParts = (site: object, parts: object): object =>
  Object.fromEntries(Object.entries({ ...site, ...parts }).filter(([, value]) => value !== null))

/**
 * Validates a valid configuration with some parts changed. Its pages are not validated again: that would take most of
 * the time.
 * @throws {InvalidConfiguration}
 */
export function validateParts(site: SiteConfig, parts: object, source: string, publicDir: string): SiteConfig {
  const { pages, ...siteWithoutPages } = site
  const config = withParts(siteWithoutPages, parts)
  const valid = withRootLocale(dataOrThrow(getOrCreateSchemas(config).parts.safeParse(config), source))
  const changed = { ...valid, pages }
  checkRootLocale(changed, source)
  checkLogo(changed, source, publicDir)
  return changed
}

/** @throws {InvalidConfiguration} with the problems of a failed validation */
function dataOrThrow<Valid>(result: z.ZodSafeParseResult<Valid>, source: string): Valid {
  if (result.success) return result.data
  throw new InvalidConfiguration(
    source,
    result.error.issues.slice(0, maxProblems).map((issue) => ({
      path: issue.path.join('.'),
      reason: operatorReason(issue),
    })),
    fieldProblems(result.error, maxProblems),
  )
}

/** @throws {InvalidConfiguration} when the language at the root is not one of the site's */
function checkRootLocale(site: SiteConfig, source: string): void {
  if (site.locales.includes(rootLocaleOf(site))) return
  throw new InvalidConfiguration(
    source,
    [{ path: 'rootLocale', reason: reasonFor('rootStays') }],
    [{ path: 'rootLocale', key: 'rootStays' }],
  )
}

/** @throws {InvalidConfiguration} when the logo is a file that does not exist */
export function checkLogo({ logo: { src } }: SiteConfig, source: string, publicDir: string | undefined): void {
  if (publicDir === undefined) return
  // Whether an upload exists is checked in `apply-configuration.ts`; the site can start without it.
  if (publicFileIdsIn(src).length > 0 || existsSync(join(publicDir, src))) return
  throw new InvalidConfiguration(
    source,
    [{ path: 'logo.src', reason: `there is no file ${publicDir}${src}` }],
    [{ path: 'logo.src', key: 'imageGone' }],
  )
}

/**
 * Refuses too many pages, before validation: reporting the problems of a hundred thousand pages would take seconds.
 * @throws {InvalidConfiguration}
 */
function refuseManyPages(config: object, source: string): void {
  const limit = limits.configPages
  if (!('pages' in config) || !Array.isArray(config.pages) || config.pages.length <= limit) return
  throw new InvalidConfiguration(
    source,
    [{ path: 'pages', reason: `at most ${limit} pages are wanted` }],
    [{ path: 'pages', key: 'tooManyPages', limit }],
  )
}

/** The configuration in the format of the file in the repository and of an import. */
export const serializeConfiguration = (site: SiteConfig): string =>
  `${JSON.stringify({ $schema: './site.schema.json', ...site }, null, 2)}\n`

/** JSON Schema of the file, for completion and validation in editors. */
export function configurationJsonSchema(): object {
  return z.toJSONSchema(siteConfigSchema(blockSchema, siteMenuItem), {
    io: 'input',
    target: 'draft-2020-12',
    reused: 'ref',
  })
}
