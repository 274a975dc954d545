import { createHash } from 'node:crypto'
import { fontFaces } from 'virtual:site-fonts'
import { LRUCache } from 'lru-cache'
import { areaStylesheets } from '../blocks/block-contents.ts'
import { type Stylesheet, stylesheets } from '../blocks/define-block.ts'
import { illustrationName } from '../blocks/illustrations.ts'
import { defaultAppearance } from '../contract/config-choices.ts'
import { isPersian, type Locale } from '../contract/locales.ts'
import type { SiteConfig } from '../contract/site-config.ts'
import { buildCachedResponse, type CachedResponse } from '../http/page-cache.ts'
import { assetSecurityHeaders } from '../http/security-headers.ts'
import { sign } from '../platform/signature.ts'
import { designCss, paletteCss, surfacesCss } from './design-css.ts'

interface SiteStyle {
  css: string
  /** The hash for the Content-Security-Policy, including the quotes: `'sha256-…'`. */
  hash: string
}

/** The files of `styles/`, but those that `site.css` imports. */
const files = import.meta.glob<string>(['./styles/**/*.css', '!./styles/{base,header,menus,utilities}.css'], {
  query: '?inline',
  import: 'default',
  eager: true,
})

/** @param name the path in `styles/`, without the ending */
function cssOf(name: string): string {
  const css = files[`./styles/${name}.css`]
  if (css === undefined) throw new Error(`There is no styles/${name}.css`)
  return css.trim()
}

/** The pages of a large site may need very many combinations of parts. */
const maxCachedStyles = 100
const stylesOf = new WeakMap<SiteConfig, Map<string, SiteStyle>>()

/**
 * The inline stylesheet of a page: the common part for this language, and the parts that the page, its header and its footer
 * need. Cached per configuration.
 * @param linked the parts that the page has in a linked stylesheet; what they need of the configuration is inline
 */
export function siteStyle(
  site: SiteConfig,
  locale: Locale,
  ofPage: readonly Stylesheet[],
  linked: readonly Stylesheet[] = [],
): SiteStyle {
  const ofSite = stylesOf.get(site) ?? new Map<string, SiteStyle>()
  stylesOf.set(site, ofSite)
  const ofAreas = areaStylesheets(site).filter((part) => !ofPage.includes(part))
  const has = (part: Stylesheet) => [...ofAreas, ...ofPage, ...linked].includes(part)
  const hasSurfaces = has('block-style')
  const hasBackgroundImage = has('block-background')
  const hasHero = has('hero')
  const hasSearchField = site.look?.search === 'field' || ofPage.includes('search')
  const around = commonStylesheets(site).filter((part) => !linked.includes(part))
  const key = [locale, hasSurfaces, hasBackgroundImage, hasHero, ...ofAreas, ...ofPage, ...around].join()
  let style = ofSite.get(key)
  if (!style) {
    const script = isPersian(locale) ? 'fa' : 'nl'
    const surfaces = hasSurfaces ? surfacesCss(site.palette, hasBackgroundImage) : ''
    const illustration = hasHero ? cssOf(`illustrations/${illustrationName(site)}`) : ''
    const header = site.look?.header ?? defaultAppearance.header
    // `bar` is in `header.css`.
    const headerCss = header === 'bar' ? '' : cssOf(`headers/${header}`)
    const css = `${fontFaces[site.look?.fonts ?? defaultAppearance.fonts][script]}${paletteCss(site.palette)}${surfaces}${fontFamilies[script]}${cssOf('site')}${joinStylesheets([...ofAreas, ...ofPage, ...around])}${illustration}${headerCss}${hasSearchField ? cssOf('search-field') : ''}${designCss(site.look)}`
    style = { css, hash: `'sha256-${createHash('sha256').update(css).digest('base64')}'` }
    if (ofSite.size >= maxCachedStyles) ofSite.clear()
    ofSite.set(key, style)
  }
  return style
}

