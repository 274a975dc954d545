import type { SiteConfig } from './site-config.ts'

type Palette = SiteConfig['palette']
export type Scheme = 'light' | 'dark'

/**
 * All colours of the site in light or dark mode, as `#rrggbb`, derived from the five of the configuration. SVG images
 * need the values, so they are computed here; the stylesheet has them as custom properties of the same names:
 *
 * | name | what it colours |
 * |---|---|
 * | ground, soft, raised | the background of the page, of a tinted area, of a panel |
 * | ink, strong, quiet, link | text, headings, secondary text, links |
 * | edge, field | the border of a panel or table, of an input |
 * | button, onButton, buttonHover | a button, its text, a button under the pointer |
 * | deep, abyss, onDeep | a dark area, the darkest one such as the footer, text on either |
 * | tick, wrong | a check mark, an error |
 * | sky, skyLow, glow, sun, halo, far, bridge, lamp, lit, water1 to 5, shadow | the parts of an illustration |
 */
export function coloursOf(palette: Palette, scheme: Scheme): Colours {
  let cached = cache.get(palette)
  if (!cached) {
    cached = { light: mixColours(palette, 'light'), dark: mixColours(palette, 'dark') }
    cache.set(palette, cached)
  }
  return cached[scheme]
}

const cache = new WeakMap<Palette, Record<Scheme, Colours>>()

function mixColours({ primary, secondary, accent, light, dark }: Palette, scheme: Scheme) {
  const deep = mix(accent, '#00110c', 0.6)
  const abyss = mix(accent, '#000a07', 0.82)
  const day = {
    /** Background. */
    ground: light,
    soft: secondary,
    raised: light,
    /** Text. */
    ink: dark,
    strong: deep,
    quiet: mix(dark, light, 0.22),
    link: accent,
    /** Border. */
    edge: mix(secondary, accent, 0.2),
    /** Border of an input. */
    field: mix(accent, secondary, 0.31),
    button: accent,
    onButton: light,
    buttonHover: deep,
    deep,
    abyss,
    onDeep: secondary,
    /** Check mark. */
    tick: accent,
    sky: mix(light, secondary, 0.55),
    skyLow: mix(secondary, primary, 0.2),
    glow: '#fff6cf',
    sun: '#fffdf3',
    halo: '#fff6cf',
    far: mix(secondary, accent, 0.3),
    bridge: mix(secondary, accent, 0.72),
    lamp: mix(secondary, accent, 0.72),
    lit: primary,
    water1: mix(secondary, primary, 0.52),
    water2: primary,
    water3: mix(primary, accent, 0.72),
    water4: mix(accent, deep, 0.38),
    water5: deep,
    shadow: deep,
    wrong: '#b3261e',
  }
  if (scheme === 'light') return day
  const ground = mix(accent, '#030807', 0.88)
  const night: typeof day = {
    ...day,
    ground,
    soft: mix(ground, accent, 0.14),
    raised: mix(ground, accent, 0.26),
    ink: mix(secondary, light, 0.1),
    strong: light,
    quiet: mix(secondary, ground, 0.28),
    link: mix(primary, light, 0.28),
    edge: mix(ground, primary, 0.26),
    field: mix(ground, primary, 0.72),
    button: primary,
    onButton: mix(accent, '#000a07', 0.82),
    buttonHover: mix(primary, light, 0.35),
    deep: mix(accent, '#00110c', 0.66),
    abyss: mix(accent, '#000504', 0.92),
    onDeep: secondary,
    tick: primary,
    sky: mix(ground, '#000403', 0.35),
    skyLow: mix(ground, accent, 0.42),
    glow: '#fff3c4',
    sun: '#fffbe9',
    halo: mix(accent, '#fff3c4', 0.3),
    far: mix(ground, accent, 0.22),
    bridge: mix(ground, '#000403', 0.4),
    lamp: '#ffe9a3',
    lit: '#ffe9a3',
    water1: mix(ground, accent, 0.62),
    water2: mix(ground, accent, 0.46),
    water3: mix(ground, accent, 0.32),
    water4: mix(ground, accent, 0.16),
    water5: mix(ground, '#000403', 0.25),
    shadow: '#000000',
    wrong: '#ff9a8d',
  }
  return night
}

export type Colours = ReturnType<typeof mixColours>

/** Mixes two colours in the perceptually uniform Oklab space. `share`: of the second colour, from 0 to 1. */
export function mix(first: string, second: string, share: number): string {
  const [a, b] = [toOklab(first), toOklab(second)]
  return fromOklab(a.map((value, index) => value + ((b[index] ?? 0) - value) * share))
}

