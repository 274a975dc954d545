import { type SiteLanguages, splitLocale } from '../../contract/locales.ts'
import { isFileName, isReserved, isSearchSlug } from '../../contract/slug.ts'
import { isSafeUrl } from '../../contract/url.ts'

/** Splits a target before the first ? or #. `rest` is its query and fragment with these characters, or empty. */
export function splitTarget(to: string): { path: string; rest: string } {
  const end = to.search(/[?#]/)
  return end === -1 ? { path: to, rest: '' } : { path: to.slice(0, end), rest: to.slice(end) }
}

/** Appends a query and fragment to a target that has neither. */
export const appendRest = (to: string, rest: string): string => (splitTarget(to).rest === '' ? to + rest : to)

/** Whether a path is reserved for routes or files of this server: no page or redirect can have it. */
export function isReservedPath(path: string, site: SiteLanguages): boolean {
  const slug = splitLocale(path, site).path.slice(1)
  return isReserved(slug) || isSearchSlug(slug) || (isFileName(slug) && !otherSystemsPage.test(slug))
}

/** The paths of pages of other systems, such as PHP: after a move they must be redirected. */
const otherSystemsPage = /\.(html?|php|aspx?|jsp)$/i

/** A typed path as stored: decoded, in NFC, without trailing slashes; undefined for no path. Not for a decoded path. */
export function normalizePath(typed: string): string | undefined {
  const path = decode(typed.trim())
  if (path === undefined || !/^\/(?!\/)[^?#\\\p{Cc}\p{Zl}\p{Zp}]*$/u.test(path)) return undefined
  return path.length > 1 ? path.replace(/\/+$/, '') || '/' : path
}

/** A stored address as a user may type it: `normalizePath` and `normalizeTarget` return the stored one for it. */
export function toTypedAddress(stored: string): string {
  if (!stored.startsWith('/')) return stored
  const { path, rest } = splitTarget(stored)
  return path.replaceAll('%', '%25') + rest
}

/** Undoes `toTypedAddress` for a path or a part of one, for a search. */
export function toStoredAddress(typed: string): string {
  const { path, rest } = splitTarget(typed)
  return (decode(path) ?? path) + rest
}

/** A query and fragment with the characters encoded that a URL does not allow. */
export function encodeRest(rest: string): string {
  const { search, hash } = new URL(rest, 'http://site.invalid')
  return search + hash
}

/**
 * A typed target as stored: a path with an optional query and fragment, or an https URL; undefined for anything else.
 * @param origin that of this site, whose URLs become paths
 */
export function normalizeTarget(typed: string, origin: string): string | undefined {
  const text = typed.trim()
  if (/^https?:\/\//i.test(text)) {
    const url = isSafeUrl(text) ? URL.parse(text) : null
    if (url?.origin === origin) return normalizePathWith(url.pathname, url.search + url.hash)
    return url?.protocol === 'https:' ? url.href : undefined
  }
  const { path, rest } = splitTarget(text)
  return /\s/.test(rest) ? undefined : normalizePathWith(path, rest)
}

function normalizePathWith(typed: string, rest: string): string | undefined {
  const path = normalizePath(typed)
  return path === undefined ? undefined : path + rest
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text).normalize('NFC')
  } catch {
    return undefined
  }
}
