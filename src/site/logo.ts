import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { publicFileIdsIn } from '../contract/file-urls.ts'
import type { SiteConfig } from '../contract/site-config.ts'
import { findSmallImage } from '../domain/files/find-served-file.ts'
import { contentType } from '../http/public-files.ts'
import type { Context } from '../platform/context.ts'

/** A larger logo is not inlined in every page. */
const maxInlineBytes = 2_048
/** The largest icon that is rendered from it. */
const largestIcon = 512

export type LogoContext = Pick<Context, 'site' | 'publicDir' | 'db' | 'uploads'>

interface LoadedLogo {
  url: string
  /** A data URL, for a small SVG. */
  inline: string | undefined
}

const loaded = new WeakMap<SiteConfig, LoadedLogo>()

/** Loads the logo. A small SVG is inlined, so that the first paint needs no request for it. */
export async function loadLogo(parts: LogoContext): Promise<void> {
  const { site } = parts
  const before = loaded.get(site)
  // A public file is read once; an upload may have been replaced or resized.
  if (before && !isUploadedLogo(site)) return
  const found = await findLogo(parts)
  if (!found || found.url === before?.url) return
  const svg = found.type === 'image/svg+xml' ? await found.read().catch(() => undefined) : undefined
  const inline = svg !== undefined && svg.length <= maxInlineBytes ? dataUrl(svg.toString('utf8').trim()) : undefined
  loaded.set(site, { url: found.url, inline })
}

const inlineLogoUrl = (site: SiteConfig): string | undefined => loaded.get(site)?.inline

export const logoUrl = (site: SiteConfig): string => inlineLogoUrl(site) ?? loaded.get(site)?.url ?? site.logo.src

/** The favicon. An SVG logo is reused, because the page loads it anyway. */
export const iconUrl = (site: SiteConfig): string => {
  const shown = logoUrl(site)
  return inlineLogoUrl(site) ?? (shown.endsWith('.svg') ? shown : '/favicon.svg')
}

export const isUploadedLogo = (site: SiteConfig): boolean => publicFileIdsIn(site.logo.src).length > 0

/** The logo as an SVG; other image types are wrapped in one. @throws when the file does not exist */
export async function readLogoSvg(parts: LogoContext): Promise<string> {
  const found = await findLogo(parts)
  const bytes = await found?.read()
  if (!found || !bytes) throw new Error(`there is no logo ${parts.site.logo.src}`)
  if (found.type === 'image/svg+xml') return withViewBox(bytes.toString('utf8'))
  const data = `data:${found.type};base64,${bytes.toString('base64')}`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><image href="${data}" width="64" height="64"/></svg>`
}

/** Adds a viewBox, which is needed for embedding at another size; many programs write only width and height. */
function withViewBox(svg: string): string {
  const tag = /<svg\b[^>]*>/.exec(svg)?.[0] ?? ''
  const length = (name: string) => new RegExp(`\\s${name}="([\\d.]+)(?:px)?"`).exec(tag)?.[1]
  const [width, height] = [length('width'), length('height')]
  if (/\sviewBox=/.test(tag) || !width || !height) return svg
  return svg.replace(tag, tag.replace('<svg', `<svg viewBox="0 0 ${width} ${height}"`))
}

async function findLogo(parts: LogoContext) {
  const { src } = parts.site.logo
  if (isUploadedLogo(parts.site)) return findSmallImage(parts, src, largestIcon)
  return { url: src, type: contentType(src), read: () => readFile(join(parts.publicDir, src)) }
}

/** Escapes only what a URL does not allow, to keep the page small. */
const dataUrl = (svg: string) =>
  `data:image/svg+xml,${encodeURI(svg.replace(/\s+/g, ' ')).replace(/['#&]/g, percentEncoded)}`

const percentEncoded = (character: string) => `%${character.charCodeAt(0).toString(16)}`
