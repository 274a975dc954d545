import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import subsetFont from 'subset-font'
import type { Plugin } from 'vite'
import type { FontPair } from '../src/contract/config-choices.ts'
import {
  enlarge,
  type FontMetrics,
  fallbackDescriptors,
  metricOverrides,
  readFamily,
  readMetrics,
  withLineMetrics,
} from './font-metrics.ts'

const fontFacesId = 'virtual:site-fonts'
const imageFontsId = 'virtual:image-fonts'
/** Part of the cache key: increase it when the way of subsetting changes. */
const cacheVersion = 3

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index)).join('')

const ascii = range(0x20, 0x7e)
/** The characters of western European languages and typography, all of which editors may type. */
const latin = `${ascii}${range(0xa0, 0xff)}ıŒœĲĳŠšŸŽž‘’‚“”„‹›–—…•€™−←→↑↓↗`
/** The characters of Persian and of quoted Arabic, without the two letters of Urdu, which would add 0.8 kB. */
const arabicScript = ` ${range(0x621, 0x63a)}${range(0x640, 0x655)}${range(0x660, 0x669)}${range(0x6f0, 0x6f9)}،؛؟ٰپچژکگۀی٪٫٬٭\u200c\u200d\u200e\u200f`
const asciiRange = 'U+20-7E,U+A0,U+AB,U+BB,U+2013-2014,U+2026,U+2066-2069,U+20AC'
const arabicRange = 'U+600-6FF,U+200C-200F'
/** With the space, for pairs without a Latin font in Persian texts. */
const arabicAndSpace = `U+20,${arabicRange}`

const baseFeatures = ['kern', 'liga']
const arabicFeatures = [...baseFeatures, 'ccmp', 'locl', 'mark', 'mkmk', 'init', 'medi', 'fina', 'isol', 'rlig', 'calt']

/** The characters of Latin words in Persian headings; spaces and punctuation are those of the Persian font. */
const wordmarkText = `${range(0x2d, 0x39)}${range(0x40, 0x5a)}${range(0x61, 0x7a)}&'+`
const wordmarkRange = 'U+26-27,U+2B,U+2D-39,U+40-5A,U+61-7A'
/** The characters of Persian headings: without optional vowel signs. */
const persianHeadings = [...arabicScript]
  .filter((character) => !/[\u0640\u064c-\u0650\u0652\u0653\u0655]/.test(character))
  .join('')

/** A subset of a font file: some of its characters, and fixed or limited variation axes. */
interface FontSubset {
  package: string
  file: string
  text: string
  axes: Record<string, number | { min: number; max: number }>
  features: string[]
  /** Enlarges the glyphs of a font that looks smaller than others at the same size. */
  scale?: number
  /** The name of the subset of the same font family whose line metrics this one gets. */
  lineMetricsOf?: string
}

type Axes = FontSubset['axes']
const latinSubset = (name: string, axes: Axes, file = 'latin-wght-normal'): FontSubset => ({
  package: name.startsWith('@') ? name : `@fontsource-variable/${name}`,
  file,
  text: latin,
  axes,
  features: baseFeatures,
})
const persianSubset = (name: string, axes: Axes, file = 'arabic-wght-normal'): FontSubset => ({
  ...latinSubset(name, axes, file),
  text: arabicScript,
  features: arabicFeatures,
})
const weights = (min: number, max: number): Axes => ({ wght: { min, max } })

interface Pair {
  /** For headings and for texts, in languages with Latin script. */
  display: FontSubset
  text: FontSubset
  /** Whether the fallback fonts of the system have serifs. */
  serif?: { display?: boolean; text?: boolean }
  persian: {
    /** `width`: of the texts of this site in this font, relative to Vazirmatn 400, measured in Chromium. */
    text: FontSubset & { width: number }
    /** Omitted: headings use the file of the text. `width`: relative to Vazirmatn 700. */
    display?: FontSubset & { width: number }
    /** The weight of headings that use the file of the text, and their width relative to Vazirmatn 700. */
    heavy?: { weight: number; width: number }
    /** For Latin words in Persian texts, where the limit of 40 KB allows it; otherwise a system font. */
    latin?: FontSubset
  }
}

