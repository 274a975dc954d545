import { z } from 'zod'
import { wanted } from './wanted.ts'

const allowed = /^(https?:\/\/[^\s/?#]+|mailto:[^\s]+@[^\s]+|tel:\+?[0-9][0-9()\- ]*|\/(?!\/)|#)/i

/** Addresses that the configuration gives once: each stands where it decides where the link leads, so no other may. */
const filledLater =
  /^(\[url\]([/?#][^\s\\]*)?|\[sameAs\.[1-9][0-9]?\]|mailto:\[legal\.email\](\?[^\s\\]*)?|tel:\[legal\.telephone\])$/

/** The urls that a page may lead to: a page or anchor of this site, the web, a letter or a phone. Never a script. */
export function isSafeUrl(url: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers drop these inside a scheme, so `java\tscript:` must not pass
  return allowed.test(url) && !/[\u0000-\u0020\u007f\\]/.test(url.startsWith('tel:') ? url.replaceAll(' ', '') : url)
}

/** The urls that content may hold: what a page may lead to, or a placeholder that `fillUrl` makes that of. */
export const isLinkUrl = (url: string): boolean => isSafeUrl(url) || filledLater.test(url)

const mostChars = 2_000
const shortUrl = z.string().max(mostChars, `At most ${mostChars} characters`)
export const safeUrl = shortUrl.refine(isSafeUrl, wanted.url)
/** Where a picture lies; by itself, so that forms know it from a link. */
export const pictureUrl = shortUrl.refine(isSafeUrl, wanted.url)
export const linkUrl = shortUrl.refine(isLinkUrl, wanted.url)

/** Whether an address is that of a whole site: what a path can be put behind, and nothing secret stands in. */
export function isOrigin(url: string): boolean {
  const parsed = URL.parse(url)
  return /^https?:$/.test(parsed?.protocol ?? '') && parsed?.origin === url
}
