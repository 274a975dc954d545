import { z } from 'zod'

const allowed = /^(https?:\/\/[^\s/?#]+|mailto:[^\s]+@[^\s]+|tel:\+?[0-9][0-9()\- ]*|\/(?!\/)|#)/i

/** Placeholders whose value is a whole URL; no others may decide where a link leads. */
const urlPlaceholder =
  /^(\[url\]([/?#][^\s\\]*)?|\[sameAs\.[1-9][0-9]?\]|mailto:\[legal\.email\](\?[^\s\\]*)?|tel:\[legal\.telephone\])$/

/** The URLs that a page may link to: this site, the web, mailto: and tel:. Never a script. */
export function isSafeUrl(url: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers drop these inside a scheme, so `java\tscript:` must not pass
  return allowed.test(url) && !/[\u0000-\u0020\u007f\\]/.test(url.startsWith('tel:') ? url.replaceAll(' ', '') : url)
}

/** The path and query of a page to return to; undefined when it leads elsewhere. */
export const returnPath = (url: string | undefined): string | undefined =>
  url?.startsWith('/') && isSafeUrl(url) ? url : undefined

/** The URLs that content may hold: safe ones, or a placeholder that `fillUrlPlaceholders` replaces by one. */
export const isLinkUrl = (url: string): boolean => isSafeUrl(url) || urlPlaceholder.test(url)

const shortUrl = z.string().max(2_000)
/** The URL of an image; a schema of its own, so that forms can tell it from a link. */
export const imageUrl = shortUrl.refine(isSafeUrl, 'url')
export const linkUrl = shortUrl.refine(isLinkUrl, 'url')
/** The URL of a file on this site. */
export const downloadUrl = shortUrl.refine((url) => isSafeUrl(url) && ownFile.test(url), 'downloadUrl')
const ownFile = /^\/(?!\/)[^\s\\?#"'<>]+\.[a-z0-9]{1,5}$/i

/** Whether a URL is a bare origin, without path, query or credentials. */
export function isOrigin(url: string): boolean {
  const parsed = URL.parse(url)
  return /^https?:$/.test(parsed?.protocol ?? '') && parsed?.origin === url
}