type Triple = [number, number, number]
const dot = (row: readonly number[], [x, y, z]: Triple) => (row[0] ?? 0) * x + (row[1] ?? 0) * y + (row[2] ?? 0) * z
const multiply = (matrix: readonly (readonly number[])[], vector: Triple) =>
  matrix.map((row) => dot(row, vector)) as Triple

// The matrices of Oklab (Björn Ottosson). `cone`: the responses of the eye's three kinds of cones (LMS).
const coneFromRgb = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
]
const labFromCone = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
]
const coneFromLab = [
  [1, 0.3963377774, 0.2158037573],
  [1, -0.1055613458, -0.0638541728],
  [1, -0.0894841775, -1.291485548],
]
const rgbFromCone = [
  [4.0767416621, -3.3077115913, 0.2309699292],
  [-1.2684380046, 2.6097574011, -0.3413193965],
  [-0.0041960863, -0.7034186147, 1.707614701],
]

/** Linear red, green and blue, each from 0 to 1, of `#rrggbb`. */
const linearRgb = (hex: string) =>
  [1, 3, 5].map((start) => {
    const value = Number.parseInt(hex.slice(start, start + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }) as Triple

function toOklab(hex: string): Triple {
  return multiply(labFromCone, multiply(coneFromRgb, linearRgb(hex)).map(Math.cbrt) as Triple)
}

function fromOklab(lab: number[]): string {
  const cone = multiply(coneFromLab, lab as Triple).map((value) => value ** 3) as Triple
  const rgb = multiply(rgbFromCone, cone).map((value) => {
    const encoded = value <= 0.0031308 ? 12.92 * value : 1.055 * Math.max(value, 0) ** (1 / 2.4) - 0.055
    return Math.round(Math.min(Math.max(encoded, 0), 1) * 255)
  })
  return `#${rgb.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

const luminance = (hex: string) => dot([0.2126, 0.7152, 0.0722], linearRgb(hex))

/** The contrast ratio as WCAG 2.2 defines it, from 1 to 21. */
export function contrast(first: string, second: string): number {
  const [darker = 0, lighter = 0] = [luminance(first), luminance(second)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

/**
 * Colours used on each other (`of` on `on`), the required contrast (WCAG), and the palette colours that they mainly derive
 * from: in light mode `from`, in dark mode `night` and the accent colour.
 */
const colourPairs = [
  { name: 'text', on: 'ground', of: 'ink', least: 4.5, from: ['dark', 'light'], night: 'secondary' },
  { name: 'textOnSoft', on: 'soft', of: 'ink', least: 4.5, from: ['dark', 'secondary'], night: 'secondary' },
  { name: 'quiet', on: 'ground', of: 'quiet', least: 4.5, from: ['dark', 'light'], night: 'secondary' },
  { name: 'quietOnSoft', on: 'soft', of: 'quiet', least: 4.5, from: ['dark', 'secondary'], night: 'secondary' },
  { name: 'heading', on: 'ground', of: 'strong', least: 4.5, from: ['accent', 'light'], night: 'light' },
  { name: 'link', on: 'ground', of: 'link', least: 4.5, from: ['accent', 'light'], night: 'primary' },
  { name: 'linkOnSoft', on: 'soft', of: 'link', least: 4.5, from: ['accent', 'secondary'], night: 'primary' },
  { name: 'button', on: 'button', of: 'onButton', least: 4.5, from: ['accent', 'light'], night: 'primary' },
  { name: 'buttonHover', on: 'buttonHover', of: 'onButton', least: 4.5, from: ['accent', 'light'], night: 'primary' },
  { name: 'onDeep', on: 'deep', of: 'onDeep', least: 4.5, from: ['secondary', 'accent'], night: 'secondary' },
  { name: 'field', on: 'raised', of: 'field', least: 3, from: ['accent', 'light'], night: 'primary' },
] as const satisfies {
  name: string
  on: keyof Colours
  of: keyof Colours
  least: number
  from: (keyof Palette)[]
  night: keyof Palette
}[]
type ColourPair = (typeof colourPairs)[number]

/** A colour pair below the required contrast, with its two colours, and the palette colours to change. */
interface LowContrastPair {
  pair: ColourPair
  scheme: Scheme
  from: readonly (keyof Palette)[]
  of: string
  on: string
  ratio: number
}

/** The pairs of a palette with too little contrast, in light and dark mode. */
export function lowContrastPairs(palette: Palette): LowContrastPair[] {
  return (['light', 'dark'] as const).flatMap((scheme) => {
    const colours = coloursOf(palette, scheme)
    return colourPairs
      .map((pair) => {
        const [of, on] = [colours[pair.of], colours[pair.on]]
        const from = scheme === 'light' ? pair.from : ([pair.night, 'accent'] as const)
        return { pair, scheme, from, of, on, ratio: contrast(of, on) }
      })
      .filter(({ pair, ratio }) => ratio < pair.least)
  })
}