/** The font pairs. A page loads those of one pair for its language: at most three files, together at most 40 KB. */
const pairs: Record<FontPair, Pair> = {
  grotesque: {
    display: latinSubset('bricolage-grotesque', { opsz: 60, wdth: 94, wght: 700 }, 'latin-standard-normal'),
    text: latinSubset('instrument-sans', { wght: 400 }),
    persian: {
      text: { ...persianSubset('vazirmatn', weights(400, 900)), width: 1 },
      heavy: { weight: 900, width: 1.014 },
      latin: latinSubset('vazirmatn', { wght: 450 }),
    },
  },
  geometric: {
    display: latinSubset('outfit', { wght: 700 }),
    text: latinSubset('figtree', { wght: 400 }),
    persian: {
      text: { ...persianSubset('estedad', weights(400, 800)), width: 1.021 },
      heavy: { weight: 800, width: 1.048 },
      latin: latinSubset('figtree', { wght: 400 }),
    },
  },
  humanist: {
    display: { ...latinSubset('@fontsource/alegreya-sans', {}, 'latin-800-normal'), scale: 1.05 },
    text: { ...latinSubset('source-sans-3', { wght: 400 }), scale: 1.05 },
    persian: {
      text: { ...persianSubset('noto-sans-arabic', weights(400, 700)), width: 1.008 },
      heavy: { weight: 700, width: 1.111 },
      latin: latinSubset('source-sans-3', { wght: 400 }),
    },
  },
  editorial: {
    display: latinSubset('fraunces', { wght: 620, opsz: 60, SOFT: 0, WONK: 0 }, 'latin-full-normal'),
    text: { ...latinSubset('newsreader', { wght: 400, opsz: 16 }, 'latin-standard-normal'), scale: 1.07 },
    serif: { display: true, text: true },
    persian: {
      display: { ...persianSubset('markazi-text', { wght: 700 }), text: persianHeadings, scale: 1.2, width: 0.976 },
      text: { ...persianSubset('noto-naskh-arabic', { wght: 400 }), scale: 1.1, width: 1.0 },
    },
  },
  rounded: {
    display: latinSubset('baloo-2', { wght: 700 }),
    text: latinSubset('nunito', { wght: 430 }),
    persian: {
      display: { ...persianSubset('baloo-bhaijaan-2', { wght: 700 }), text: persianHeadings, width: 1.053 },
      text: { ...persianSubset('vazirmatn', { wght: 400 }), width: 1 },
    },
  },
  condensed: {
    display: latinSubset('archivo', { wght: 800, wdth: 72 }, 'latin-standard-normal'),
    text: latinSubset('archivo', { wght: 400, wdth: 100 }, 'latin-standard-normal'),
    persian: {
      display: {
        ...persianSubset('@fontsource/lalezar', {}, 'arabic-400-normal'),
        text: persianHeadings,
        scale: 1.1,
        width: 0.962,
      },
      text: { ...persianSubset('vazirmatn', { wght: 400 }), width: 1 },
    },
  },
  classic: {
    display: latinSubset('playfair-display', { wght: 650 }),
    text: latinSubset('source-serif-4', { wght: 400, opsz: 14 }, 'latin-standard-normal'),
    serif: { display: true, text: true },
    persian: {
      text: { ...persianSubset('noto-naskh-arabic', weights(400, 700)), scale: 1.1, width: 1.0 },
      heavy: { weight: 700, width: 1.015 },
    },
  },
}

