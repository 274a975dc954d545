import { type Locale, localizedPath } from '../../contract/locales.ts'
import type { Context } from '../../platform/context.ts'
import { countListed, listListed } from './live-page.queries.ts'

/** An address for search engines, with those of the same page in the other languages, itself among them. */
export interface ListedAddress {
  path: string
  updated: string
  alternates: { locale: Locale; path: string }[]
}

/** How many addresses there are for search engines. */
export const countAddresses = ({ db, site }: Pick<Context, 'db' | 'site'>): Promise<number> =>
  countListed(db, site.locales)

/** Some of them, page after page. */
export async function listAddresses(
  { db, site }: Pick<Context, 'db' | 'site'>,
  { offset, limit }: { offset: number; limit: number },
): Promise<ListedAddress[]> {
  // One more at each end, for the page that stands at the border.
  const before = Math.min(offset, 1)
  const rows = await listListed(db, site.locales, { offset: offset - before, limit: limit + before + 1 })
  const pathsOf = Map.groupBy(rows, ({ pageId }) => pageId)
  return rows.slice(before, before + limit).map((row) => ({
    path: pathOf(row),
    updated: row.date,
    alternates: (pathsOf.get(row.pageId) ?? []).map((one) => ({ locale: one.locale, path: pathOf(one) })),
  }))
}

const pathOf = ({ slug, locale }: { slug: string; locale: Locale }) => localizedPath(`/${slug}`, locale)
