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

const retryMs = 60_000
/** Rendered images not used by any start within this time are removed. */
const unusedMs = 7 * dayMs

type Ctx = LogoContext & Pick<Context, 'origin' | 'cdn'>
type RenderTask = Omit<Parameters<ImageWorker['render']>[0], 'folder'>

export type SiteImages = ReturnType<typeof createSiteImages>

/**
 * The icons of the site and the images for shared links, rendered from the logo and the brand. They are stored in a
 * folder that is named by a hash of what they are rendered from, so that each is rendered once.
 */
export function createSiteImages(options: {
  cacheDir: string
  imageWorker: Pick<ImageWorker, 'render'>
  now: () => Date
  log: Log
}) {
  const { cacheDir, imageWorker, now, log } = options
  const rendering = new Map<string, Promise<string>>()

  /** The folder with the images of this configuration; they are rendered if they are not there. */
  async function folderOf(ctx: LogoContext): Promise<string> {
    const task = toRenderTask(ctx.site, await readLogoSvg(ctx), now())
    const key = createHash('sha256').update(JSON.stringify(task.images)).digest('hex').slice(0, 16)
    const folder = join(cacheDir, `images-${key}`)
    if (existsSync(folder)) return folder
    let running = rendering.get(folder)
    if (!running) {
      running = renderInto(folder, task).finally(() => rendering.delete(folder))
      rendering.set(folder, running)
    }
    return running
  }

  /** Renders beside the folder and renames the result when it is complete. */
  async function renderInto(folder: string, task: RenderTask): Promise<string> {
    const unfinished = `${folder}.${randomUUID()}`
    await mkdir(unfinished, { recursive: true })
    try {
      await imageWorker.render({ ...task, folder: unfinished })
      // Another instance may have been first, with the same result.
      await rename(unfinished, folder).catch((error: NodeJS.ErrnoException) => {
        if (!existsSync(folder)) throw error
      })
    } finally {
      await rm(unfinished, { recursive: true, force: true })
    }
    return folder
  }

  const failedUntil = new WeakMap<SiteConfig, number>()

  /** An invalid logo is tried once a minute, not for every visitor. */
  async function retryAtIntervals<T>(site: SiteConfig, work: () => Promise<T>): Promise<T | undefined> {
    if ((failedUntil.get(site) ?? 0) > performance.now()) return undefined
    try {
      return await work()
    } catch (error) {
      // The program stops, and its image processes with it.
      if ((error as Error).name === 'AbortError') return undefined
      if (!failedUntil.has(site)) log.error({ err: error }, 'the icons could not be rendered')
      failedUntil.set(site, performance.now() + retryMs)
      return undefined
    }
  }

  /** Removes unfinished folders of a killed program, and images of earlier logos and brands. */
  async function removeUnused(used: string): Promise<void> {
    await utimes(used, now(), now())
    for (const name of await readdir(cacheDir)) {
      const path = join(cacheDir, name)
      if (!name.startsWith('images-') || path === used) continue
      const { mtimeMs } = await stat(path)
      if (now().getTime() - mtimeMs > unusedMs) await rm(path, { recursive: true, force: true })
    }
  }

  return {
    has: (path: string, { site }: Pick<Ctx, 'site'>): boolean => fileNameAt(path, site) !== undefined,

    /** The image at a path. @throws {Refusal} `not_found` where there is none, or none that can be rendered */
    async get(path: string, ctx: Ctx): Promise<CachedResponse> {
      const { site, origin } = ctx
      const name = fileNameAt(path, site)
      if (!name) throw new Refusal('not_found')
      const body =
        name === 'favicon.svg'
          ? await readLogoSvg(ctx).then(Buffer.from, () => undefined)
          : await retryAtIntervals(site, async () => readFile(join(await folderOf(ctx), name)))
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

    /** Renders before the first visitor comes, and removes what is not used any more. */
    async warm(ctx: LogoContext): Promise<void> {
      const folder = await retryAtIntervals(ctx.site, () => folderOf(ctx))
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
  const plain = (name: string, size: number) => square(name, size, embedSvg(logo, 0, 0, 512))
  return [
    plain('favicon.ico', 32),
    plain('icon-192.png', 192),
    plain('icon-512.png', 512),
    // Maskable icons are cropped by the phone, so the logo is within the safe zone.
    square('icon-maskable.png', 512, `<path fill="${secondary}" d="M0 0h512v512H0z"/>${embedSvg(logo, 92, 92, 328)}`),
    square(
      'apple-touch-icon.png',
      180,
      `<path fill="${secondary}" d="M0 0h512v512H0z"/>${embedSvg(logo, 62, 62, 388)}`,
    ),
  ]
}

/** Embeds an SVG file in another one, at a position and size. */
function embedSvg(svg: string, x: number, y: number, size: number): string {
  const start = svg.indexOf('<svg')
  return svg.slice(start).replace(/^<svg([^>]*)>/, (_, attributes: string) => {
    const otherAttributes = attributes.replace(/\s(?:width|height|x|y)="[^"]*"/g, '')
    return `<svg${otherAttributes} x="${x}" y="${y}" width="${size}" height="${size}">`
  })
}

const square = (name: string, size: number, content: string): ImageToRender => ({
  name,
  width: size,
  height: size,
  svg: `<svg xmlns="http://www.w3.org/2000/svg" width="512" height="512" viewBox="0 0 512 512">${content}</svg>`,
})

const size = { width: 1200, height: 630 }

/** The image for link previews: the brand and its tagline, above the illustration. */
function openGraphImage(input: {
  site: SiteConfig
  locale: Locale
  logo: string
  families: { display: string; persian: string }
  now: Date
}): ImageToRender {
  const { site, locale, logo, families, now } = input
  const rtl = contentDirection(site, locale) === 'rtl'
  const colours = coloursOf(site.palette, 'light')
  const tagline = fillPlaceholders(localized(site.tagline, locale).value, placeholdersOf(site, locale, now))
  const coloured = (text: string) => `<span foreground="${colours.deep}">${escapeHtml(text)}</span>`
  return {
    name: `opengraph-${locale}.png`,
    ...size,
    svg: `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}"><g${rtl ? ` transform="matrix(-1 0 0 1 ${size.width} 0)"` : ''}>${illustrationOf(site).openGraphSvg(colours)}</g>${embedSvg(logo, rtl ? 1024 : 80, 72, 96)}</svg>`,
    texts: [
      { markup: coloured(site.brand), font: fontOf([families.display], 60), top: 98, start: 202, width: 900, rtl },
      {
        markup: coloured(tagline),
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
