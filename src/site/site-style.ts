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

/** The stylesheets of `styles/` by path, without those that `site.css` imports. */
const files = import.meta.glob<string>(['./styles/**/*.css', '!./styles/{base,header,menus,utilities}.css'], {
  query: '?inline',
  import: 'default',
  eager: true,
})

/** @param name the path in `styles/`, without the extension */
function cssOf(name: string): string {
  const css = files[`./styles/${name}.css`]
  if (css === undefined) throw new Error(`There is no styles/${name}.css`)
  return css.trim()
}

/** Limits memory: the pages of a large site may need very many combinations of parts. */
const maxCachedStyles = 100
const cachedStyles = new WeakMap<SiteConfig, Map<string, SiteStyle>>()

/**
 * The inline stylesheet of a page, cached per configuration.
 * @param inline the inline parts of the page; common ones and those of header and footer are added
 * @param linked the parts in the linked stylesheet; CSS that they need from the configuration is inline
 */
export function siteStyle(
  site: SiteConfig,
  locale: Locale,
  inline: readonly Stylesheet[],
  linked: readonly Stylesheet[] = [],
): SiteStyle {
  const stylesByKey = cachedStyles.get(site) ?? new Map<string, SiteStyle>()
  cachedStyles.set(site, stylesByKey)
  const areaParts = areaStylesheets(site).filter((part) => !inline.includes(part))
  const commonParts = commonStylesheets(site).filter((part) => !linked.includes(part))
  const has = (part: Stylesheet) => [...areaParts, ...inline, ...linked].includes(part)
  const hasSurfaces = has('block-style')
  const hasBackgroundImage = has('block-background')
  const hasHero = has('hero')
  const hasSearchField = site.look?.search === 'field' || inline.includes('search')
  const key = [locale, hasSurfaces, hasBackgroundImage, hasHero, ...areaParts, ...inline, ...commonParts].join()
  let style = stylesByKey.get(key)
  if (!style) {
    const script = isPersian(locale) ? 'fa' : 'nl'
    const surfaces = hasSurfaces ? surfacesCss(site.palette, hasBackgroundImage) : ''
    const illustration = hasHero ? cssOf(`illustrations/${illustrationName(site)}`) : ''
    const header = site.look?.header ?? defaultAppearance.header
    // `bar` is in `header.css`.
    const headerCss = header === 'bar' ? '' : cssOf(`headers/${header}`)
    const css = [
      fontFaces[site.look?.fonts ?? defaultAppearance.fonts][script],
      paletteCss(site.palette),
      surfaces,
      fontFamilies[script],
      cssOf('site'),
      joinStylesheets([...areaParts, ...inline, ...commonParts]),
      illustration,
      headerCss,
      hasSearchField ? cssOf('search-field') : '',
      designCss(site.look),
    ].join('')
    style = { css, hash: `'sha256-${createHash('sha256').update(css).digest('base64')}'` }
    if (stylesByKey.size >= maxCachedStyles) stylesByKey.clear()
    stylesByKey.set(key, style)
  }
  return style
}

/** The parts that every page needs: footer, opened menus, the style of headings and panels, enlarged text, and print. */
export function commonStylesheets({ look }: Pick<SiteConfig, 'look'>): Stylesheet[] {
  const { headings, panels, illustration } = { ...defaultAppearance, ...look }
  const common: readonly string[] = [
    'footer',
    'opened-menus',
    illustration === 'river' ? '' : 'illustrations/plain',
    `headings/${headings}`,
    `panels/${panels}`,
    'enlarged',
    'print',
  ]
  return stylesheets.filter((part) => common.includes(part))
}

/** Concatenates the parts in the given order, without the CSS that depends on the configuration. */
const joinStylesheets = (names: readonly Stylesheet[]): string => names.map(cssOf).join('')

/**
 * The CSS of the page editor: the parts of all blocks, and those of every page. Rules for pages without scripts apply,
 * because they load the fonts.
 */
export const editorStyle = (site: SiteConfig, locale: Locale): string =>
  siteStyle(site, locale, blockStylesheets).css.replaceAll(/@media ?\(scripting: ?none\)/g, '@media all')

const notForBlocks: readonly Stylesheet[] = ['edit-link', 'sign-in', 'error-page', 'preview', 'page-numbers', 'search']
/** `footer` is the first of the common parts in `stylesheets`. */
const blockStylesheets = stylesheets
  .slice(0, stylesheets.indexOf('footer'))
  .filter((part) => !notForBlocks.includes(part))

/** The font stacks, with the families of all font pairs: the browser skips those that the configured pair lacks. */
const fontFamilies: Record<'nl' | 'fa', string> = {
  nl: ':root{--text:"Site Text","Site Text Serif","Site Text Local",sans-serif;--display:"Site Display","Site Display Serif","Site Display Local",sans-serif;--wordmark:var(--display)}',
  fa: ':root{--text:"Site Persian","Site Persian Local","Site Persian Naskh","Site Persian Sans",Tahoma,sans-serif;--display:"Site Display","Site Persian Display","Site Persian Display Naskh","Site Persian Display Sans",var(--text);--wordmark:"Site Display","Site Display Serif","Site Display Local",sans-serif}',
}

/**
 * The URL of a stylesheet: `/assets/blocks-{bits}-{signature}.css`, with one bit for each part, in base 36. The
 * signature covers their content: it never changes, every instance can serve it, and URLs cannot be forged.
 */
export function linkedStylesheetUrl(secret: string, names: readonly Stylesheet[]): string {
  const key = `${names.join()} ${secret}`
  const url = urls.get(key) ?? signedUrl(secret, names)
  urls.set(key, url)
  return url
}

/**
 * By parts and secret: signing 20 kB of styles costs a twelfth of rendering a page. Only of rendered pages: requested
 * URLs can be made up, and would fill the cache.
 */
const urls = new LRUCache<string, string>({ max: 500 })

function signedUrl(secret: string, names: readonly Stylesheet[]): string {
  const bits = names.reduce((sum, name) => sum + 2 ** stylesheets.indexOf(name), 0).toString(36)
  return `/assets/blocks-${bits}-${sign(secret, 'styles', `${bits}:${joinStylesheets(names)}`)}.css`
}

/** The parts of the stylesheet at a URL; undefined for any other URL and for a wrong signature. */
export function linkedStylesheetAt(secret: string, url: string): Stylesheet[] | undefined {
  const [, bits] = /^\/assets\/blocks-([0-9a-z]{1,10})-[\w-]{16}\.css$/.exec(url) ?? []
  if (bits === undefined) return undefined
  const set = BigInt(Number.parseInt(bits, 36))
  const names = stylesheets.filter((_, index) => (set >> BigInt(index)) & 1n)
  return signedUrl(secret, names) === url ? names : undefined
}

export const linkedStylesheetResponse = (names: readonly Stylesheet[]): Promise<CachedResponse> =>
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
