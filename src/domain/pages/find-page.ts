import { createHash } from 'node:crypto'
import { fillText, placeholdersOf } from '../../contract/fill-text.ts'
import { defaultLocale, type Locale, localizedPath, splitLocale } from '../../contract/locales.ts'
import type { PageText } from '../../contract/pages.ts'
import type { Context } from '../../platform/context.ts'
import { withoutIds } from './block-ids.ts'
import { findLivePage, type LiveRow, listAddressesOf } from './live-page.queries.ts'
import { findRedirectFrom } from './redirect.queries.ts'
import { splitTarget, targetIn, withRest } from './redirect-target.ts'

/** A page as visitors see it in one language. */
export interface FoundPage extends PageText {
  id: number
  /** Path without language prefix, where it is found in the language that was asked for: `/`, `/disclaimer`. */
  path: string
  /** Date of the text. */
  updated: string
  /** The language the content was found in; Dutch where a translation is missing. */
  contentLocale: Locale
  /** Where it is found in each language that it has a text of its own in, as in the address bar. */
  addresses: { locale: Locale; path: string }[]
}

type Where = Pick<Context, 'db' | 'site'>

/**
 * The published page at a path such as `/disclaimer`, in one language. Without a text in it the page is found at its
 * Dutch address, in Dutch; one that has a text is found there too, and its `path` is then another.
 */
export async function findPage(ctx: Where, path: string, locale: Locale): Promise<FoundPage | undefined> {
  const slug = slugOf(path)
  if (slug === undefined || !ctx.site.locales.includes(locale)) return undefined
  const own = await findLivePage(ctx.db, locale, slug)
  if (own) return toFound(ctx, own, { locale, path })
  const dutch = locale === defaultLocale ? undefined : await findLivePage(ctx.db, defaultLocale, slug)
  if (!dutch) return undefined
  const translated = (await listAddressesOf(ctx.db, dutch.pageId)).find((one) => one.locale === locale)
  const text = translated && (await findLivePage(ctx.db, locale, translated.slug))
  return text
    ? toFound(ctx, text, { locale, path: `/${text.text.slug}` })
    : toFound(ctx, dutch, { locale: defaultLocale, path })
}

/** Browsers follow no more of them either. */
const mostSteps = 20

/**
 * Where an address that no page has leads, as in the address bar; undefined when it leads to where visitors find nothing,
 * as a page that is off the site for now, or in a circle, which addresses of two languages can make together.
 * @param answers whether the site has something other than a page at a path, written as in the address bar
 */
export async function findRedirection(
  ctx: Where & Pick<Context, 'origin'>,
  path: string,
  locale: Locale,
  answers: (path: string) => Promise<boolean>,
): Promise<string | undefined> {
  const seen = new Set<string>()
  let at = { path, locale }
  let rest = ''
  while (seen.size < mostSteps) {
    const address = localizedPath(at.path, at.locale)
    if (seen.has(address)) return undefined
    const to = await findNext(ctx, at)
    if (to === undefined) {
      const last = encodeURI(address)
      return seen.size > 0 && (await answers(last)) ? last + rest : undefined
    }
    if (!to.startsWith('/')) return withRest(to, rest)
    seen.add(address)
    const target = splitTarget(to)
    rest = target.rest || rest
    at = splitLocale(target.path)
    const page = await findPage(ctx, at.path, at.locale)
    if (page) return encodeURI(localizedPath(page.path, at.locale)) + rest
  }
  return undefined
}

async function findNext(
  ctx: Where & Pick<Context, 'origin'>,
  { path, locale }: { path: string; locale: Locale },
): Promise<string | undefined> {
  const own = await findRedirectFrom(ctx.db, localizedPath(path, locale))
  // Menus name pages by their Dutch address in every language.
  const found = own ?? (locale === defaultLocale ? undefined : await findRedirectFrom(ctx.db, path))
  if (!found) return undefined
  const to = found.to.startsWith('/') ? found.to : (targetIn(found.to, ctx.origin) ?? found.to)
  return own ? to : inLocale(to, locale)
}

function inLocale(to: string, locale: Locale): string {
  const { path, rest } = splitTarget(to)
  return path.startsWith('/') && splitLocale(path).locale === defaultLocale ? localizedPath(path, locale) + rest : to
}

/** Where a page is read in a language, whether it has a text in it or not. */
export function addressIn(page: FoundPage, locale: Locale): string {
  const own = page.addresses.find((one) => one.locale === locale)?.path
  if (own) return own
  const dutch = page.addresses.find((one) => one.locale === defaultLocale)?.path
  return localizedPath(dutch ?? '/', locale)
}

/**
 * Date and short hash of the privacy statement as one language shows it: `2026-11-21-3f9c0a12`. It changes when the text
 * does, the names that are filled into it included.
 */
export async function privacyVersion(ctx: Where, locale: Locale): Promise<string> {
  const { site } = ctx
  const page = await findPage(ctx, '/privacy-verklaring', locale)
  // The year on the page turns by itself, and says nothing new.
  const { year: _, ...placeholders } = placeholdersOf(site, locale, new Date(0))
  const shown = fillText(JSON.stringify(withoutIds(page?.body ?? null)), placeholders)
  const hash = createHash('sha256').update(JSON.stringify([shown, site.brand, site.legal, site.contact.retentionDays]))
  return `${page?.updated}-${hash.digest('hex').slice(0, 8)}`
}

const slugOf = (path: string): string | undefined => (path.startsWith('/') ? path.slice(1) : undefined)

async function toFound(
  ctx: Where,
  { pageId, date, text }: LiveRow,
  found: { locale: Locale; path: string },
): Promise<FoundPage> {
  const addresses = await listAddressesOf(ctx.db, pageId)
  return {
    ...text,
    id: pageId,
    path: found.path,
    updated: date,
    contentLocale: found.locale,
    addresses: ctx.site.locales.flatMap((locale) => {
      const own = addresses.find((one) => one.locale === locale)
      return own ? [{ locale, path: localizedPath(`/${own.slug}`, locale) }] : []
    }),
  }
}
