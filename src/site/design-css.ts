import type { AdminInitialData } from '../contract/admin-start.ts'
import { coloursOf, mix } from '../contract/palette.ts'
import type { SiteConfig } from '../contract/site-config.ts'
import { type Surface, scrimOpacity, surfaceColours, surfaces } from '../contract/surfaces.ts'

type Appearance = NonNullable<SiteConfig['look']>

/**
 * The CSS of appearance options; empty for defaults. Selectors that also occur in a stylesheet part have `:root` for a
 * higher specificity, because that part may be loaded later.
 */
export function designCss(appearance: Appearance | undefined): string {
  return Object.entries(appearance ?? {})
    .map(([name, value]) => rules[`${name}.${value}`] ?? '')
    .join('')
}

/** The elements that draw the edge between two areas of a page. */
const edges = [
  '.bar::after',
  '.page-head::after',
  '.foot.deep::before',
  'section:not(.hero)::before',
  '.on:not([class*="edge-"])::before',
]
const inRtl = (selector: string) => `[dir="rtl"] ${selector}`
const backdropImage = '.on:not([class*="edge-"],:first-child)>.backdrop'
const smallCorners =
  ':root :is(.gallery figure>:is(.image,img),.field :is(input,textarea),.works :is(.image,li>img),.works li:first-child>:is(.image,img))'
const everyButton = '.button,[dir="rtl"] .button'

/** By option and value: `corners.round`. Default values have no rules. */
const rules: Readonly<Record<string, string>> = {
  'scale.calm': `h1,:root .hero h1,:root[lang="fa"] .hero h1{font-size:clamp(2rem,1.5rem + 2.6vw,3.9rem)}h2{font-size:clamp(1.6rem,1.3rem + 1.4vw,2.5rem)}`,
  'scale.loud': `h1{font-size:clamp(2.8rem,1.4rem + 7vw,8rem)}h2{font-size:clamp(2.3rem,1.2rem + 4.4vw,5.25rem)}@media(width>=62rem){.hero:is(.plain,.deep):not(:has(.screen,.half)) h1{font-size:clamp(4rem,min(8.4vw,var(--tall)*.19),12rem)}.hero.deep .wrap>h1{max-inline-size:7em}.hero:has(.half) h1{font-size:clamp(3rem,min(6vw,var(--tall)*.15),9rem)}}`,
  'corners.square': `:root,[dir="rtl"]{--bend:0}${everyButton},${smallCorners},:root .plans .offer:is(:first-child,:last-child),:root .stages li::before,:root .buoy,:root .table thead .best,:root .search-field :is(input,ul){border-radius:0}`,
  'corners.round': `:root,[dir="rtl"]{--bend:1.75rem}${everyButton},${smallCorners}{border-radius:1.1rem}@media(width>=62rem){:root .plans .offer:first-child{border-start-start-radius:var(--bend);border-end-start-radius:var(--bend)}:root .plans .offer:last-child{border-start-end-radius:var(--bend);border-end-end-radius:var(--bend)}}@media(width>=44rem){.half{inset-block:clamp(2rem,9%,6rem) 0;inset-inline:56% max(var(--gutter),50% - var(--wide)/2 + var(--gutter));border-radius:100vmax 100vmax 0 0}}`,
  'edges.straight': `${edges},.foot.deep::after{content:none}:root ${backdropImage}{--crest:0rem}`,
  'edges.slant': `${edges}{clip-path:polygon(0 100%,100% 0,100% 100%)}${edges.map(inRtl)}{clip-path:polygon(0 0,100% 100%,0 100%)}.foot.deep::after{content:none}:root ${backdropImage}{mask:none;clip-path:polygon(0 var(--crest),100% 0,100% 100%,0 100%)}:root${inRtl(backdropImage)}{clip-path:polygon(0 0,100% var(--crest),100% 100%,0 100%)}@media(width>=44rem){.half{inset-inline-start:50%;clip-path:polygon(16% 0,100% 0,100% 100%,0 100%)}[dir="rtl"] .half{clip-path:polygon(0 0,84% 0,100% 100%,0 100%)}}`,
  'buttons.outline': `.button{background:none;color:var(--strong);box-shadow:inset 0 0 0 2px currentColor}.button:hover{background:var(--button);color:var(--on-button)}`,
  'fonts.geometric': 'h1,h2{letter-spacing:-.03em}',
  'fonts.humanist': 'h1,h2{letter-spacing:-.015em}',
  'fonts.editorial':
    'h1,h2{letter-spacing:-.015em;line-height:1.04}:root :is(.price strong,.numbers strong){letter-spacing:0}',
  'fonts.rounded': 'h1,h2{letter-spacing:-.01em}',
  'fonts.condensed':
    'h1,h2{letter-spacing:-.01em;line-height:.98}:is(h1,h2,h3,.button,strong,.wordmark){word-spacing:.12em}@media(width>=62rem){:root:not([lang="fa"]) .hero:has(.half) h1{font-size:clamp(3.5rem,min(7.6vw,var(--tall)*.19),11rem)}}',
  'fonts.classic': 'h1,h2{letter-spacing:-.005em;line-height:1.12}',
  'buttons.pill': `${everyButton}{border-radius:10rem}`,
}

