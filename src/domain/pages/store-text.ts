import { limits } from '../../contract/limits.ts'
import type { Locale } from '../../contract/locales.ts'
import type { PageText } from '../../contract/pages.ts'
import { isReserved } from '../../contract/slug.ts'
import { cutText } from '../../contract/text.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { lockFiles } from '../files/lock-files.ts'
import { withIds } from './block-ids.ts'
import { type By, type Db, isSlugTaken, listSlugsLike } from './page.queries.ts'
import { type PageAt, writeText } from './page-write.queries.ts'
import { insertRevision } from './revision.queries.ts'

/**
 * One change of pages at a time, on every copy of the program: addresses are looked at and taken in one go, and no file
 * goes that a page comes to name.
 */
export async function lockPages(tx: Transaction, ctx: Pick<Context, 'dialect'>): Promise<void> {
  await ctx.dialect.lock(tx, 'pages')
  await lockFiles(tx, ctx)
}

/** Who does it, as the history keeps them. */
export const byOf = ({ actor }: { actor?: Context['actor'] }): By => ({
  id: actor?.id ?? null,
  name: actor?.name ?? '',
})

/** Writes a text as the next version; each block gets the `id` that it lacks. */
export async function storeText(
  tx: Transaction,
  at: PageAt,
  made: { text: PageText; version: number; now: Date; by: By; date?: string; restoredFrom?: number },
): Promise<{ revisionId: number; text: PageText }> {
  const { version, now, by } = made
  const text = { ...made.text, body: withIds(made.text.body) }
  const revisionId = await insertRevision(tx, at, {
    version,
    text,
    date: made.date ?? null,
    restoredFrom: made.restoredFrom ?? null,
    at: now,
    by,
  })
  await writeText(tx, at, { text, version, revisionId, at: now, by })
  return { revisionId, text }
}

/** The address itself, or with the first number behind it that makes it free, cut where both are too long. */
export async function freeSlug(
  db: Db,
  wanted: { slug: string; locale: Locale; pageId: number | undefined },
): Promise<string> {
  const { slug } = wanted
  if (slug !== '' && !isReserved(slug) && !(await isSlugTaken(db, wanted))) return slug
  let start: string | undefined
  let taken = new Set<string>()
  for (let number = 2; ; number++) {
    const end = `-${number}`
    const cut = cutText(slug, limits.slugChars - end.length)
    // A longer number may leave less in front of it.
    if (cut !== start) taken = new Set(await listSlugsLike(db, wanted.locale, cut))
    start = cut
    if (!taken.has(start + end)) return start + end
  }
}

/** The kept answers that change with a page: its own, and those at these addresses; `sitemap` holds all. */
export const tagsOf = (pageId: number, slugs: readonly (string | null)[]): string[] => [
  'sitemap',
  `page#${pageId}`,
  ...slugs.flatMap((slug) => (slug === null ? [] : [`page:/${slug}`])),
]
