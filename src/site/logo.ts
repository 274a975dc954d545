import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { addressesIn } from '../contract/pictures.ts'
import type { SiteConfig } from '../contract/site-config.ts'
import { findSmallPicture } from '../domain/files/find-small-picture.ts'
import { contentType } from '../http/public-files.ts'
import type { Context } from '../platform/context.ts'

/** More than this is not worth repeating in every page. */
const mostBytes = 2_048
/** The largest icon that is made of it. */
const widestIcon = 512

/** What is asked of it: the configuration, and where uploads and public files are. */
export type LogoParts = Pick<Context, 'site' | 'publicDir' | 'db' | 'uploads'>

interface KnownLogo {
  /** Where pages show it from. */
  url: string
  /** Its address of its own that needs no request, where it has one. */
  inline: string | undefined
}

const known = new WeakMap<SiteConfig, KnownLogo>()

/** A small drawn logo stands in the page itself: it is there with the first paint, and asks for nothing. */
export async function keepLogo(parts: LogoParts): Promise<void> {
  const { site } = parts
  const before = known.get(site)
  // A public file is read once; an upload may have been replaced, or its widths made meanwhile.
  if (before && !isUpload(site)) return
  const found = await findLogo(parts)
  if (!found || found.url === before?.url) return
  const svg = found.type === 'image/svg+xml' ? await found.read().catch(() => undefined) : undefined
  const inline = svg !== undefined && svg.length <= mostBytes ? dataUrl(svg.toString('utf8').trim()) : undefined
  known.set(site, { url: found.url, inline })
}

export const inlineLogo = (site: SiteConfig): string | undefined => known.get(site)?.inline

export const logoUrl = (site: SiteConfig): string => inlineLogo(site) ?? known.get(site)?.url ?? site.logo.src

/** For a browser's tab. An SVG that the page shows anyway costs no second request. */
export const iconUrl = (site: SiteConfig): string => {
  const shown = logoUrl(site)
  return inlineLogo(site) ?? (shown.endsWith('.svg') ? shown : '/favicon.svg')
}

export const isUpload = (site: SiteConfig): boolean => addressesIn(site.logo.src).length > 0

/**
 * The logo as an SVG; another kind of picture is wrapped in one.
 * @throws when it is not there
 */
export async function readLogo(parts: LogoParts): Promise<string> {
  const found = await findLogo(parts)
  const bytes = await found?.read()
  if (!found || !bytes) throw new Error(`there is no logo ${parts.site.logo.src}`)
  if (found.type === 'image/svg+xml') return withViewBox(bytes.toString('utf8'))
  const data = `data:${found.type};base64,${bytes.toString('base64')}`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><image href="${data}" width="64" height="64"/></svg>`
}

/** Without one a drawing cannot be put in at another size; many programs write only a width and a height. */
function withViewBox(svg: string): string {
  const tag = /<svg\b[^>]*>/.exec(svg)?.[0] ?? ''
  const length = (name: string) => new RegExp(`\\s${name}="([\\d.]+)(?:px)?"`).exec(tag)?.[1]
  const [width, height] = [length('width'), length('height')]
  if (/\sviewBox=/.test(tag) || !width || !height) return svg
  return svg.replace(tag, tag.replace('<svg', `<svg viewBox="0 0 ${width} ${height}"`))
}

async function findLogo(parts: LogoParts) {
  const { src } = parts.site.logo
  if (isUpload(parts.site)) return findSmallPicture(parts, src, widestIcon)
  return { url: src, type: contentType(src), read: () => readFile(join(parts.publicDir, src)) }
}

/** Escapes only what must be, so that the page stays small. */
const dataUrl = (svg: string) =>
  `data:image/svg+xml,${svg.replace(/\s+/g, ' ').replace(/["'#%<>&]/g, (character) => encodeURIComponent(character).replace("'", '%27'))}`
