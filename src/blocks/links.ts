import { type Locale, localizedPath } from '../contract/locales.ts'

/** Addresses that are the same in every language: files, the API, and the pages of signed-in people. */
const unprefixed =
  /^\/(?:(?:files|assets|api|admin|user|login|logout|setup|\.well-known)(?:[/?#]|$)|[^?#]*\.[a-z0-9]+(?:[?#]|$))/

/** Content writes links as for Dutch; in another language they lead to that language's page. */
export function linkIn(locale: Locale, url: string): string {
  return url.startsWith('/') && !unprefixed.test(url) ? localizedPath(url, locale) : url
}
