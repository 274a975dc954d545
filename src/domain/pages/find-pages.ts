import { Refusal } from '../../contract/errors.ts'
import type { ListOf } from '../../contract/list.ts'
import type { Locale } from '../../contract/locales.ts'
import type { ListedPage, PageInLocale, PageQuery } from '../../contract/pages.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { searchParts } from '../../platform/db/text-search.ts'
import { allow } from '../allow.ts'
import { canSeePages } from './page.policy.ts'
import { type Db, findPageRow, findPageRows, type PageRow } from './page.queries.ts'
import { findPageIds, type WhichPages } from './page-list.queries.ts'
import { shownInLocale, shownPages } from './show-page.ts'

/** One page of the list of pages, those that were saved last first. Search looks at titles and addresses. */
export async function findPages(ctx: Context, query: PageQuery): Promise<ListOf<ListedPage>> {
  const actor = allow(ctx, canSeePages)
  const { page, pageSize, sort = '-updatedAt', search, status, locale, bin } = query
  const found = await findPageIds(
    ctx.db,
    ctx.dialect,
    {
      parts: searchParts(search),
      bin: bin === 'true',
      locale,
      status,
      userId: actor.id,
      sort: sort.replace('-', '') as WhichPages['sort'],
      descending: sort.startsWith('-'),
    },
    { offset: (page - 1) * pageSize, limit: pageSize },
  )
  return {
    data: await shownPages(ctx.db, await findPageRows(ctx.db, found.ids), actor),
    meta: { page, pageSize, total: found.total, ...(found.more && { more: true as const }) },
  }
}

/** @throws {Refusal} `not_found` */
export async function getPage(ctx: Context, id: number): Promise<ListedPage> {
  const actor = allow(ctx, canSeePages)
  return (await shownPages(ctx.db, [await getPageRow(ctx.db, id)], actor))[0] as ListedPage
}

/** A page as it is edited in one language, whether it has a text there or not. @throws {Refusal} `not_found` */
export async function getPageInLocale(
  ctx: Context,
  { id, locale }: { id: number; locale: Locale },
): Promise<PageInLocale> {
  const actor = allow(ctx, canSeePages)
  return shownInLocale(ctx.db, await getPageRow(ctx.db, id), locale, actor)
}

/** @throws {Refusal} `not_found` */
export async function getPageRow(db: Db, id: number): Promise<PageRow> {
  const page = await findPageRow(db, id)
  if (!page) throw new Refusal('not_found')
  return page
}

/** A page that may be changed. @throws {Refusal} `not_found`, `page_in_bin` */
export async function openPageRow(tx: Transaction, id: number): Promise<PageRow> {
  const page = await getPageRow(tx, id)
  if (page.deletedAt !== null) throw new Refusal('page_in_bin')
  return page
}
