import { splitLocale } from '../../contract/locales.ts'
import { isFileName, isReserved } from '../../contract/slug.ts'
import { isSafeUrl } from '../../contract/url.ts'

/** What is in front of the first ? or #, which decides where one arrives, and the rest. */
export function splitTarget(to: string): { path: string; rest: string } {
  const end = to.search(/[?#]/)
  return end === -1 ? { path: to, rest: '' } : { path: to.slice(0, end), rest: to.slice(end) }
}

/** What was asked for behind the old address goes with it, unless the new one has something there itself. */
export const withRest = (to: string, rest: string): string => (splitTarget(to).rest === '' ? to + rest : to)

/** Whether a path is for the site itself, answered or not: no page can be there, and nothing leads on from it. */
export function isOwn(path: string): boolean {
  const own = splitLocale(path).path.slice(1)
  return isReserved(own) || (isFileName(own) && !isOldPage.test(own))
}

/** What pages of another system are called: links to them are what a redirect is for. */
const isOldPage = /\.(html?|php|aspx?|jsp)$/i

/** A path as addresses are compared; undefined for what is none. */
export function pathIn(typed: string): string | undefined {
  const path = decoded(typed.trim())
  if (path === undefined || !/^\/(?!\/)[^?#\\\p{Cc}\p{Zl}\p{Zp}]*$/u.test(path)) return undefined
  return path.length > 1 ? path.replace(/\/+$/, '') || '/' : path
}

/**
 * A path, which may lead to a place on its page, or a whole address of the web; undefined for what is neither.
 * @param origin this site's own: a whole address of it is a path
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
