import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { publicFileIdsIn } from '../contract/file-urls.ts'
import type { SiteConfig } from '../contract/site-config.ts'
import { findSmallImage } from '../domain/files/find-served-file.ts'
import { contentType } from '../http/public-files.ts'
import type { Context } from '../platform/context.ts'

/** The size up to which an SVG logo is inlined in every page. */
const maxInlineBytes = 2_048
/** The size in pixels of the largest icon that is rendered from the logo. */
const largestIcon = 512

export type LogoContext = Pick<Context, 'site' | 'publicDir' | 'db' | 'uploads'>

interface LoadedLogo {
  url: string
  ratio: number
  /** A data URL, for a small SVG. */
  inline: string | undefined
}

const loadedLogos = new WeakMap<SiteConfig, LoadedLogo>()

/**
 * Loads the logo for `logoUrl` and `iconUrl`. A small SVG is inlined, so that the first paint needs no request for it.
 * An upload is looked up each time, because it may have been replaced or resized.
 */
export async function loadLogo(ctx: LogoContext): Promise<void> {
  const { site } = ctx
  const loaded = loadedLogos.get(site)
  if (loaded && !isUploadedLogo(site)) return
  const logo = await findLogo(ctx)
  if (!logo || logo.url === loaded?.url) return
  const svg = logo.type === 'image/svg+xml' ? await logo.read().catch(() => undefined) : undefined
  const inline = svg !== undefined && svg.length <= maxInlineBytes ? dataUrl(svg.toString('utf8').trim()) : undefined
  loadedLogos.set(site, { url: logo.url, ratio: logo.ratio, inline })
}

const inlineLogoUrl = (site: SiteConfig): string | undefined => loadedLogos.get(site)?.inline

/** The URL of the logo: a data URL if it is inlined; before `loadLogo` the configured one. */
export const logoUrl = (site: SiteConfig): string => inlineLogoUrl(site) ?? loadedLogos.get(site)?.url ?? site.logo.src

/** The width of the logo divided by its height; 1 where it is not known, before `loadLogo` and for a public file. */
export const logoRatio = (site: SiteConfig): number => loadedLogos.get(site)?.ratio ?? 1

/** The URL of the favicon. An SVG logo is reused, because the page loads it anyway. */
export const iconUrl = (site: SiteConfig): string => {
  const url = logoUrl(site)
  return inlineLogoUrl(site) ?? (url.endsWith('.svg') ? url : '/favicon.svg')
}

export const isUploadedLogo = (site: SiteConfig): boolean => publicFileIdsIn(site.logo.src).length > 0

/** Reads the logo as an SVG; any other image type is wrapped in one. @throws when the file does not exist */
export async function readLogoSvg(ctx: LogoContext): Promise<string> {
  const logo = await findLogo(ctx)
  const bytes = await logo?.read()
  if (!logo || !bytes) throw new Error(`there is no logo ${ctx.site.logo.src}`)
  if (logo.type === 'image/svg+xml') return withViewBox(bytes.toString('utf8'))
  const data = `data:${logo.type};base64,${bytes.toString('base64')}`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><image href="${data}" width="64" height="64"/></svg>`
}

/** Adds a `viewBox`, which scaling requires, to an SVG that has only `width` and `height`. */
function withViewBox(svg: string): string {
  const tag = /<svg\b[^>]*>/.exec(svg)?.[0] ?? ''
  const pixels = (attribute: string) => new RegExp(`\\s${attribute}="([\\d.]+)(?:px)?"`).exec(tag)?.[1]
  const [width, height] = [pixels('width'), pixels('height')]
  if (/\sviewBox=/.test(tag) || !width || !height) return svg
  return svg.replace(tag, tag.replace('<svg', `<svg viewBox="0 0 ${width} ${height}"`))
}

/** Undefined for an upload that does not exist; a missing file in `public/` fails when it is read. */
async function findLogo(ctx: LogoContext) {
  const { src } = ctx.site.logo
  if (isUploadedLogo(ctx.site)) return findSmallImage(ctx, src, largestIcon)
  return { url: src, type: contentType(src), ratio: 1, read: () => readFile(join(ctx.publicDir, src)) }
}

/** An SVG as a data URL. Escapes only what a URL does not allow and has no title, to keep the page small. */
function dataUrl(svg: string): string {
  const small = svg.replace(/<title>[^<]*<\/title>/g, '').replace(/\s+/g, ' ')
  return `data:image/svg+xml,${encodeURI(small).replace(/['#&]/g, percentEncoded)}`
}

const percentEncoded = (character: string) => `%${character.charCodeAt(0).toString(16)}`
