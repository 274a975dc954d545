import { type Colours, coloursOf, contrast, mix, type Scheme } from './palette.ts'
import type { SiteConfig } from './site-config.ts'

type Palette = SiteConfig['palette']

/** The backgrounds that a block can be given. */
export const surfaces = ['plain', 'tinted', 'dark', 'accent', 'picture'] as const
export type Surface = (typeof surfaces)[number]

/** How much of an image the surface `picture` covers with its own colour, so that text on it can be read. */
export const scrimOpacity = 0.64

/** The colours on a surface; each replaces the page's colour of the same name. */
export type SurfaceColours = Pick<
  Colours,
  | 'ground'
  | 'soft'
  | 'raised'
  | 'ink'
  | 'strong'
  | 'quiet'
  | 'link'
  | 'edge'
  | 'field'
  | 'button'
  | 'onButton'
  | 'buttonHover'
  | 'tick'
  | 'wrong'
> & { primary: string }

const [white, black] = ['#ffffff', '#000000']
const textContrast = 4.5
const controlContrast = 3

/**
 * The colours of each surface. They start from the palette and move towards white or black until texts have the
 * contrast of WCAG AA, so that every palette, also a careless one, gives readable blocks.
 */
export function surfaceColours(palette: Palette, scheme: Scheme): Record<Surface, SurfaceColours> {
  const colours = coloursOf(palette, scheme)
  const { primary, accent, light, dark } = palette
  const page = { ...colours, primary }
  const darkSurfaceColours = (ground: string) => ({
    ...page,
    soft: mix(ground, black, 0.25),
    raised: mix(ground, white, 0.08),
    ink: colours.onDeep,
    strong: white,
    quiet: mix(colours.onDeep, ground, 0.15),
    link: primary,
    field: primary,
    button: primary,
    onButton: colours.abyss,
    tick: primary,
    wrong: '#ff9a8d',
  })
  const deep = ensureContrast(colours.deep, [white], 9, black)
  // The lightest image is white.
  const onWhite = (scrim: string) => blend(scrim, scrimOpacity, white)
  const scrim = adjustUntil(colours.abyss, black, (candidate) => contrast(white, onWhite(candidate)) >= 6)
  const onAccent = readableExtreme([accent]) === white ? light : dark
  return {
    plain: surface(colours.ground, page),
    tinted: surface(colours.soft, { ...page, soft: colours.ground }),
    dark: surface(deep, darkSurfaceColours(deep)),
    accent: surface(accent, {
      ...page,
      soft: mix(accent, black, 0.15),
      raised: mix(accent, white, 0.1),
      ink: onAccent,
      strong: onAccent,
      quiet: onAccent,
      link: onAccent,
      field: onAccent,
      button: onAccent,
      onButton: colours.deep,
      tick: onAccent,
      primary: onAccent,
      wrong: onAccent,
    }),
    picture: surface(scrim, darkSurfaceColours(scrim), [onWhite(scrim), scrim]),
  }
}

/** @param backgrounds the colours that can be behind the text; by default only `ground` */
function surface(ground: string, wanted: Omit<SurfaceColours, 'ground'>, backgrounds = [ground]): SurfaceColours {
  const extreme = readableExtreme(backgrounds)
  const adjustPanel = (colour: string) =>
    adjustUntil(colour, ground, (candidate) => contrast(extreme, candidate) >= textContrast)
  const [soft, raised] = [adjustPanel(wanted.soft), adjustPanel(wanted.raised)]
  const all = [...backgrounds, soft, raised]
  const text = (colour: string) => ensureContrast(colour, all, textContrast, extreme)
  const button = ensureContrast(wanted.button, all, controlContrast, extreme)
  const onButton = ensureContrast(wanted.onButton, [button], textContrast, readableExtreme([button]))
  const ink = text(wanted.ink)
  return {
    ground,
    soft,
    raised,
    ink,
    strong: text(wanted.strong),
    quiet: text(wanted.quiet),
    link: text(wanted.link),
    edge: mix(ground, ink, 0.24),
    field: ensureContrast(wanted.field, all, controlContrast, extreme),
    button,
    onButton,
    buttonHover: mix(button, readableExtreme([button]) === white ? black : white, 0.22),
    tick: text(wanted.tick),
    wrong: text(wanted.wrong),
    primary: ensureContrast(wanted.primary, all, controlContrast, extreme),
  }
}

/** White or black: the one with more contrast to all of these. One of them always has 4.5 to a single colour. */
const readableExtreme = (backgrounds: readonly string[]): string =>
  lowest(white, backgrounds) >= lowest(black, backgrounds) ? white : black

const lowest = (colour: string, backgrounds: readonly string[]) =>
  Math.min(...backgrounds.map((one) => contrast(colour, one)))

const ensureContrast = (colour: string, backgrounds: readonly string[], least: number, extreme: string): string =>
  adjustUntil(colour, extreme, (candidate) => lowest(candidate, backgrounds) >= least)

/** The colour itself, or the first on the way to another one that is good enough. */
function adjustUntil(colour: string, towards: string, isGood: (candidate: string) => boolean): string {
  const steps = 20
  for (let step = 0; step < steps; step++) {
    const candidate = step === 0 ? colour : mix(colour, towards, step / steps)
    if (isGood(candidate)) return candidate
  }
  return towards
}

/** A translucent colour on another one, as browsers composite: in sRGB. */
export function blend(colour: string, opacity: number, below: string): string {
  const channel = (hex: string, at: number) => Number.parseInt(hex.slice(at, at + 2), 16)
  return `#${[1, 3, 5]
    .map((at) => Math.round(channel(colour, at) * opacity + channel(below, at) * (1 - opacity)))
    .map((value) => value.toString(16).padStart(2, '0'))
    .join('')}`
}
