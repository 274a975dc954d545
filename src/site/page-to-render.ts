import type { Locale } from '../contract/locales.ts'
import type { StoredBlock } from '../contract/site-config.ts'

export interface PageToRender {
  title: string
  /** Of the tab and for search engines; without one it is made of the title. */
  seoTitle?: string
  /** Without one it is the site's. */
  description: string
  /** The address of an upload, for cards. */
  picture?: string
  /** Search engines leave it alone. */
  noindex?: boolean
  /** Path without its first slash; empty for the home page. */
  slug: string
  body: readonly StoredBlock[]
  /** ISO date of the text, for pages that say how old they are. */
  updated?: string | undefined
}

/** The same page in each of its languages, with the path that it has there. */
export interface Alternate {
  locale: Locale
  path: string
  /** What goes along when the language is switched, like `redirect=%2Fuser`. */
  query?: string
}
