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

const facesId = 'virtual:site-fonts'
const filesId = 'virtual:image-fonts'
/** Raise when the way of subsetting changes: it invalidates the cached fonts. */
const recipe = 3

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index)).join('')

const ascii = range(0x20, 0x7e)
/** Characters of western European languages and typography, all of which staff may type. */
const latin = `${ascii}${range(0xa0, 0xff)}ıŒœĲĳŠšŸŽž‘’‚“”„‹›–—…•€™−←→↑↓↗`
/** Of Persian and of the Arabic that it quotes; without the two letters of Urdu, which weigh 0.8 kB. */
const arabicScript = ` ${range(0x621, 0x63a)}${range(0x640, 0x655)}${range(0x660, 0x669)}${range(0x6f0, 0x6f9)}،؛؟ٰپچژکگۀی٪٫٬٭\u200c\u200d\u200e\u200f`
const asciiRange = 'U+20-7E,U+A0,U+AB,U+BB,U+2013-2014,U+2026,U+2066-2069,U+20AC'
const arabicRange = 'U+600-6FF,U+200C-200F'
/** With the space, where no Latin font has it. */
const arabicRangeAlone = `U+20,${arabicRange}`

const baseFeatures = ['kern', 'liga']
const arabicFeatures = [...baseFeatures, 'ccmp', 'locl', 'mark', 'mkmk', 'init', 'medi', 'fina', 'isol', 'rlig', 'calt']

/** Of the brand's name and Latin words in Persian headings; spaces and punctuation are those of the Persian font. */
const wordmarkText = `${range(0x2d, 0x39)}${range(0x40, 0x5a)}${range(0x61, 0x7a)}&'+`
const wordmarkRange = 'U+26-27,U+2B,U+2D-39,U+40-5A,U+61-7A'
/** Persian headings have no vowel signs but those that belong to the spelling. */
const persianHeadings = [...arabicScript]
  .filter((letter) => !/[\u0640\u064c-\u0650\u0652\u0653\u0655]/.test(letter))
  .join('')

interface Cut {
  package: string
  file: string
  text: string
  axes: Record<string, number | { min: number; max: number }>
  features: string[]
  /** Enlarges a font that is drawn smaller than others. */
  scale?: number
  /** The name of the font of the same family whose line metrics it gets. */
  lineOf?: string
}

type Axes = Cut['axes']
const latinCut = (name: string, axes: Axes, file = 'latin-wght-normal'): Cut => ({
  package: name.startsWith('@') ? name : `@fontsource-variable/${name}`,
  file,
  text: latin,
  axes,
  features: baseFeatures,
})
const persianCut = (name: string, axes: Axes, file = 'arabic-wght-normal'): Cut => ({
  ...latinCut(name, axes, file),
  text: arabicScript,
  features: arabicFeatures,
})
const weights = (min: number, max: number): Axes => ({ wght: { min, max } })

interface Pair {
  display: Cut
  text: Cut
  /** Whether system fonts with serifs stand in for the texts, and for the headings. */
  serif?: { display?: boolean; text?: boolean }
  persian: {
    /** How much wider it sets the texts of this site than Vazirmatn 400, as measured in Chromium. */
    text: Cut & { width: number }
    /** Omitted: the same file as the text. `width` is compared with Vazirmatn 700. */
    display?: Cut & { width: number }
    /** The weight and width of headings that use the file of the text. */
    heavy?: { weight: number; width: number }
    /** Latin words in Persian texts, where the budget leaves room; otherwise a system font. */
    latin?: Cut
  }
}