/** The font files for browsers by name, which begins with the name of the pair. */
const browserSubsets: Record<string, FontSubset> = Object.fromEntries(
  Object.entries(pairs).flatMap(([name, { display, text, persian }]) => [
    [`${name}-display`, display],
    [`${name}-text`, text],
    [`${name}-wordmark`, { ...display, text: wordmarkText }],
    [`${name}-persian`, persian.text],
    ...(persian.display ? [[`${name}-persian-display`, persian.display]] : []),
    ...(persian.latin
      ? [
          [
            `${name}-persian-latin`,
            // Without kerning and ligatures, which hardly matter in a few words: saves a kilobyte.
            { ...persian.latin, text: `${ascii}\u00a0«»–—…€`, features: [], lineMetricsOf: `${name}-persian` },
          ],
        ]
      : []),
  ]),
)

/**
 * Persian fonts of Android and Linux: suffix of the family, weight, PostScript names, and the width of this site's
 * texts in Vazirmatn relative to them, measured in Chromium. Without any of them the system chooses a fallback, and
 * lines may break elsewhere until the web font is loaded.
 */
const persianFallbacks = [
  ['Naskh', '400', ['NotoNaskhArabic-Regular', 'NotoNaskhArabicUI-Regular'], 1.096],
  ['Naskh', '700', ['NotoNaskhArabic-Bold', 'NotoNaskhArabicUI-Bold'], 1.086],
  ['Sans', '400', ['DejaVuSans'], 0.924],
  ['Sans', '700', ['DejaVuSans-Bold'], 0.802],
] as const

/** The fonts of headings, uncompressed, for the renderer of images with text. */
const imageSubsets: Record<string, FontSubset> = Object.fromEntries(
  Object.entries(pairs).flatMap(([name, { display, persian }]) => [
    [`${name}-image`, display],
    [`${name}-image-persian`, persian.display ?? { ...persian.text, axes: { wght: persian.heavy?.weight ?? 400 } }],
  ]),
)
const subsets = { ...browserSubsets, ...imageSubsets }

/** Subsets the fonts of the site to the characters of its languages, for browsers and for the image renderer. */
export function siteFonts(): Plugin {
  let cache = ''
  let served: Promise<{ url: string; bytes: Buffer }[]> | undefined
  return {
    name: 'etalage:site-fonts',
    configResolved(config) {
      cache = resolve(config.root, 'node_modules/.cache/site-fonts')
    },
    resolveId: (source) => (source === fontFacesId || source === imageFontsId ? `\0${source}` : undefined),
    async load(id) {
      if (id === `\0${fontFacesId}`) return fontFacesModule(cache)
      if (id !== `\0${imageFontsId}`) return
      const entryOf = async (name: string) => {
        const font = await createSubset(cache, name, 'sfnt')
        const file =
          this.environment.mode === 'build'
            ? `join(import.meta.dirname, ${JSON.stringify(imageFontFile(name, font.bytes))})`
            : JSON.stringify(font.path)
        return `{ family: ${JSON.stringify(readFamily(font.bytes))}, file: ${file} }`
      }
      const entries = await Promise.all(
        Object.keys(pairs).map(
          async (pair) =>
            `${pair}: { display: ${await entryOf(`${pair}-image`)}, persian: ${await entryOf(`${pair}-image-persian`)} }`,
        ),
      )
      return `import { join } from 'node:path'\nexport const imageFonts = { ${entries.join(', ')} }`
    },
    // By default a server build emits no assets.
    configEnvironment: (name) => (name === 'ssr' ? { build: { emitAssets: true } } : undefined),
    async buildStart() {
      if (this.environment.mode !== 'build') return
      const forBrowser = this.environment.name === 'client'
      for (const name of Object.keys(forBrowser ? browserSubsets : imageSubsets)) {
        const { bytes, url } = await createSubset(cache, name, forBrowser ? 'woff2' : 'sfnt')
        const fileName = forBrowser ? url.slice(1) : imageFontFile(name, bytes)
        this.emitFile({ type: 'asset', fileName, source: bytes })
      }
    },
    configureServer(server) {
      server.middlewares.use(async (request, response, next) => {
        const url = request.url?.split('?')[0] ?? ''
        if (!url.startsWith('/assets/') || !url.endsWith('.woff2')) return next()
        served ??= Promise.all(Object.keys(browserSubsets).map((name) => createSubset(cache, name, 'woff2')))
        const bytes = (await served).find((font) => font.url === url)?.bytes
        if (!bytes) return next()
        response.setHeader('Content-Type', 'font/woff2')
        response.end(bytes)
      })
    },
  }
}

