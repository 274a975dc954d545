import { type Locale, locales } from '../../contract/locales.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { getPageRow } from './find-pages.ts'
import { isSlugTaken, type PageRow } from './page.queries.ts'
import { writePlan } from './page-write.queries.ts'
import { findRevision } from './revision.queries.ts'

export const isOver = (moment: string | null, now: Date): boolean => moment !== null && moment <= now.toISOString()

/**
 * Gives a page out of the bin what was planned for it, as far as its time is still to come.
 * @param before as it lay in the bin
 * @returns the languages in which something planned is gone
 */
export async function planAgain(tx: Transaction, before: PageRow, may: boolean, now: Date): Promise<Locale[]> {
  const gone: Locale[] = []
  const page = await getPageRow(tx, before.id)
  for (const locale of locales) {
    const [was, is] = [before.texts[locale], page.texts[locale]]
    if (!was || !is || (was.binPublishAt === null && was.binUnpublishAt === null)) continue
    const at = { pageId: page.id, locale }
    // What was planned as it was saved has its new address, where it needed one.
    const id = was.binPublishId === was.savedId ? is.savedId : was.binPublishId
    const revision = id === null || isOver(was.binPublishAt, now) ? undefined : await findRevision(tx, at, id)
    const isFree = revision && !(await isSlugTaken(tx, { locale, slug: revision.text.slug, pageId: page.id }))
    const publish =
      may && was.binPublishAt !== null && revision && isFree
        ? { at: new Date(was.binPublishAt), revisionId: revision.id, text: revision.text }
        : null
    const ends = was.binUnpublishAt !== null && !isOver(was.binUnpublishAt, now)
    const unpublishAt = may && ends && (publish || is.liveId !== null) ? new Date(was.binUnpublishAt as string) : null
    await writePlan(tx, at, { publish, unpublishAt })
    if (
      (publish === null) !== (was.binPublishAt === null) ||
      (unpublishAt === null) !== (was.binUnpublishAt === null)
    ) {
      gone.push(locale)
    }
  }
  return gone
}
