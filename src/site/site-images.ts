import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { imageFonts } from 'virtual:image-fonts'
import { illustrationOf } from '../blocks/illustrations.ts'
import { escapeHtml } from '../blocks/render-text.tsx'
import { defaultAppearance } from '../contract/config-choices.ts'
import { Refusal } from '../contract/errors.ts'
import { dayMs } from '../contract/limits.ts'
import { contentDirection, isPersian, type Locale, localized, rootLocaleOf, splitLocale } from '../contract/locales.ts'
import { coloursOf } from '../contract/palette.ts'
import { fillPlaceholders, placeholdersOf } from '../contract/placeholders.ts'
import type { SiteConfig } from '../contract/site-config.ts'
import { buildCachedResponse, type CachedResponse } from '../http/page-cache.ts'
import { contentType } from '../http/public-files.ts'
import { securityHeaders } from '../http/security-headers.ts'
import type { Context } from '../platform/context.ts'
import type { ImageToRender } from '../platform/images/image-tasks.ts'
import type { ImageWorker } from '../platform/images/image-worker.ts'
import type { Log } from '../platform/log/log.ts'
import { isUploadedLogo, type LogoContext, readLogoSvg } from './logo.ts'

/** How long after a failure images are not rendered again. */
const retryMs = 60_000
/** Folders of images that no start of the server used within this time are removed. */
const unusedMs = 7 * dayMs

type Ctx = LogoContext & Pick<Context, 'origin' | 'cdn'>
type RenderTask = Omit<Parameters<ImageWorker['render']>[0], 'folder'>

export type SiteImages = ReturnType<typeof createSiteImages>

/**
 * Creates the icons of the site and its images for link previews, rendered from the logo and the brand. They are stored
 * in a folder that is named by a hash of their input, so that they are rendered once.
 */
export function createSiteImages(options: {
  cacheDir: string
  imageWorker: Pick<ImageWorker, 'render'>
  now: () => Date
  log: Log
}) {
  const { cacheDir, imageWorker, now, log } = options
  const rendering = new Map<string, Promise<string>>()

  /** Returns the folder with the images of this configuration, which are rendered if it does not exist. */
  async function getOrRenderFolder(ctx: LogoContext): Promise<string> {
    const task = toRenderTask(ctx.site, await readLogoSvg(ctx), now())
    const key = createHash('sha256').update(JSON.stringify(task.images)).digest('hex').slice(0, 16)
    const folder = join(cacheDir, `images-${key}`)
    if (existsSync(folder)) return folder
    let inProgress = rendering.get(folder)
    if (!inProgress) {
      inProgress = renderFolder(folder, task).finally(() => rendering.delete(folder))
      rendering.set(folder, inProgress)
    }
    return inProgress
  }

  /** Renders into a temporary folder, and renames it when it is complete. */
  async function renderFolder(folder: string, task: RenderTask): Promise<string> {
    const temporaryFolder = `${folder}.${randomUUID()}`
    await mkdir(temporaryFolder, { recursive: true })
    try {
      await imageWorker.render({ ...task, folder: temporaryFolder })
      // Another instance may have been first, with the same result.
      await rename(temporaryFolder, folder).catch((error: NodeJS.ErrnoException) => {
        if (!existsSync(folder)) throw error
      })
    } finally {
      await rm(temporaryFolder, { recursive: true, force: true })
    }
    return folder
  }

  /** By configuration, in milliseconds of `performance.now()`. */
  const retryTimes = new WeakMap<SiteConfig, number>()

  /** Runs a task, but not within a minute after a failure, which is logged once. Undefined after a failure. */
  async function tryAtIntervals<T>(site: SiteConfig, task: () => Promise<T>): Promise<T | undefined> {
    if ((retryTimes.get(site) ?? 0) > performance.now()) return undefined
    try {
      return await task()
    } catch (error) {
      // The server is stopping, and its image processes with it.
      if ((error as Error).name === 'AbortError') return undefined
      if (!retryTimes.has(site)) log.error({ err: error }, 'the icons could not be rendered')
      retryTimes.set(site, performance.now() + retryMs)
      return undefined
    }
  }

  /** Removes the folders of earlier logos and brands, and unfinished ones of a killed process. */
  async function removeUnused(usedFolder: string): Promise<void> {
    await utimes(usedFolder, now(), now())
    for (const name of await readdir(cacheDir)) {
      const path = join(cacheDir, name)
      if (!name.startsWith('images-') || path === usedFolder) continue
      const { mtimeMs } = await stat(path)
      if (now().getTime() - mtimeMs > unusedMs) await rm(path, { recursive: true, force: true })
    }
  }

  return {
    /** Whether the path is that of an image. */
    has: (path: string, { site }: Pick<Ctx, 'site'>): boolean => fileNameAt(path, site) !== undefined,

    /** The image at a path. @throws {Refusal} `not_found` for any other path, and when the image cannot be rendered */
    async get(path: string, ctx: Ctx): Promise<CachedResponse> {
      const { site, origin } = ctx
      const name = fileNameAt(path, site)
      if (!name) throw new Refusal('not_found')
      const body =
        name === 'favicon.svg'
          ? await readLogoSvg(ctx).then(Buffer.from, () => undefined)
          : await tryAtIntervals(site, async () => readFile(join(await getOrRenderFolder(ctx), name)))
      if (!body) throw new Refusal('not_found')
      // An uploaded logo may be replaced without a change of the configuration.
      const tags = isUploadedLogo(site) ? ['site', 'page'] : ['site']
      return buildCachedResponse({
        body,
        headers: [
          ['Content-Type', contentType(name)],
          ['Cache-Control', 'public, max-age=86400'],
          ...(ctx.cdn ? [ctx.cdn.tagHeader(tags)] : []),
          ...securityHeaders(origin),
        ],
        tags,
        compressible: name.endsWith('.svg'),
      })
    },

    /** Renders the images before the first request, and removes unused ones. */
    async warm(ctx: LogoContext): Promise<void> {
      const folder = await tryAtIntervals(ctx.site, () => getOrRenderFolder(ctx))
      if (folder) await removeUnused(folder).catch((error) => log.warn({ err: error }, 'the cache was not cleaned'))
    },
  }
}

