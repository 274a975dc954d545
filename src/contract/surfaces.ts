import { type Colours, coloursOf, contrast, mix, type Scheme } from './palette.ts'
import type { SiteConfig } from './site-config.ts'

type Palette = SiteConfig['palette']

/** The backgrounds that a block can be given. */
export const surfaces = ['plain', 'tinted', 'dark', 'accent', 'picture'] as const
export type Surface = (typeof surfaces)[number]

/** The opacity of the colour over the image of the surface `picture`, so that text on it can be read. */
export const scrimOpacity = 0.64

/** The colours on a surface; each replaces the page's colour of the same name. */
type SurfaceColours = Pick<
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
 * The colours of each surface, from the palette, adjusted towards white or black until texts have the contrast of WCAG
 * AA: blocks are readable with every palette.
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
    plain: createSurface(colours.ground, page),
    tinted: createSurface(colours.soft, { ...page, soft: colours.ground }),
    dark: createSurface(deep, darkSurfaceColours(deep)),
    accent: createSurface(accent, {
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
    picture: createSurface(scrim, darkSurfaceColours(scrim), [onWhite(scrim), scrim]),
  }
}

/** Adjusts the initial colours until they are readable on all backgrounds, those that can be behind a text. */
function createSurface(
  ground: string,
  initial: Omit<SurfaceColours, 'ground'>,
  backgrounds = [ground],
): SurfaceColours {
  const extreme = readableExtreme(backgrounds)
  const adjustPanel = (colour: string) =>
    adjustUntil(colour, ground, (candidate) => contrast(extreme, candidate) >= textContrast)
  const [soft, raised] = [adjustPanel(initial.soft), adjustPanel(initial.raised)]
  const allBackgrounds = [...backgrounds, soft, raised]
  const adjustText = (colour: string) => ensureContrast(colour, allBackgrounds, textContrast, extreme)
  const button = ensureContrast(initial.button, allBackgrounds, controlContrast, extreme)
  const onButton = ensureContrast(initial.onButton, [button], textContrast, readableExtreme([button]))
  const ink = adjustText(initial.ink)
  return {
    ground,
    soft,
    raised,
    ink,
    strong: adjustText(initial.strong),
    quiet: adjustText(initial.quiet),
    link: adjustText(initial.link),
    edge: mix(ground, ink, 0.24),
    field: ensureContrast(initial.field, allBackgrounds, controlContrast, extreme),
    button,
    onButton,
    buttonHover: mix(button, readableExtreme([button]) === white ? black : white, 0.22),
    tick: adjustText(initial.tick),
    wrong: adjustText(initial.wrong),
    primary: ensureContrast(initial.primary, allBackgrounds, controlContrast, extreme),
  }
}

/** White or black: the one with the best minimum contrast to the backgrounds. To a single one it is at least 4.5. */
const readableExtreme = (backgrounds: readonly string[]): string =>
  minContrast(white, backgrounds) >= minContrast(black, backgrounds) ? white : black

const minContrast = (colour: string, backgrounds: readonly string[]) =>
  Math.min(...backgrounds.map((background) => contrast(colour, background)))

const ensureContrast = (colour: string, backgrounds: readonly string[], required: number, extreme: string): string =>
  adjustUntil(colour, extreme, (candidate) => minContrast(candidate, backgrounds) >= required)

/** Mixes a colour with `towards` in twenty steps, and returns the first mixture that is good enough. */
function adjustUntil(colour: string, towards: string, isGood: (candidate: string) => boolean): string {
  const steps = 20
  for (let step = 0; step < steps; step++) {
    const candidate = step === 0 ? colour : mix(colour, towards, step / steps)
    if (isGood(candidate)) return candidate
  }
  return towards
}

/** The visible colour of a translucent colour over another one, composited in sRGB as browsers do. */
export function blend(colour: string, opacity: number, below: string): string {
  const channel = (hex: string, start: number) => Number.parseInt(hex.slice(start, start + 2), 16)
  return `#${[1, 3, 5]
    .map((start) => Math.round(channel(colour, start) * opacity + channel(below, start) * (1 - opacity)))
    .map((value) => value.toString(16).padStart(2, '0'))
    .join('')}`
}