/** The path of an image font, relative to the built server. */
const imageFontFile = (name: string, bytes: Buffer) => `fonts/${name}-${hash(bytes)}.ttf`

async function fontFacesModule(cache: string): Promise<string> {
  const faces = await Promise.all(
    Object.entries(pairs).map(async ([name, pair]) => [name, await pairFaces(cache, name, pair)] as const),
  )
  return `export const fontFaces = ${JSON.stringify(Object.fromEntries(faces))}`
}

/** The `@font-face` rules of a pair: for languages with Latin script (`nl`) and for Persian (`fa`). */
async function pairFaces(cache: string, pair: string, { serif, persian }: Pair) {
  const url = async (name: string) => (await createSubset(cache, `${pair}-${name}`, 'woff2')).url
  const metrics = async (name: string) => readMetrics((await createSubset(cache, `${pair}-${name}`, 'sfnt')).bytes)
  const webFont = async (family: string, weight: string, name: string, unicodeRange?: string) =>
    fontFace(
      family,
      weight,
      `url(${await url(name)})format("woff2")`,
      `font-display:swap${unicodeRange ? `;unicode-range:${unicodeRange}` : ''}`,
    )
  // A browser without Times uses Arial, adjusted to the same metrics.
  const fallbacks = async (family: string, weight: 'regular' | 'bold', name: string, withSerif: boolean | undefined) =>
    Promise.all(
      (withSerif ? (['times', 'arial'] as const) : (['arial'] as const)).map(async (kind) =>
        fontFace(
          `${family} ${kind === 'times' ? 'Serif' : 'Local'}`,
          weight === 'bold' ? '700' : '400',
          locals(localFonts[kind][weight]),
          fallbackDescriptors(await metrics(name), kind, weight),
        ),
      ),
    )

  // With JavaScript the fonts are loaded after the first paint: see `src/enhance/first-paint.ts`.
  const withoutScript = (...faces: string[]) => `@media(scripting:none){${faces.join('')}}`
  const display = await fallbacks('Site Display', 'bold', 'display', serif?.display)
  const nl = [
    withoutScript(await webFont('Site Display', '700', 'display'), await webFont('Site Text', '400', 'text')),
    ...display,
    ...(await fallbacks('Site Text', 'regular', 'text', serif?.text)),
  ]

  const { heavy } = persian
  const textWeights = heavy ? `400 ${heavy.weight}` : '400'
  const persianFallbackFaces = (family: string, target: FontMetrics, widthOf: (weight: string) => number | undefined) =>
    persianFallbacks.flatMap(([suffix, weight, names, vazirmatnWidth]) => {
      const width = widthOf(weight)
      return width === undefined
        ? []
        : fontFace(`${family} ${suffix}`, weight, locals(names), metricOverrides(target, vazirmatnWidth * width))
    })
  // A Latin fallback too, because the Persian fonts of systems have wider Latin letters.
  const latinFallback = async () => {
    const { meanWidth } = await metrics('persian-latin')
    const descriptors = fallbackDescriptors({ ...(await metrics('persian')), meanWidth }, 'arial', 'regular')
    return fontFace(
      'Site Persian Local',
      '400',
      locals(localFonts.arial.regular),
      `${descriptors};unicode-range:${wordmarkRange}`,
    )
  }
  const fa = [
    withoutScript(
      await webFont('Site Persian', textWeights, 'persian', persian.latin ? arabicRange : arabicAndSpace),
      ...(persian.display ? [await webFont('Site Persian Display', '700', 'persian-display', arabicAndSpace)] : []),
      ...(persian.latin ? [await webFont('Site Persian', textWeights, 'persian-latin', asciiRange)] : []),
      await webFont('Site Display', '700', 'wordmark', wordmarkRange),
    ),
    ...display,
    ...(persian.latin ? [await latinFallback()] : []),
    ...persianFallbackFaces('Site Persian', await metrics('persian'), (weight) =>
      weight === '400' ? persian.text.width : heavy?.width,
    ),
    ...(persian.display
      ? persianFallbackFaces('Site Persian Display', await metrics('persian-display'), (weight) =>
          weight === '400' ? undefined : persian.display?.width,
        )
      : []),
    `:root{--heavy:${heavy?.weight ?? 700}}`,
  ]
  return { nl: nl.join(''), fa: fa.join('') }
}

