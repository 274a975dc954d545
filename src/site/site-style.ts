import { createHash } from 'node:crypto'
import { fontFaces } from 'virtual:site-fonts'
import type { Locale } from '../contract/locales.ts'
import type { SiteConfig } from '../contract/site-config.ts'
import { paletteCss } from './palette.ts'
import styles from './styles/site.css?inline'

export interface SiteStyle {
  css: string
  /** As the Content-Security-Policy names it, quotes included: `'sha256-…'`. */
  hash: string
}

const made = new WeakMap<SiteConfig, Map<Locale, SiteStyle>>()

/** The whole stylesheet of one language, to stand in the page itself. Made once for each configuration. */
export function siteStyle(site: SiteConfig, locale: Locale): SiteStyle {
  const ofSite = made.get(site) ?? new Map<Locale, SiteStyle>()
  made.set(site, ofSite)
  let style = ofSite.get(locale)
  if (!style) {
    const css = `${fontFaces[locale]}${paletteCss(site.palette)}${fontFamilies[locale]}${styles.trim()}`
    style = { css, hash: `'sha256-${createHash('sha256').update(css).digest('base64')}'` }
    ofSite.set(locale, style)
  }
  return style
}

const fontFamilies: Record<Locale, string> = {
  nl: ':root{--text:"Site Text","Site Text Local",sans-serif;--display:"Site Display","Site Display Local",sans-serif;--wordmark:var(--display)}',
  fa: ':root{--text:"Site Persian",Tahoma,sans-serif;--display:var(--text);--wordmark:"Site Display","Site Display Local",sans-serif}',
}
