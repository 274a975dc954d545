import type { AdminInitialData } from '../contract/admin-start.ts'
import { coloursOf, mix } from '../contract/palette.ts'
import type { SiteConfig } from '../contract/site-config.ts'
import { type Surface, scrimOpacity, surfaceColours, surfaces } from '../contract/surfaces.ts'

type Palette = SiteConfig['palette']

/** The colours as CSS custom properties, with a dark variant for `prefers-color-scheme: dark`. */
export function paletteCss(palette: Palette): string {
  const { primary, accent } = palette
  const [day, night] = [coloursOf(palette, 'light'), coloursOf(palette, 'dark')]
  return `:root{color-scheme:light dark;${properties({ primary, accent, ...day })}}@media(prefers-color-scheme:dark){:root{${properties(night, day)}}}`
}

/**
 * The colours of the backgrounds that blocks can have, by their class; panels on them look as on the page.
 * @param hasPicture whether the page has a picture behind a block
 */
export function surfacesCss(palette: Palette, hasPicture: boolean): string {
  const [day, night] = [surfaceColours(palette, 'light'), surfaceColours(palette, 'dark')]
  const selector = (surface: Surface) =>
    `.on-${surface},.on-${surface}>.deep${surface === 'plain' ? ',.on .form-panel,.on .ledger .best' : ''}`
  const rules = (colours: (surface: Surface) => string) =>
    surfaces
      .filter((surface) => hasPicture || surface !== 'picture')
      .map((surface) => `${selector(surface)}{${colours(surface)}}`)
      .join('')
  return `${hasPicture ? `:root{--scrim:${scrimOpacity}}` : ''}${rules((surface) => properties(day[surface]))}@media(prefers-color-scheme:dark){${rules((surface) => properties(night[surface], day[surface]))}}`
}

/** Colours as custom properties, without those that `before` has too. */
const properties = (colours: Readonly<Record<string, string>>, before: Readonly<Record<string, string>> = {}) =>
  Object.entries(colours)
    .filter(([name, colour]) => before[name] !== colour)
    .map(([name, colour]) => `--${name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)}:${short(colour)}`)
    .join(';')

const short = (colour: string) => colour.toLowerCase().replace(/^#(.)\1(.)\2(.)\3$/, '#$1$2$3')

/** The admin's colour scales, derived from the five colours of the configuration like the site's. */
export function adminShades(palette: Palette): AdminInitialData['shades'] {
  const { primary, secondary, accent, light } = palette
  const day = coloursOf(palette, 'light')
  const night = coloursOf(palette, 'dark')
  const slate = mix(palette.dark, accent, 0.3)
  const nightly = (part: number) => mix(night.raised, night.ink, part)
  return {
    brand: [
      secondary,
      ...[0.18, 0.36, 0.56, 0.78].map((part) => mix(secondary, primary, part)),
      primary,
      mix(primary, accent, 0.5),
      accent,
      mix(accent, day.deep, 0.5),
      day.deep,
    ],
    gray: [0.025, 0.06, 0.12, 0.19, 0.42, 0.56, 0.68, 0.78, 0.88, 0.95].map((part) => mix(light, slate, part)),
    dark: [
      night.ink,
      nightly(0.82),
      night.quiet,
      nightly(0.48),
      nightly(0.3),
      nightly(0.09),
      night.raised,
      night.soft,
      night.ground,
      night.abyss,
    ],
  }
}

/** The site's colours as CSS custom properties, for a page whose scheme can be set independently of the system's. */
export function adminPaletteCss(palette: Palette): string {
  const rules = (scheme: 'light' | 'dark') =>
    `color-scheme:${scheme};${Object.entries(coloursOf(palette, scheme))
      .map(([name, colour]) => `--${name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)}:${colour}`)
      .join(';')}`
  const attribute = 'data-mantine-color-scheme'
  return `:root{--primary:${palette.primary};${rules('light')}}@media(prefers-color-scheme:dark){:root:not([${attribute}=light]){${rules('dark')}}}:root[${attribute}=dark]{${rules('dark')}}`
}
