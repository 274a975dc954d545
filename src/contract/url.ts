import { z } from 'zod'

const allowed =
  /^(https?:\/\/[^\s/?#]+|mailto:[^\s]+@[^\s]+|mailto:\[legal\.email\]|tel:\+?[0-9][0-9()\- ]*|\/(?!\/)|#)/i

/** The urls that content may hold: a page or anchor of this site, the web, a letter or a phone. Never a script. */
export function isSafeUrl(url: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers drop these inside a scheme, so `java\tscript:` must not pass
  return allowed.test(url) && !/[\u0000-\u0020\u007f\\]/.test(url.startsWith('tel:') ? url.replaceAll(' ', '') : url)
}

export const safeUrl = z.string().max(2_000, 'tooLong').refine(isSafeUrl, 'url')
