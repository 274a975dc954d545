import { fillUrl, type Placeholders } from '../contract/fill-text.ts'
import { type Locale, localizedPath } from '../contract/locales.ts'

/** Addresses that are the same in every language: files, the API, and the pages of signed-in people. */
const unprefixed = /^\/(?:(?:files|assets|api|admin|user|\.well-known)(?:[/?#]|$)|[^?#]*\.[a-z0-9]+(?:[?#]|$))/

/** Content writes links as for Dutch; in another language they lead to that language's page. */
export function linkIn(locale: Locale, url: string): string {
  return url.startsWith('/') && !unprefixed.test(url) ? localizedPath(url, locale) : url
}

/** The same for an address that may hold placeholders; undefined when it leads nowhere. */
export function linkTo(url: string, scene: { locale: Locale; placeholders: Placeholders }): string | undefined {
  const filled = fillUrl(url, scene.placeholders)
  return filled === undefined ? undefined : linkIn(scene.locale, filled)
}
