import type { AdminStart } from '../contract/admin-start.ts'
import { coloursOf, mix } from '../contract/palette.ts'
import type { SiteConfig } from '../contract/site-config.ts'

type Palette = SiteConfig['palette']

/** The admin's ladders of colour, mixed from the five of the configuration as the site's own are. */
export function adminShades(palette: Palette): AdminStart['shades'] {
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

/** The site's colours as custom properties, for a page that may be told to be light or dark whatever the screen is. */
export function adminPaletteCss(palette: Palette): string {
  const rules = (scheme: 'light' | 'dark') =>
    `color-scheme:${scheme};${Object.entries(coloursOf(palette, scheme))
      .map(([name, colour]) => `--${name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)}:${colour}`)
      .join(';')}`
  const told = 'data-mantine-color-scheme'
  return `:root{--primary:${palette.primary};${rules('light')}}@media(prefers-color-scheme:dark){:root:not([${told}=light]){${rules('dark')}}}:root[${told}=dark]{${rules('dark')}}`
}
