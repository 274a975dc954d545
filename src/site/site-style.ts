import { createHash } from 'node:crypto'
import { fontFaces } from 'virtual:site-fonts'
import { sheets as allSheets, type Sheet } from '../blocks/define-block.ts'
import type { Locale } from '../contract/locales.ts'
import type { SiteConfig } from '../contract/site-config.ts'
import { paletteCss } from './palette-css.ts'
import columns from './styles/columns.css?inline'
import contact from './styles/contact.css?inline'
import gallery from './styles/gallery.css?inline'
import hero from './styles/hero.css?inline'
import lost from './styles/lost.css?inline'
import offer from './styles/offer.css?inline'
import picture from './styles/picture.css?inline'
import preview from './styles/preview.css?inline'
import prose from './styles/prose.css?inline'
import questions from './styles/questions.css?inline'
import services from './styles/services.css?inline'
import enter from './styles/sign-in.css?inline'
import everywhere from './styles/site.css?inline'
import testimonial from './styles/testimonial.css?inline'

export interface SiteStyle {
  css: string
  /** As the Content-Security-Policy names it, quotes included: `'sha256-…'`. */
  hash: string
}

const styles: Record<Sheet, string> = {
  columns,
  contact,
  enter,
  gallery,
  hero,
  lost,
  offer,
  picture,
  preview,
  prose,
  questions,
  services,
  testimonial,
}
const made = new WeakMap<SiteConfig, Map<string, SiteStyle>>()

/**
 * The stylesheet of a page, to stand in the page itself: what every page has in this language, and the parts that this
 * one needs. Made once for each configuration.
 */
export function siteStyle(site: SiteConfig, locale: Locale, sheets: readonly Sheet[]): SiteStyle {
  const ofSite = made.get(site) ?? new Map<string, SiteStyle>()
  made.set(site, ofSite)
  const key = [locale, ...sheets].join()
  let style = ofSite.get(key)
  if (!style) {
    const parts = [everywhere, ...sheets.map((sheet) => styles[sheet])].map((part) => part.trim())
    const css = `${fontFaces[locale]}${paletteCss(site.palette)}${fontFamilies[locale]}${parts.join('')}`
    style = { css, hash: `'sha256-${createHash('sha256').update(css).digest('base64')}'` }
    ofSite.set(key, style)
  }
  return style
}

/**
 * All of the stylesheet for who edits pages: by day whatever their screen is, and with its fonts, which a page has
 * brought by a script.
 */
export const editorStyle = (site: SiteConfig, locale: Locale): string =>
  siteStyle(site, locale, allSheets)
    .css.replaceAll(/@media ?\(scripting: ?none\)/g, '@media all')
    .replaceAll(/@media ?\(prefers-color-scheme: ?dark\)/g, '@media not all')
    .replaceAll('color-scheme:light dark', 'color-scheme:light')

const fontFamilies: Record<Locale, string> = {
  nl: ':root{--text:"Site Text","Site Text Local",sans-serif;--display:"Site Display","Site Display Local",sans-serif;--wordmark:var(--display)}',
  fa: ':root{--text:"Site Persian","Site Persian Naskh","Site Persian Sans",Tahoma,sans-serif;--display:var(--text);--wordmark:"Site Display","Site Display Local",sans-serif}',
}