const icons = [
  'favicon.svg',
  'favicon.ico',
  'icon-192.png',
  'icon-512.png',
  'icon-maskable.png',
  'apple-touch-icon.png',
]

/** The name of the file for a URL path; undefined for any other path. */
function fileNameAt(path: string, site: SiteConfig): string | undefined {
  const { locale, path: localPath } = splitLocale(path, site)
  if (localPath === '/opengraph.png') return `opengraph-${locale}.png`
  return icons.find((name) => path === `/${name}`)
}

function toRenderTask(site: SiteConfig, logo: string, now: Date): RenderTask {
  const { display, persian } = imageFonts[site.look?.fonts ?? defaultAppearance.fonts]
  const families = { display: display.family, persian: persian.family }
  return {
    fonts: [display.file, persian.file],
    images: [
      ...iconImages(site, logo),
      ...site.locales.map((locale) => openGraphImage({ site, locale, logo, families, now })),
    ],
  }
}

/** The web app manifest: what a phone shows when the site is added to its home screen. */
export function webManifest(site: SiteConfig, now: Date) {
  const locale = rootLocaleOf(site)
  return {
    name: site.brand,
    short_name: site.brand,
    description: fillPlaceholders(localized(site.tagline, locale).value, placeholdersOf(site, locale, now)),
    lang: locale,
    dir: contentDirection(site, locale),
    start_url: '/',
    scope: '/',
    display: 'browser',
    theme_color: site.palette.accent,
    background_color: site.palette.light,
    icons: [
      { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
      { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
      { src: '/icon-maskable.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
  }
}

/** The icons for browsers and phones, made from the logo. */
function iconImages(site: SiteConfig, logo: string): ImageToRender[] {
  const { secondary } = site.palette
  const wholeLogo = embedSvg(logo, 0, 0, 512)
  const background = `<path fill="${secondary}" d="M0 0h512v512H0z"/>`
  return [
    squareImage('favicon.ico', 32, wholeLogo),
    squareImage('icon-192.png', 192, wholeLogo),
    squareImage('icon-512.png', 512, wholeLogo),
    // Maskable icons are cropped by the phone, so the logo is within the safe zone.
    squareImage('icon-maskable.png', 512, `${background}${embedSvg(logo, 92, 92, 328)}`),
    squareImage('apple-touch-icon.png', 180, `${background}${embedSvg(logo, 62, 62, 388)}`),
  ]
}

/** Returns an SVG file as an element for another SVG, at a position and size. */
function embedSvg(svg: string, x: number, y: number, size: number): string {
  const start = svg.indexOf('<svg')
  return svg.slice(start).replace(/^<svg([^>]*)>/, (_, attributes: string) => {
    const otherAttributes = attributes.replace(/\s(?:width|height|x|y)="[^"]*"/g, '')
    return `<svg${otherAttributes} x="${x}" y="${y}" width="${size}" height="${size}">`
  })
}

/** @param content SVG elements in a square of 512 units */
const squareImage = (name: string, size: number, content: string): ImageToRender => ({
  name,
  width: size,
  height: size,
  svg: `<svg xmlns="http://www.w3.org/2000/svg" width="512" height="512" viewBox="0 0 512 512">${content}</svg>`,
})

/** The size of Open Graph images, in pixels. */
const openGraphSize = { width: 1200, height: 630 }

/** The image for link previews: the brand and its tagline, above the illustration. */
function openGraphImage(input: {
  site: SiteConfig
  locale: Locale
  logo: string
  families: { display: string; persian: string }
  now: Date
}): ImageToRender {
  const { site, locale, logo, families, now } = input
  const { width, height } = openGraphSize
  const rtl = contentDirection(site, locale) === 'rtl'
  const mirrored = rtl ? ` transform="matrix(-1 0 0 1 ${width} 0)"` : ''
  const colours = coloursOf(site.palette, 'light')
  const tagline = fillPlaceholders(localized(site.tagline, locale).value, placeholdersOf(site, locale, now))
  const markupOf = (text: string) => `<span foreground="${colours.deep}">${escapeHtml(text)}</span>`
  return {
    name: `opengraph-${locale}.png`,
    ...openGraphSize,
    svg: `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><g${mirrored}>${illustrationOf(site).renderOpenGraphSvg(colours)}</g>${embedSvg(logo, rtl ? 1024 : 80, 72, 96)}</svg>`,
    texts: [
      { markup: markupOf(site.brand), font: fontOf([families.display], 60), top: 98, start: 202, width: 900, rtl },
      {
        markup: markupOf(tagline),
        font: isPersian(locale) ? fontOf([families.persian, families.display], 54) : fontOf([families.display], 68),
        top: 208,
        start: 80,
        width: 780,
        rtl,
      },
    ],
  }
}

/** A font in the notation of Pango: without the comma it reads the end of a name such as "Figtree Black" as a weight. */
const fontOf = (families: readonly string[], size: number): string => `${families.join(', ')}, ${size}`
