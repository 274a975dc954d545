import type { ContactState, RenderContext } from '../blocks/define-block.ts'
import type { Locale } from '../contract/locales.ts'
import { type Placeholders, placeholdersOf } from '../contract/placeholders.ts'
import type { SiteConfig, StoredBlock } from '../contract/site-config.ts'
import type { EntryView, OverviewView } from '../domain/pages/collection-view.ts'
import { siteTranslator } from '../i18n/visitor-texts.ts'
import { createBlockCache } from './block-cache.ts'
import { logoRatio, logoUrl } from './logo.ts'

/** Creates the context of all views of a page. `cacheBlocks` has no effect if the page shows the state of a form. */
export function createRenderContext(input: {
  site: SiteConfig
  locale: Locale
  contentLocale?: Locale
  path: string
  now: Date
  viewer: { name: string } | undefined
  contact?: ContactState
  menuPages: RenderContext['menuPages']
  linkedPaths?: RenderContext['linkedPaths']
  images?: RenderContext['images'] | undefined
  files?: RenderContext['files'] | undefined
  cacheBlocks?: boolean
}): RenderContext {
  const { site, locale, now } = input
  let nameReads = 0
  // Counts the reads of the name, so that a block with it is not cached; views need nothing else of the user.
  const viewer = input.viewer && {
    get name() {
      nameReads++
      return input.viewer?.name ?? ''
    },
  }
  const contentLocale = input.contentLocale ?? locale
  const placeholdersByLocale: Partial<Record<Locale, Placeholders>> = {}
  const placeholdersIn = (textLocale: Locale) => {
    const placeholders = placeholdersByLocale[textLocale] ?? placeholdersFor(site, textLocale, now, viewer)
    placeholdersByLocale[textLocale] = placeholders
    return placeholders
  }
  return {
    locale,
    contentLocale,
    t: siteTranslator(site, locale),
    site,
    path: input.path,
    viewer,
    now,
    placeholders: placeholdersIn(contentLocale),
    placeholdersIn,
    translatorFor: (textLocale) => siteTranslator(site, textLocale),
    logoUrl: logoUrl(site),
    logoRatio: logoRatio(site),
    menuPages: input.menuPages,
    linkedPaths: input.linkedPaths,
    images: input.images ?? new Map(),
    files: input.files ?? new Map(),
    contact: input.contact ?? { values: {}, errors: {} },
    blockCache:
      input.cacheBlocks && !input.contact ? createBlockCache({ site, now, nameReads: () => nameReads }) : undefined,
  }
}

/** The content of a page, as `renderPage` needs it. */
export interface PageContent {
  title: string
  /** The title for tabs and search engines; omitted: derived from the page title. */
  seoTitle?: string
  /** Empty: the site's description. */
  description: string
  /** The image for link previews, as an upload's URL. */
  picture?: string
  /** Excluded from search engines. */
  noindex?: boolean
  /** Path without its first slash; empty for the home page. */
  slug: string
  body: readonly StoredBlock[]
  /** The data of a collection's entry or overview; omitted for other pages. */
  collection?: EntryView | OverviewView | undefined
  /** The date (`2026-11-30`) of the last change; empty or omitted: none is shown. */
  updated?: string | undefined
}

/** Placeholder values by configuration and language, cached for an hour because they include the current year. */
const cachedPlaceholders = new WeakMap<
  SiteConfig,
  Partial<Record<Locale, { hour: number; placeholders: Placeholders }>>
>()

function placeholdersFor(site: SiteConfig, locale: Locale, now: Date, viewer: RenderContext['viewer']): Placeholders {
  const hour = Math.floor(now.getTime() / 3_600_000)
  const byLocale = cachedPlaceholders.get(site) ?? {}
  cachedPlaceholders.set(site, byLocale)
  let cached = byLocale[locale]
  if (cached?.hour !== hour) {
    cached = { hour, placeholders: placeholdersOf(site, locale, now) }
    byLocale[locale] = cached
  }
  if (!viewer) return cached.placeholders
  return {
    ...cached.placeholders,
    get user() {
      return viewer.name
    },
  }
}
