import { limits } from '../../contract/limits.ts'
import { locales } from '../../contract/locales.ts'
import type { ListedPage, PageText } from '../../contract/pages.ts'
import { slugFrom } from '../../contract/slug.ts'
import { cutText } from '../../contract/text.ts'
import { translator } from '../../i18n/translate.ts'
import type { Context } from '../../platform/context.ts'
import { allow } from '../allow.ts'
import { record } from '../audit/record.ts'
import { getPageRow, openPageRow } from './find-pages.ts'
import { canWritePages } from './page.policy.ts'
import { insertPage, refreshPage } from './page-write.queries.ts'
import { findRevision } from './revision.queries.ts'
import { shownPage, subjectOf } from './show-page.ts'
import { byOf, freeSlug, lockPages, storeText } from './store-text.ts'

/** Adds a page with the same texts, as they are saved, under addresses of its own. @throws {Refusal} `not_found`, `page_in_bin` */
export async function duplicatePage(ctx: Context, id: number): Promise<ListedPage> {
  const actor = allow(ctx, canWritePages)
  const by = byOf(ctx)
  const now = ctx.now()

  return ctx.transaction(async (tx) => {
    await lockPages(tx, ctx)
    const page = await openPageRow(tx, id)
    const pageId = await insertPage(tx, { fixed: false, seeded: false, at: now, by })
    for (const locale of locales) {
      const own = page.texts[locale]
      const revision = own && (await findRevision(tx, { pageId: id, locale }, own.savedId))
      if (!revision) continue
      const slug = await freeSlug(tx, {
        slug: revision.text.slug || slugFrom(revision.text.title, locale),
        locale,
        pageId: undefined,
      })
      const title = cutText(translator(locale)('pages.copyOf', { title: revision.text.title }), limits.pageTitleChars)
      const text: PageText = { ...revision.text, title, slug }
      await storeText(tx, { pageId, locale }, { text, version: 1, now, by })
    }
    await refreshPage(tx, pageId, { seeded: false })
    const made = await getPageRow(tx, pageId)
    await record(tx, ctx, {
      action: 'page.duplicated',
      subject: subjectOf(made),
      after: { title: subjectOf(made).name, from: subjectOf(page).name },
    })
    return shownPage(tx, pageId, actor)
  })
}
