import { type SiteLanguages, splitLocale } from '../../contract/locales.ts'
import { isFileName, isReserved, isSearchSlug } from '../../contract/slug.ts'
import { isSafeUrl } from '../../contract/url.ts'

/** Splits a target before the first ? or #; `path` decides which page is reached. */
export function splitTarget(to: string): { path: string; rest: string } {
  const end = to.search(/[?#]/)
  return end === -1 ? { path: to, rest: '' } : { path: to.slice(0, end), rest: to.slice(end) }
}

/** Appends the request's query and fragment to a target that has none of its own. */
export const withRest = (to: string, rest: string): string => (splitTarget(to).rest === '' ? to + rest : to)

/** Whether a path is reserved for the program: no page or redirect can be there. */
export function isReservedPath(path: string, site: SiteLanguages): boolean {
  const own = splitLocale(path, site).path.slice(1)
  return isReserved(own) || isSearchSlug(own) || (isFileName(own) && !isOldPage.test(own))
}

/** Paths of pages of other systems, which redirects must be able to start from. */
const isOldPage = /\.(html?|php|aspx?|jsp)$/i

/** A typed path, decoded and normalised; undefined when it is not a path. Not for one that is decoded already. */
export function pathIn(typed: string): string | undefined {
  const path = decoded(typed.trim())
  if (path === undefined || !/^\/(?!\/)[^?#\\\p{Cc}\p{Zl}\p{Zp}]*$/u.test(path)) return undefined
  return path.length > 1 ? path.replace(/\/+$/, '') || '/' : path
}

/** A stored address as it is typed: `pathIn` and `targetIn` give the stored one again. */
export function typedAddress(stored: string): string {
  if (!stored.startsWith('/')) return stored
  const { path, rest } = splitTarget(stored)
  return path.replaceAll('%', '%25') + rest
}

/** A part of an address that `typedAddress` gave, as it is stored. */
export function storedAddress(typed: string): string {
  const { path, rest } = splitTarget(typed)
  return (decoded(path) ?? path) + rest
}

/** A query and fragment as they stand in a URL, also of one that was typed unencoded. */
export function encodedRest(rest: string): string {
  const { search, hash } = new URL(rest, 'http://site.invalid')
  return search + hash
}

/**
 * A path, with an optional query and fragment, or an https URL; undefined for anything else.
 * @param origin of this site: its own URLs become paths
 */
export function targetIn(typed: string, origin: string): string | undefined {
  const text = typed.trim()
  if (/^https?:\/\//i.test(text)) {
    const url = isSafeUrl(text) ? URL.parse(text) : null
    if (url?.origin === origin) return pathWith(url.pathname, url.search + url.hash)
    return url?.protocol === 'https:' ? url.href : undefined
  }
  const { path, rest } = splitTarget(text)
  return /\s/.test(rest) ? undefined : pathWith(path, rest)
}

function pathWith(typed: string, rest: string): string | undefined {
  const path = pathIn(typed)
  return path === undefined ? undefined : path + rest
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text).normalize('NFC')
  } catch {
    return undefined
  }
}