/** Each page loads the fonts of one pair in its own language: at most three files, together at most 40 KB. */
const pairs: Record<FontPair, Pair> = {
  grotesque: {
    display: latinCut('bricolage-grotesque', { opsz: 60, wdth: 94, wght: 700 }, 'latin-standard-normal'),
    text: latinCut('instrument-sans', { wght: 400 }),
    persian: {
      text: { ...persianCut('vazirmatn', weights(400, 900)), width: 1 },
      heavy: { weight: 900, width: 1.014 },
      latin: latinCut('vazirmatn', { wght: 450 }),
    },
  },
  geometric: {
    display: latinCut('outfit', { wght: 700 }),
    text: latinCut('figtree', { wght: 400 }),
    persian: {
      text: { ...persianCut('estedad', weights(400, 800)), width: 1.021 },
      heavy: { weight: 800, width: 1.048 },
      latin: latinCut('figtree', { wght: 400 }),
    },
  },
  humanist: {
    display: { ...latinCut('@fontsource/alegreya-sans', {}, 'latin-800-normal'), scale: 1.05 },
    text: { ...latinCut('source-sans-3', { wght: 400 }), scale: 1.05 },
    persian: {
      text: { ...persianCut('noto-sans-arabic', weights(400, 700)), width: 1.008 },
      heavy: { weight: 700, width: 1.111 },
      latin: latinCut('source-sans-3', { wght: 400 }),
    },
  },
  editorial: {
    display: latinCut('fraunces', { wght: 620, opsz: 60, SOFT: 0, WONK: 0 }, 'latin-full-normal'),
    text: { ...latinCut('newsreader', { wght: 400, opsz: 16 }, 'latin-standard-normal'), scale: 1.07 },
    serif: { display: true, text: true },
    persian: {
      display: { ...persianCut('markazi-text', { wght: 700 }), text: persianHeadings, scale: 1.2, width: 0.976 },
      text: { ...persianCut('noto-naskh-arabic', { wght: 400 }), scale: 1.1, width: 1.0 },
    },
  },
  rounded: {
    display: latinCut('baloo-2', { wght: 700 }),
    text: latinCut('nunito', { wght: 430 }),
    persian: {
      display: { ...persianCut('baloo-bhaijaan-2', { wght: 700 }), text: persianHeadings, width: 1.053 },
      text: { ...persianCut('vazirmatn', { wght: 400 }), width: 1 },
    },
  },
  condensed: {
    display: latinCut('archivo', { wght: 800, wdth: 72 }, 'latin-standard-normal'),
    text: latinCut('archivo', { wght: 400, wdth: 100 }, 'latin-standard-normal'),
    persian: {
      display: {
        ...persianCut('@fontsource/lalezar', {}, 'arabic-400-normal'),
        text: persianHeadings,
        scale: 1.1,
        width: 0.962,
      },
      text: { ...persianCut('vazirmatn', { wght: 400 }), width: 1 },
    },
  },
  classic: {
    display: latinCut('playfair-display', { wght: 650 }),
    text: latinCut('source-serif-4', { wght: 400, opsz: 14 }, 'latin-standard-normal'),
    serif: { display: true, text: true },
    persian: {
      text: { ...persianCut('noto-naskh-arabic', weights(400, 700)), scale: 1.1, width: 1.0 },
      heavy: { weight: 700, width: 1.015 },
    },
  },
}

/** The files of all pairs by name; a name begins with that of its pair. */
const browserCuts: Record<string, Cut> = Object.fromEntries(
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
            // Without kerning and ligatures, which no one misses in a few small words: a kilobyte less.
            { ...persian.latin, text: `${ascii}\u00a0«»–—…€`, features: [], lineOf: `${name}-persian` },
          ],
        ]
      : []),
  ]),
)

/**
 * Persian fonts of Android and Linux, by PostScript name, and how much wider Vazirmatn sets the texts of this site, as
 * measured in Chromium. Without any of them the system chooses a font, and lines may break elsewhere until Vazirmatn
 * arrives.
 */
const persianFallbacks = [
  ['Naskh', '400', ['NotoNaskhArabic-Regular', 'NotoNaskhArabicUI-Regular'], 1.096],
  ['Naskh', '700', ['NotoNaskhArabic-Bold', 'NotoNaskhArabicUI-Bold'], 1.086],
  ['Sans', '400', ['DejaVuSans'], 0.924],
  ['Sans', '700', ['DejaVuSans-Bold'], 0.802],
] as const