type Palette = SiteConfig['palette']

/** The colours as CSS custom properties, with a dark variant for `prefers-color-scheme: dark`. */
export function paletteCss(palette: Palette): string {
  const { primary, accent } = palette
  const [light, dark] = [coloursOf(palette, 'light'), coloursOf(palette, 'dark')]
  return `:root{color-scheme:light dark;${properties({ primary, accent, ...light })}}@media(prefers-color-scheme:dark){:root{${properties(dark, light)}}}`
}

/** The colours of block backgrounds. @param hasBackgroundImage whether a block of the page has a background image */
export function surfacesCss(palette: Palette, hasBackgroundImage: boolean): string {
  const [light, dark] = [surfaceColours(palette, 'light'), surfaceColours(palette, 'dark')]
  const selector = (surface: Surface) =>
    `.on-${surface},.on-${surface}>.deep${surface === 'plain' ? ',.on .form-panel,.on .ledger .best' : ''}`
  const rules = (colours: (surface: Surface) => string) =>
    surfaces
      .filter((surface) => hasBackgroundImage || surface !== 'picture')
      .map((surface) => `${selector(surface)}{${colours(surface)}}`)
      .join('')
  return `${hasBackgroundImage ? `:root{--scrim:${scrimOpacity}}` : ''}${rules((surface) => properties(light[surface]))}@media(prefers-color-scheme:dark){${rules((surface) => properties(dark[surface], light[surface]))}}`
}

/** Colours as custom properties, without those that are the same in `overridden`, the rule with lower precedence. */
const properties = (colours: Readonly<Record<string, string>>, overridden: Readonly<Record<string, string>> = {}) =>
  Object.entries(colours)
    .filter(([name, colour]) => overridden[name] !== colour)
    .map(([name, colour]) => `${propertyName(name)}:${shortenHex(colour)}`)
    .join(';')

/** The custom property of a colour: `--sky-low` for `skyLow`. */
const propertyName = (name: string) => `--${name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)}`

/** Shortens `#ffCC00` to `#fc0`. */
const shortenHex = (colour: string) => colour.toLowerCase().replace(/^#(.)\1(.)\2(.)\3$/, '#$1$2$3')

/** The colour scales of the admin, each of ten shades, derived from the palette of the configuration. */
export function adminShades(palette: Palette): AdminInitialData['shades'] {
  const { primary, secondary, accent, light } = palette
  const { deep } = coloursOf(palette, 'light')
  const dark = coloursOf(palette, 'dark')
  const slate = mix(palette.dark, accent, 0.3)
  const darkShade = (inkShare: number) => mix(dark.raised, dark.ink, inkShare)
  return {
    brand: [
      secondary,
      ...[0.18, 0.36, 0.56, 0.78].map((share) => mix(secondary, primary, share)),
      primary,
      mix(primary, accent, 0.5),
      accent,
      mix(accent, deep, 0.5),
      deep,
    ],
    gray: [0.025, 0.06, 0.12, 0.19, 0.42, 0.56, 0.68, 0.78, 0.88, 0.95].map((share) => mix(light, slate, share)),
    dark: [
      dark.ink,
      darkShade(0.82),
      dark.quiet,
      darkShade(0.48),
      darkShade(0.3),
      darkShade(0.09),
      dark.raised,
      dark.soft,
      dark.ground,
      dark.abyss,
    ],
  }
}

/** The colours of the site as CSS custom properties for the admin, where an attribute can set the colour scheme. */
export function adminPaletteCss(palette: Palette): string {
  const rules = (scheme: 'light' | 'dark') =>
    `color-scheme:${scheme};${Object.entries(coloursOf(palette, scheme))
      .map(([name, colour]) => `${propertyName(name)}:${colour}`)
      .join(';')}`
  const attribute = 'data-mantine-color-scheme'
  return `:root{--primary:${palette.primary};${rules('light')}}@media(prefers-color-scheme:dark){:root:not([${attribute}=light]){${rules('dark')}}}:root[${attribute}=dark]{${rules('dark')}}`
}