/** The parts of each page of the site, whatever its blocks: its footer, opened menus, the style of headings and panels, and print. */
export function commonStylesheets({ look }: Pick<SiteConfig, 'look'>): Stylesheet[] {
  const { headings, panels, illustration } = { ...defaultAppearance, ...look }
  const chosen: readonly string[] = [
    'footer',
    'opened-menus',
    illustration === 'river' ? '' : 'illustrations/plain',
    `headings/${headings}`,
    `panels/${panels}`,
    'print',
  ]
  return stylesheets.filter((part) => chosen.includes(part))
}

/** The parts, in the given order, without what depends on the configuration. */
const joinStylesheets = (names: readonly Stylesheet[]): string => names.map(cssOf).join('')

/**
 * The stylesheet for the page editor: all blocks, what each page of the site has (`commonStylesheets`), and the fonts, which
 * pages load by script.
 */
export const editorStyle = (site: SiteConfig, locale: Locale): string =>
  siteStyle(site, locale, blockStylesheets).css.replaceAll(/@media ?\(scripting: ?none\)/g, '@media all')

const notOnCanvas: readonly Stylesheet[] = ['edit-link', 'sign-in', 'error-page', 'preview', 'page-numbers', 'search']
const blockStylesheets = stylesheets
  .slice(0, stylesheets.indexOf('footer'))
  .filter((part) => !notOnCanvas.includes(part))

/** A family that a pair of fonts lacks is skipped. */
const fontFamilies: Record<'nl' | 'fa', string> = {
  nl: ':root{--text:"Site Text","Site Text Serif","Site Text Local",sans-serif;--display:"Site Display","Site Display Serif","Site Display Local",sans-serif;--wordmark:var(--display)}',
  fa: ':root{--text:"Site Persian","Site Persian Local","Site Persian Naskh","Site Persian Sans",Tahoma,sans-serif;--display:"Site Display","Site Persian Display","Site Persian Display Naskh","Site Persian Display Sans",var(--text);--wordmark:"Site Display","Site Display Serif","Site Display Local",sans-serif}',
}

/**
 * The URL of a stylesheet with these parts. It names them by one bit each, and its signature covers their content: so it
 * is immutable, every instance can serve it, and nobody can make up others.
 */
export function linkedStylesheetUrl(secret: string, names: readonly Stylesheet[]): string {
  const key = `${names.join()} ${secret}`
  const url = urls.get(key) ?? signedUrl(secret, names)
  urls.set(key, url)
  return url
}

/**
 * By the parts and the secret: each page has one, and signing some 20 kB of styles costs a twelfth of rendering it. Only of
 * rendered pages: requested URLs can be made up.
 */
const urls = new LRUCache<string, string>({ max: 500 })

function signedUrl(secret: string, names: readonly Stylesheet[]): string {
  const bits = names.reduce((sum, name) => sum + 2 ** stylesheets.indexOf(name), 0).toString(36)
  return `/assets/blocks-${bits}-${sign(secret, 'styles', `${bits}:${joinStylesheets(names)}`)}.css`
}

/** The parts of the stylesheet at a URL; undefined where there is none. */
export function linkedStylesheetAt(secret: string, url: string): Stylesheet[] | undefined {
  const [, bits] = /^\/assets\/blocks-([0-9a-z]{1,10})-[\w-]{16}\.css$/.exec(url) ?? []
  if (bits === undefined) return undefined
  const set = BigInt(Number.parseInt(bits, 36))
  const names = stylesheets.filter((_, index) => (set >> BigInt(index)) & 1n)
  return signedUrl(secret, names) === url ? names : undefined
}

export const linkedStylesheet = (names: readonly Stylesheet[]): Promise<CachedResponse> =>
  buildCachedResponse({
    body: Buffer.from(joinStylesheets(names)),
    headers: [
      ['Content-Type', 'text/css; charset=utf-8'],
      ['Cache-Control', 'public, max-age=31536000, immutable'],
      ['Vary', 'Accept-Encoding'],
      ...assetSecurityHeaders,
    ],
    tags: [],
    compressible: true,
  })
