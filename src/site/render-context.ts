import type { ContactState, RenderContext } from '../blocks/define-block.ts'
import type { Locale } from '../contract/locales.ts'
import { type Placeholders, placeholdersOf } from '../contract/placeholders.ts'
import type { SiteConfig, StoredBlock } from '../contract/site-config.ts'
import type { EntryView, OverviewView } from '../domain/pages/collection-view.ts'
import { siteTranslator } from '../i18n/visitor-texts.ts'
import { logoUrl } from './logo.ts'
import { shareBlocks } from './shared-blocks.ts'

/**
 * The render context shared by all views of one page.
 * @param input.shared renders blocks once for several requests, unless the page shows the state of a form
 */
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
  shared?: boolean
}): RenderContext {
  const { site, locale, now } = input
  let nameReads = 0
  // Not the user itself: no view needs more of it, and reading the name is noticed.
  const viewer = input.viewer && {
    get name() {
      nameReads++
      return input.viewer?.name ?? ''
    },
  }
  const contentLocale = input.contentLocale ?? locale
  const filled: Partial<Record<Locale, Placeholders>> = {}
  const placeholdersIn = (one: Locale) => {
    const values = filled[one] ?? placeholdersFor(site, one, now, viewer)
    filled[one] = values
    return values
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
    textsIn: (one) => siteTranslator(site, one),
    logoUrl: logoUrl(site),
    menuPages: input.menuPages,
    linkedPaths: input.linkedPaths,
    images: input.images ?? new Map(),
    files: input.files ?? new Map(),
    contact: input.contact ?? { values: {}, errors: {} },
    shared: input.shared && !input.contact ? shareBlocks({ site, now, nameReads: () => nameReads }) : undefined,
  }
}

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
  /** ISO date of the text, for pages that show it. */
  updated?: string | undefined
}

/** Placeholder values by configuration and language, cached for an hour because they include the current year. */
const cached = new WeakMap<SiteConfig, Partial<Record<Locale, { hour: number; placeholders: Placeholders }>>>()

function placeholdersFor(site: SiteConfig, locale: Locale, now: Date, viewer: RenderContext['viewer']): Placeholders {
  const hour = Math.floor(now.getTime() / 3_600_000)
  const ofSite = cached.get(site) ?? {}
  cached.set(site, ofSite)
  let known = ofSite[locale]
  if (known?.hour !== hour) {
    known = { hour, placeholders: placeholdersOf(site, locale, now) }
    ofSite[locale] = known
  }
  if (!viewer) return known.placeholders
  return {
    ...known.placeholders,
    get user() {
      return viewer.name
    },
  }
}
