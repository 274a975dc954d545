import { z } from 'zod'

/** http and https, mailto:, tel:, a path of this site (`//host` is another site) and a fragment. */
const safeUrl = /^(https?:\/\/[^\s/?#]+|mailto:[^\s]+@[^\s]+|tel:\+?[0-9][0-9()\- ]*|\/(?!\/)|#)/i

/** URLs with a placeholder as their target. No others, as a placeholder must not change where a link leads. */
const urlPlaceholder =
  /^(\[url\]([/?#][^\s\\]*)?|\[sameAs\.[1-9][0-9]?\]|mailto:\[legal\.email\](\?[^\s\\]*)?|tel:\[legal\.telephone\])$/

/** Whether a page may link to a URL: this site, the web, mailto: or tel:, but never a script. */
export function isSafeUrl(url: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers drop these inside a scheme, so `java\tscript:` must not pass
  return safeUrl.test(url) && !/[\u0000-\u0020\u007f\\]/.test(url.startsWith('tel:') ? url.replaceAll(' ', '') : url)
}

/** A path of this site to return to, as it is; undefined for any other URL. */
export const returnPath = (url: string | undefined): string | undefined =>
  url?.startsWith('/') && isSafeUrl(url) ? url : undefined

/** Whether content may contain a URL: a safe one, or one with a placeholder that `fillUrlPlaceholders` fills. */
export const isLinkUrl = (url: string): boolean => isSafeUrl(url) || urlPlaceholder.test(url)

export const shortUrl = z.string().max(2_000)
/** The URL of an image. A separate schema from `linkUrl`, by which the admin's forms recognise image fields. */
export const imageUrl = shortUrl.refine(isSafeUrl, 'url')
export const linkUrl = shortUrl.refine(isLinkUrl, 'url')
/** The URL of a file on this site. */
export const downloadUrl = shortUrl.refine((url) => isSafeUrl(url) && sameSiteFile.test(url), 'downloadUrl')
const sameSiteFile = /^\/(?!\/)[^\s\\?#"'<>]+\.[a-z0-9]{1,5}$/i

/** Whether a URL is a bare origin, without path, query or credentials. */
export function isOrigin(url: string): boolean {
  const parsed = URL.parse(url)
  return /^https?:$/.test(parsed?.protocol ?? '') && parsed?.origin === url
}