const fontFace = (family: string, weight: string, source: string, descriptors: string) =>
  `@font-face{font-family:"${family}";font-weight:${weight};src:${source}${descriptors && `;${descriptors}`}}`

/** Fonts with the metrics of Arial and of Times, by PostScript or full name. */
const localFonts = {
  arial: {
    regular: ['Arial', 'ArialMT', 'Liberation Sans', 'Roboto'],
    bold: ['Arial Bold', 'Arial-BoldMT', 'Liberation Sans Bold', 'Roboto Bold'],
  },
  times: {
    regular: ['Times New Roman', 'TimesNewRomanPSMT', 'Liberation Serif'],
    bold: ['Times New Roman Bold', 'TimesNewRomanPS-BoldMT', 'Liberation Serif Bold'],
  },
}

const locals = (names: readonly string[]) => names.map((name) => `local("${name}")`).join()

const require = createRequire(import.meta.url)

/** A subset font, cached on disk. Its URL contains a hash of its bytes. */
async function createSubset(cache: string, name: string, format: 'woff2' | 'sfnt') {
  const subset = subsets[name]
  if (!subset) throw new Error(`There is no font ${name}`)
  const source = await readFile(
    require.resolve(`${subset.package}/files/${subset.package.split('/').pop()}-${subset.file}.woff2`),
  )
  const { lineMetricsOf } = subset
  const lineMetrics = lineMetricsOf && readMetrics((await createSubset(cache, lineMetricsOf, 'sfnt')).bytes)
  const key = hash(source, JSON.stringify([cacheVersion, subset, lineMetrics, format]))
  const path = join(cache, `${name}-${key}.${format === 'sfnt' ? 'ttf' : format}`)
  const bytes = await readFile(path).catch(async () => {
    const options = { noHinting: true, keepFeatures: subset.features }
    const withAxes = { ...options, variationAxes: subset.axes }
    // Metrics are changed in an uncompressed font, whose axes are fixed already.
    let adjusted: Buffer | undefined
    if (subset.scale || lineMetrics) {
      adjusted = await subsetFont(source, subset.text, { ...withAxes, targetFormat: 'sfnt' })
      if (subset.scale) adjusted = enlarge(adjusted, subset.scale)
      if (lineMetrics) adjusted = withLineMetrics(adjusted, lineMetrics)
    }
    const result = await subsetFont(adjusted ?? source, subset.text, {
      ...(adjusted ? options : withAxes),
      targetFormat: format,
    })
    await mkdir(cache, { recursive: true })
    // Renamed when complete, so that an interrupted build leaves no partial font in the cache.
    const temporaryPath = `${path}.${randomUUID()}`
    await writeFile(temporaryPath, result)
    await rename(temporaryPath, path)
    return result
  })
  return { path, bytes, url: `/assets/${name}-${hash(bytes)}.woff2` }
}

const hash = (...parts: (Buffer | string)[]) =>
  parts
    .reduce((sum, part) => sum.update(part), createHash('sha256'))
    .digest('hex')
    .slice(0, 10)
