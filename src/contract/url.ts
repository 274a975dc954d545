import { z } from 'zod'

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

export const safeUrl = z.string().max(2_000, 'tooLong').refine(isSafeUrl, 'url')
export const linkUrl = z.string().max(2_000, 'tooLong').refine(isLinkUrl, 'url')
