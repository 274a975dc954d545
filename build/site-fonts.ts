import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import subsetFont from 'subset-font'
import type { Plugin } from 'vite'
import { fallbackDescriptors, metricOverrides, readFamily, readMetrics } from './font-metrics.ts'

const facesId = 'virtual:site-fonts'
const filesId = 'virtual:image-fonts'
/** Raise when the way of subsetting changes: it invalidates the cached fonts. */
const recipe = 1

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index)).join('')

const ascii = range(0x20, 0x7e)
/** Characters of western European languages and typography, all of which staff may type. */
const latin = `${ascii}${range(0xa0, 0xff)}ıŒœĲĳŠšŸŽž‘’‚“”„‹›–—…•€™−←→↑↓↗`
const arabicScript = `${range(0x621, 0x63a)}${range(0x640, 0x655)}${range(0x660, 0x669)}${range(0x6f0, 0x6f9)}،؛؟ٰپچژکگھۀیے٪٫٬٭\u200c\u200d\u200e\u200f`
const asciiRange = 'U+20-7E,U+A0,U+AB,U+BB,U+2013-2014,U+2026,U+2066-2069,U+20AC'
const arabicRange = 'U+600-6FF,U+200C-200F'

const baseFeatures = ['kern', 'liga']
const arabicFeatures = [...baseFeatures, 'ccmp', 'locl', 'mark', 'mkmk', 'init', 'medi', 'fina', 'isol', 'rlig', 'calt']

interface Cut {
  package: string
  file: string
  text: string
  axes: Record<string, number | { min: number; max: number }>
  features: string[]
}

const cuts = {
  display: {
    package: 'bricolage-grotesque',
    file: 'latin-standard-normal',
    text: latin,
    axes: { opsz: 60, wdth: 94, wght: 700 },
    features: baseFeatures,
  },
  text: {
    package: 'instrument-sans',
    file: 'latin-wght-normal',
    text: latin,
    axes: { wght: 400 },
    features: baseFeatures,
  },
  /** On Persian pages the Latin font renders little more than the brand name. */
  displayAscii: {
    package: 'bricolage-grotesque',
    file: 'latin-standard-normal',
    text: ascii,
    axes: { opsz: 60, wdth: 94, wght: 700 },
    features: baseFeatures,
  },
  persian: {
    package: 'vazirmatn',
    file: 'arabic-wght-normal',
    text: arabicScript,
    axes: { wght: { min: 400, max: 800 } },
    features: arabicFeatures,
  },
  persianLatin: {
    package: 'vazirmatn',
    file: 'latin-wght-normal',
    text: `${ascii}\u00a0«»–—…€`,
    axes: { wght: 450 },
    features: baseFeatures,
  },
  persianBold: {
    package: 'vazirmatn',
    file: 'arabic-wght-normal',
    text: arabicScript,
    axes: { wght: 700 },
    features: arabicFeatures,
  },
  persianLatinBold: {
    package: 'vazirmatn',
    file: 'latin-wght-normal',
    text: latin,
    axes: { wght: 700 },
    features: baseFeatures,
  },
} satisfies Record<string, Cut>

const browserCuts = ['display', 'text', 'displayAscii', 'persian', 'persianLatin'] as const
/**
 * Persian fonts of Android and Linux, by PostScript name, and how much wider Vazirmatn sets the texts of this site, as
 * measured in Chromium. Without any of them the system chooses a font, and lines may break elsewhere until Vazirmatn
 * arrives.
 */
const persianFallbacks = [
  ['Site Persian Naskh', '400', ['NotoNaskhArabic-Regular', 'NotoNaskhArabicUI-Regular'], 1.096],
  ['Site Persian Naskh', '700', ['NotoNaskhArabic-Bold', 'NotoNaskhArabicUI-Bold'], 1.086],
  ['Site Persian Sans', '400', ['DejaVuSans'], 0.924],
  ['Site Persian Sans', '700', ['DejaVuSans-Bold'], 0.802],
] as const

