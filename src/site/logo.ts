import type { SiteConfig } from '../contract/site-config.ts'

/** More than this is not worth repeating in every page. */
const mostBytes = 2_048

const inline = new WeakMap<SiteConfig, string | undefined>()

/** A small drawn logo stands in the page itself: it is there with the first paint, and asks for nothing. */
export async function keepLogo(site: SiteConfig, read: () => Promise<string>): Promise<void> {
  if (inline.has(site)) return
  // A logo on another server is not read, and shown from there.
  const svg = await read().catch(() => undefined)
  inline.set(site, svg !== undefined && svg.length <= mostBytes ? dataUrl(svg.trim()) : undefined)
}

/** The logo's address of its own that needs no request, where it has one. */
export const inlineLogo = (site: SiteConfig): string | undefined => inline.get(site)

export const logoUrl = (site: SiteConfig): string => inlineLogo(site) ?? site.logo.src

/** Escapes only what must be, so that the page stays small. */
const dataUrl = (svg: string) =>
  `data:image/svg+xml,${svg.replace(/\s+/g, ' ').replace(/["'#%<>&]/g, (character) => encodeURIComponent(character).replace("'", '%27'))}`