/** The fonts of headings, uncompressed, for the program that renders images with text. */
const imageCuts: Record<string, Cut> = Object.fromEntries(
  Object.entries(pairs).flatMap(
    ([
      name,
      {
        display,
        persian: { text, display: own, heavy },
      },
    ]) => [
      [`${name}-image`, display],
      [`${name}-image-persian`, own ?? { ...text, axes: { wght: heavy?.weight ?? 400 } }],
    ],
  ),
)
const cuts = { ...browserCuts, ...imageCuts }

/** Subsets the site's fonts to the characters of its languages, for the browser, the server and the image renderer. */
export function siteFonts(): Plugin {
  let cache = ''
  let served: Promise<{ url: string; bytes: Buffer }[]> | undefined
  return {
    name: 'etalage:site-fonts',
    configResolved(config) {
      cache = resolve(config.root, 'node_modules/.cache/site-fonts')
    },
    resolveId: (source) => (source === facesId || source === filesId ? `\0${source}` : undefined),
    async load(id) {
      if (id === `\0${facesId}`) return fontFacesModule(cache)
      if (id !== `\0${filesId}`) return
      const entryOf = async (name: string) => {
        const font = await cutFont(cache, name, 'sfnt')
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
    // Otherwise a server build emits no assets.
    configEnvironment: (name) => (name === 'ssr' ? { build: { emitAssets: true } } : undefined),
    async buildStart() {
      if (this.environment.mode !== 'build') return
      const forBrowser = this.environment.name === 'client'
      for (const name of Object.keys(forBrowser ? browserCuts : imageCuts)) {
        const { bytes, url } = await cutFont(cache, name, forBrowser ? 'woff2' : 'sfnt')
        const fileName = forBrowser ? url.slice(1) : imageFontFile(name, bytes)
        this.emitFile({ type: 'asset', fileName, source: bytes })
      }
    },
    configureServer(server) {
      server.middlewares.use(async (request, response, next) => {
        const url = request.url?.split('?')[0] ?? ''
        if (!url.startsWith('/assets/') || !url.endsWith('.woff2')) return next()
        served ??= Promise.all(Object.keys(browserCuts).map((name) => cutFont(cache, name, 'woff2')))
        const bytes = (await served).find((font) => font.url === url)?.bytes
        if (!bytes) return next()
        response.setHeader('Content-Type', 'font/woff2')
        response.end(bytes)
      })
    },
  }
}

/** The server looks for these files beside its own code. */
const imageFontFile = (name: string, bytes: Buffer) => `fonts/${name}-${hash(bytes)}.ttf`

async function fontFacesModule(cache: string): Promise<string> {
  const faces = await Promise.all(
    Object.entries(pairs).map(async ([name, pair]) => [name, await pairFaces(cache, name, pair)] as const),
  )
  return `export const fontFaces = ${JSON.stringify(Object.fromEntries(faces))}`
}

async function pairFaces(cache: string, pair: string, { serif, persian }: Pair) {
  const url = async (name: string) => (await cutFont(cache, `${pair}-${name}`, 'woff2')).url
  const metrics = async (name: string) => readMetrics((await cutFont(cache, `${pair}-${name}`, 'sfnt')).bytes)
  const file = async (family: string, weight: string, name: string, unicode?: string) =>
    fontFace(
      family,
      weight,
      `url(${await url(name)})format("woff2")`,
      `font-display:swap${unicode ? `;unicode-range:${unicode}` : ''}`,
    )
  // A browser without the serif takes the other, in the same room.
  const standIns = async (family: string, weight: 'regular' | 'bold', name: string, withSerif: boolean | undefined) =>
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
  const display = await standIns('Site Display', 'bold', 'display', serif?.display)
  const nl = [
    withoutScript(await file('Site Display', '700', 'display'), await file('Site Text', '400', 'text')),
    ...display,
    ...(await standIns('Site Text', 'regular', 'text', serif?.text)),
  ]

  const { heavy } = persian
  const textWeights = heavy ? `400 ${heavy.weight}` : '400'
  const persianStandIns = (family: string, ofFont: FontMetrics, width: (weight: string) => number | undefined) =>
    persianFallbacks.flatMap(([suffix, weight, names, adjust]) => {
      const wider = width(weight)
      return wider === undefined
        ? []
        : fontFace(`${family} ${suffix}`, weight, locals(names), metricOverrides(ofFont, adjust * wider))
    })
  // Persian fonts of the system have wider Latin letters.
  const latinStandIn = async () => {
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
      await file('Site Persian', textWeights, 'persian', persian.latin ? arabicRange : arabicRangeAlone),
      ...(persian.display ? [await file('Site Persian Display', '700', 'persian-display', arabicRangeAlone)] : []),
      ...(persian.latin ? [await file('Site Persian', textWeights, 'persian-latin', asciiRange)] : []),
      await file('Site Display', '700', 'wordmark', wordmarkRange),
    ),
    ...display,
    ...(persian.latin ? [await latinStandIn()] : []),
    ...persianStandIns('Site Persian', await metrics('persian'), (weight) =>
      weight === '400' ? persian.text.width : heavy?.width,
    ),
    ...(persian.display
      ? persianStandIns('Site Persian Display', await metrics('persian-display'), (weight) =>
          weight === '400' ? undefined : persian.display?.width,
        )
      : []),
    `:root{--heavy:${heavy?.weight ?? 700}}`,
  ]
  return { nl: nl.join(''), fa: fa.join('') }
}

const fontFace = (family: string, weight: string, source: string, more: string) =>
  `@font-face{font-family:"${family}";font-weight:${weight};src:${source}${more && `;${more}`}}`

/** Metric twins of Arial and of Times, by PostScript or full name. */
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
async function cutFont(cache: string, name: string, format: 'woff2' | 'sfnt') {
  const cut = cuts[name]
  if (!cut) throw new Error(`There is no font ${name}`)
  const source = await readFile(
    require.resolve(`${cut.package}/files/${cut.package.split('/').pop()}-${cut.file}.woff2`),
  )
  const line = cut.lineOf && readMetrics((await cutFont(cache, cut.lineOf, 'sfnt')).bytes)
  const key = hash(source, JSON.stringify([recipe, cut, line, format]))
  const path = join(cache, `${name}-${key}.${format === 'sfnt' ? 'ttf' : format}`)
  const bytes = await readFile(path).catch(async () => {
    const options = { noHinting: true, keepFeatures: cut.features }
    const inAxes = { ...options, variationAxes: cut.axes }
    let changed: Buffer | undefined
    if (cut.scale || line) {
      changed = await subsetFont(source, cut.text, { ...inAxes, targetFormat: 'sfnt' })
      if (cut.scale) changed = enlarge(changed, cut.scale)
      if (line) changed = withLineMetrics(changed, line)
    }
    const made = await subsetFont(changed ?? source, cut.text, {
      ...(changed ? options : inAxes),
      targetFormat: format,
    })
    await mkdir(cache, { recursive: true })
    // Written under a temporary name and renamed, so that an interrupted build leaves no partial font in the cache.
    const temporaryPath = `${path}.${randomUUID()}`
    await writeFile(temporaryPath, made)
    await rename(temporaryPath, path)
    return made
  })
  return { path, bytes, url: `/assets/${name}-${hash(bytes)}.woff2` }
}

const hash = (...parts: (Buffer | string)[]) =>
  parts
    .reduce((sum, part) => sum.update(part), createHash('sha256'))
    .digest('hex')
    .slice(0, 10)
