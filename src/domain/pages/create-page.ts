import { Refusal } from '../../contract/errors.ts'
import type { ListedPage, NewPage, PageText, SlugQuery } from '../../contract/pages.ts'
import { slugFrom } from '../../contract/slug.ts'
import type { Context } from '../../platform/context.ts'
import { allow } from '../allow.ts'
import { record } from '../audit/record.ts'
import { auditedChange } from './audited-page.ts'
import { getPageRow } from './find-pages.ts'
import { canWritePages } from './page.policy.ts'
import { isSlugTaken } from './page.queries.ts'
import { insertPage, refreshPage } from './page-write.queries.ts'
import { shownPage, subjectOf } from './show-page.ts'
import { byOf, freeSlug, lockPages, storeText } from './store-text.ts'

/** Adds a page with a title alone; visitors do not see it. @throws {Refusal} `invalid` at `slug` when it is empty or taken */
export async function createPage(ctx: Context, { locale, title, slug }: NewPage): Promise<ListedPage> {
  const actor = allow(ctx, canWritePages)
  if (slug === '') throw new Refusal('invalid', { problems: [{ path: 'slug', key: 'required' }] })
  const by = byOf(ctx)
  const now = ctx.now()

  return ctx.transaction(async (tx) => {
    await lockPages(tx, ctx)
    if (slug !== undefined && (await isSlugTaken(tx, { locale, slug, pageId: undefined }))) {
      throw new Refusal('invalid', { problems: [{ path: 'slug', key: 'slugTaken' }] })
    }
    const own = slug ?? (await freeSlug(tx, { slug: slugFrom(title, locale), locale, pageId: undefined }))
    const pageId = await insertPage(tx, { fixed: false, seeded: false, at: now, by })
    const stored = await storeText(tx, { pageId, locale }, { text: newText(title, own), version: 1, now, by })
    await refreshPage(tx, pageId, { seeded: false })
    const page = await getPageRow(tx, pageId)
    await record(tx, ctx, {
      action: 'page.created',
      subject: subjectOf(page),
      ...auditedChange(locale, undefined, stored),
    })
    return shownPage(tx, pageId, actor)
  })
}

/** The address that a title makes, with a number behind it when another page has it. */
export async function suggestSlug(ctx: Context, { title, locale, id }: SlugQuery): Promise<{ slug: string }> {
  allow(ctx, canWritePages)
  return { slug: await freeSlug(ctx.db, { slug: slugFrom(title, locale), locale, pageId: id }) }
}

const newText = (title: string, slug: string): PageText => ({
  title,
  slug,
  seoTitle: '',
  description: '',
  picture: '',
  noindex: false,
  body: [],
})
