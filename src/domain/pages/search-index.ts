import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { textsOf } from '../../blocks/block-texts.ts'
import { limits } from '../../contract/limits.ts'
import { type Locale, locales } from '../../contract/locales.ts'
import type { PageText } from '../../contract/pages.ts'
import { fillPlaceholders, type Placeholders, placeholdersOf } from '../../contract/placeholders.ts'
import { truncateText } from '../../contract/text.ts'
import type { Context } from '../../platform/context.ts'
import type { Database, Transaction } from '../../platform/db/database.ts'
import { foldWords, spacedWords } from '../../platform/db/text-search.ts'
import { lockPaths } from '../redirects/redirects.ts'
import { showSections } from '../sections/shown-sections.ts'
import { deleteSearchRow, listOutdatedTexts, upsertSearchRow } from './search.queries.ts'

type Site = Pick<Context, 'site' | 'now'>

/** Increment it when `textsOf` finds other texts in the same blocks: then all of them are read again. */
const extraction = 1

/** What the texts are filled with now: it changes with the values of placeholders, and with the offer. */
export function currentFilling({ site, now }: Site): string {
  const values = [extraction, ...locales.map((locale) => placeholdersOf(site, locale, now(), '')), site.offer]
  return createHash('sha256').update(JSON.stringify(values)).digest('base64url').slice(0, 22)
}

/** Writes what visitors find of a page in one language. @param at.live the published revision, if there is one */
export async function indexPage(
  tx: Transaction,
  ctx: Site,
  at: { pageId: number; locale: Locale; live: { id: number; text: PageText } | undefined },
): Promise<void> {
  const { pageId, locale, live } = at
  if (!live || live.text.noindex) return deleteSearchRow(tx, pageId, locale)
  const { title, text } = await readablePage(tx, ctx, locale, live.text)
  const words = foldWords(title)
  await upsertSearchRow(tx, {
    page_id: pageId,
    locale,
    revision_id: live.id,
    filled_with: currentFilling(ctx),
    title,
    search_title: spacedWords(words),
    search_text: spacedWords(`${words} ${foldWords(text)}`),
    text,
  })
}

/** The title and text of a page as an anonymous visitor reads them now; the text has a line for each field. */
export async function readablePage(
  db: Database | Transaction,
  { site, now }: Site,
  locale: Locale,
  page: PageText,
): Promise<{ title: string; text: string }> {
  const filled: Partial<Record<Locale, Placeholders>> = {}
  const placeholdersIn = (one: Locale) => {
    filled[one] ??= placeholdersOf(site, one, now(), '')
    return filled[one]
  }
  const { body } = await showSections(db, locale, page.body)
  const text = textsOf(body, { site, locale, placeholdersIn }).join('\n')
  return {
    title: fillPlaceholders(page.title, placeholdersIn(locale)),
    text: truncateText(text, limits.siteSearchTextChars),
  }
}

const batch = 20

/** Reads the texts again that show a changed section, or other values of placeholders. */
export async function refreshSearchIndex(
  ctx: Pick<Context, 'transaction' | 'dialect' | 'site' | 'now'>,
  stopping: AbortSignal,
): Promise<void> {
  const current = currentFilling(ctx)
  for (let refreshed = batch; refreshed === batch && !stopping.aborted; ) {
    refreshed = await ctx.transaction(async (tx) => {
      // No page or section changes between reading and writing.
      await lockPaths(tx, ctx)
      const outdated = await listOutdatedTexts(tx, current, batch)
      for (const text of outdated) await indexPage(tx, ctx, text)
      return outdated.length
    })
    await nextTurn()
  }
}