/** Uncompressed, for the program that renders images with text. */
const imageCuts = ['display', 'persianBold', 'persianLatinBold'] as const

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
      const entries = await Promise.all(
        imageCuts.map(async (name) => {
          const font = await cutFont(cache, name, 'sfnt')
          const file =
            this.environment.mode === 'build'
              ? `join(import.meta.dirname, ${JSON.stringify(imageFontFile(name, font.bytes))})`
              : JSON.stringify(font.path)
          return `{ family: ${JSON.stringify(readFamily(font.bytes))}, file: ${file} }`
        }),
      )
      return `import { join } from 'node:path'\nexport const imageFonts = [${entries.join(', ')}]`
    },
    // Otherwise a server build emits no assets.
    configEnvironment: (name) => (name === 'ssr' ? { build: { emitAssets: true } } : undefined),
    async buildStart() {
      if (this.environment.mode !== 'build') return
      const forBrowser = this.environment.name === 'client'
      for (const name of forBrowser ? browserCuts : imageCuts) {
        const { bytes, url } = await cutFont(cache, name, forBrowser ? 'woff2' : 'sfnt')
        const fileName = forBrowser ? url.slice(1) : imageFontFile(name, bytes)
        this.emitFile({ type: 'asset', fileName, source: bytes })
      }
    },
    configureServer(server) {
      server.middlewares.use(async (request, response, next) => {
        const url = request.url?.split('?')[0] ?? ''
        if (!url.startsWith('/assets/') || !url.endsWith('.woff2')) return next()
        served ??= Promise.all(browserCuts.map((name) => cutFont(cache, name, 'woff2')))
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
  const url = async (name: keyof typeof cuts) => (await cutFont(cache, name, 'woff2')).url
  const metrics = async (name: keyof typeof cuts) => readMetrics((await cutFont(cache, name, 'sfnt')).bytes)
  const fontFace = (family: string, weight: string, source: string, more: string) =>
    `@font-face{font-family:"${family}";font-weight:${weight};src:${source}${more && `;${more}`}}`
  const file = async (family: string, weight: string, name: keyof typeof cuts, unicode?: string) =>
    fontFace(
      family,
      weight,
      `url(${await url(name)})format("woff2")`,
      `font-display:swap${unicode ? `;unicode-range:${unicode}` : ''}`,
    )
  const localFallback = async (family: string, weight: 'regular' | 'bold', name: keyof typeof cuts) =>
    fontFace(
      `${family} Local`,
      weight === 'bold' ? '700' : '400',
      locals(
        weight === 'bold'
          ? ['Arial Bold', 'Arial-BoldMT', 'Liberation Sans Bold', 'Roboto Bold']
          : ['Arial', 'ArialMT', 'Liberation Sans', 'Roboto'],
      ),
      fallbackDescriptors(await metrics(name), weight),
    )

  const persian = await metrics('persian')
  // With JavaScript the fonts are loaded after the first paint: see `src/enhance/first-paint.ts`.
  const withoutScript = (...faces: string[]) => `@media(scripting:none){${faces.join('')}}`
  const nl = [
    withoutScript(await file('Site Display', '700', 'display'), await file('Site Text', '400', 'text')),
    await localFallback('Site Display', 'bold', 'display'),
    await localFallback('Site Text', 'regular', 'text'),
  ]
  const fa = [
    withoutScript(
      await file('Site Persian', '400 800', 'persian', arabicRange),
      await file('Site Persian', '400 800', 'persianLatin', asciiRange),
      await file('Site Display', '700', 'displayAscii', 'U+20-7E'),
    ),
    await localFallback('Site Display', 'bold', 'display'),
    ...persianFallbacks.map(([family, weight, names, adjust]) =>
      fontFace(family, weight, locals(names), metricOverrides(persian, adjust)),
    ),
  ]
  return `export const fontFaces = ${JSON.stringify({ nl: nl.join(''), fa: fa.join('') })}`
}

const locals = (names: readonly string[]) => names.map((name) => `local("${name}")`).join()

const require = createRequire(import.meta.url)

/** A subset font, cached on disk. Its URL contains a hash of its bytes. */
async function cutFont(cache: string, name: keyof typeof cuts, format: 'woff2' | 'sfnt') {
  const cut: Cut = cuts[name]
  const source = await readFile(
    require.resolve(`@fontsource-variable/${cut.package}/files/${cut.package}-${cut.file}.woff2`),
  )
  const key = hash(source, JSON.stringify([recipe, cut, format]))
  const path = join(cache, `${name}-${key}.${format === 'sfnt' ? 'ttf' : format}`)
  const bytes = await readFile(path).catch(async () => {
    const made = await subsetFont(source, cut.text, {
      targetFormat: format,
      noHinting: true,
      keepFeatures: cut.features,
      variationAxes: cut.axes,
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
