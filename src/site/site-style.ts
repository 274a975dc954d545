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
import banner from './styles/banner.css?inline'
import blockBackground from './styles/block-background.css?inline'
import blockStyle from './styles/block-style.css?inline'
import cases from './styles/cases.css?inline'
import collection from './styles/collection.css?inline'
import columns from './styles/columns.css?inline'
import comparison from './styles/comparison.css?inline'
import contact from './styles/contact.css?inline'
import download from './styles/download.css?inline'
import editLink from './styles/edit-link.css?inline'
import errorPage from './styles/error-page.css?inline'
import faq from './styles/faq.css?inline'
import figures from './styles/figures.css?inline'
import footer from './styles/footer.css?inline'
import form from './styles/form.css?inline'
import gallery from './styles/gallery.css?inline'
import centered from './styles/headers/centered.css?inline'
import minimal from './styles/headers/minimal.css?inline'
import split from './styles/headers/split.css?inline'
import middle from './styles/headings/middle.css?inline'
import numbered from './styles/headings/numbered.css?inline'
import ruled from './styles/headings/ruled.css?inline'
import hero from './styles/hero.css?inline'
import heroMedia from './styles/hero-media.css?inline'
import hills from './styles/illustrations/hills.css?inline'
import none from './styles/illustrations/none.css?inline'
import paper from './styles/illustrations/paper.css?inline'
import plain from './styles/illustrations/plain.css?inline'
import river from './styles/illustrations/river.css?inline'
import tiles from './styles/illustrations/tiles.css?inline'
import image from './styles/image.css?inline'
import location from './styles/location.css?inline'
import logos from './styles/logos.css?inline'
import openedMenus from './styles/opened-menus.css?inline'
import pageNumbers from './styles/page-numbers.css?inline'
import banded from './styles/panels/banded.css?inline'
import lined from './styles/panels/lined.css?inline'
import preview from './styles/preview.css?inline'
import pricing from './styles/pricing.css?inline'
import print from './styles/print.css?inline'
import prose from './styles/prose.css?inline'
import search from './styles/search.css?inline'
import searchField from './styles/search-field.css?inline'
import section from './styles/section.css?inline'
import services from './styles/services.css?inline'
import signIn from './styles/sign-in.css?inline'
import everywhere from './styles/site.css?inline'
import steps from './styles/steps.css?inline'
import team from './styles/team.css?inline'
import testimonial from './styles/testimonial.css?inline'
import testimonials from './styles/testimonials.css?inline'
import textImage from './styles/text-image.css?inline'
import video from './styles/video.css?inline'

interface SiteStyle {
  css: string
  /** The hash for the Content-Security-Policy, including the quotes: `'sha256-…'`. */
  hash: string
}

const parts: Record<Stylesheet, string> = {
  collection,
  columns,
  contact,
  form,
  'edit-link': editLink,
  'sign-in': signIn,
  gallery,
  hero,
  'error-page': errorPage,
  pricing,
  image,
  preview,
  prose,
  faq,
  services,
  testimonial,
  section,
  'page-numbers': pageNumbers,
  search,
  'text-image': textImage,
  cases,
  testimonials,
  figures,
  team,
  steps,
  logos,
  video,
  location,
  'hero-media': heroMedia,
  download,
  comparison,
  banner,
  'block-style': blockStyle,
  'block-background': blockBackground,
  footer,
  'opened-menus': openedMenus,
  plain,
  'headings-middle': middle,
  'headings-ruled': ruled,
  'headings-numbered': numbered,
  'panels-lined': lined,
  'panels-banded': banded,
  print,
}
/** `bar` is the default, in `header.css`. */
const headers = { bar: '', centered, split, minimal }
const illustrations = { river, hills, tiles, paper, none }
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
    const illustration = hasHero ? illustrations[illustrationName(site)].trim() : ''
    const css = `${fontFaces[site.look?.fonts ?? defaultAppearance.fonts][script]}${paletteCss(site.palette)}${surfaces}${fontFamilies[script]}${everywhere.trim()}${joinStylesheets([...ofAreas, ...ofPage, ...around])}${illustration}${headers[site.look?.header ?? defaultAppearance.header].trim()}${hasSearchField ? searchField.trim() : ''}${designCss(site.look)}`
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
    illustration === 'river' ? '' : 'plain',
    `headings-${headings}`,
    `panels-${panels}`,
    'print',
  ]
  return stylesheets.filter((part) => chosen.includes(part))
}

/** The parts, in the given order, without what depends on the configuration. */
const joinStylesheets = (names: readonly Stylesheet[]): string => names.map((name) => parts[name].trim()).join('')

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
