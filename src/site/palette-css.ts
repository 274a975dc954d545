import { type Colours, coloursOf } from '../contract/palette.ts'
import type { SiteConfig } from '../contract/site-config.ts'

/** The colours as custom properties, by night where the visitor's screen is dark. */
export function paletteCss(palette: SiteConfig['palette']): string {
  const day = coloursOf(palette, 'light')
  const rules = (colours: Record<string, string>) =>
    Object.entries(colours)
      .map(([name, colour]) => `--${name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)}:${short(colour)}`)
      .join(';')
  const night = Object.entries(coloursOf(palette, 'dark')).filter(
    ([name, colour]) => day[name as keyof Colours] !== colour,
  )
  const { primary, accent } = palette
  return `:root{color-scheme:light dark;${rules({ primary, accent, ...day })}}@media(prefers-color-scheme:dark){:root{${rules(Object.fromEntries(night))}}}`
}

const short = (colour: string) => colour.toLowerCase().replace(/^#(.)\1(.)\2(.)\3$/, '#$1$2$3')
