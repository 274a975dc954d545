import { deepEqual } from '../../contract/deep-equal.ts'
import { Refusal } from '../../contract/errors.ts'
import type { ListOf } from '../../contract/list.ts'
import type { Locale } from '../../contract/locales.ts'
import type { RestoredText, Revision, RevisionGroup, RevisionQuery } from '../../contract/pages.ts'
import type { Context } from '../../platform/context.ts'
import { allow } from '../allow.ts'
import type { HistoryKey } from '../revisions/revision.queries.ts'
import { getSave, listHistory, readEarlierBlocks } from '../revisions/revisions.ts'
import { auditedChange } from './audited-page.ts'
import { editPageInTransaction, type PageEdit } from './edit-page.ts'
import { entrySlugProblem } from './entries.ts'
import { getPageRow } from './list-pages.ts'
import { canSeePages, canWritePages } from './page.policy.ts'
import { isSlugTaken, type TextRow } from './page.queries.ts'
import { openText, stale } from './publish-page.ts'
import { findPageRevision, type RevisionRow } from './revision.queries.ts'
import { asDraft, shownInLocale } from './show-page.ts'

interface At {
  id: number
  locale: Locale
}

/**
 * The history of a page, newest first. Saves by one user at short intervals form a group; `query.line` lists the saves
 * of one group.
 * @throws {Refusal} `not_found`
 */
export async function listRevisions(
  ctx: Context,
  { id, locale }: At,
  query: RevisionQuery,
): Promise<ListOf<RevisionGroup>> {
  const actor = allow(ctx, canSeePages)
  const { texts } = await getPageRow(ctx.db, id)
  return listHistory(ctx.db, historyOf(id, locale), query, { actor, ...revisionsNow(texts[locale]) })
}

/** @throws {Refusal} `not_found` */
export async function getRevision(ctx: Context, { id, locale }: At, revisionId: number): Promise<Revision> {
  const actor = allow(ctx, canSeePages)
  const { texts } = await getPageRow(ctx.db, id)
  const row = await findPageRevision(ctx.db, { pageId: id, locale }, revisionId)
  if (!row) throw new Refusal('not_found')
  const save = await getSave(ctx.db, historyOf(id, locale), revisionId, { actor, ...revisionsNow(texts[locale]) })
  return { ...save, at: row.at, text: asDraft(row.text) }
}

const historyOf = (id: number, locale: Locale): HistoryKey => ({ of: 'page', id, locale })

const revisionsNow = (text: TextRow | undefined) => ({ saved: text?.savedRevisionId, live: text?.liveRevisionId })

/**
 * Saves an earlier text as a new version; it is not published. If another page has its slug by now, the current slug
 * stays.
 * @throws {Refusal} `not_found`, `page_in_bin`, `stale`; `invalid` when one of its blocks is no longer valid
 */
export async function restorePageRevision(
  ctx: Context,
  { id, locale }: At,
  { revisionId, version }: { revisionId: number; version: number },
): Promise<RestoredText> {
  const actor = allow(ctx, canWritePages)
  return editPageInTransaction(ctx, id, async (edit) => {
    const { text, saved: before } = await openText(edit, locale)
    if (version !== text.version) throw await stale(edit, locale, actor)
    const saved = await restoreText(edit, locale, revisionId)
    const undo = saved.id === before.id ? null : { version: saved.version, revision: before.id }
    return { ...(await shownInLocale(edit, edit.page, locale, actor, saved)), undo }
  })
}

/**
 * Saves a revision as a new one, unless its text equals the saved one.
 * @returns the saved revision
 * @throws {Refusal} `not_found`, `invalid`
 */
export async function restoreText(edit: PageEdit, locale: Locale, revisionId: number): Promise<RevisionRow> {
  const { saved } = await openText(edit, locale)
  const wanted = await edit.revision(locale, revisionId)
  if (!wanted) throw new Refusal('not_found')
  const { tx, page } = edit
  const { slug } = wanted.text
  const keepsSlug =
    page.fixed ||
    entrySlugProblem(edit.site, page, slug, locale) !== undefined ||
    (await isSlugTaken(tx, { locale, slug, pageId: page.id }))
  const body = readEarlierBlocks(wanted.text.body, ['text', 'body'])
  const text = { ...wanted.text, body, ...(keepsSlug && { slug: saved.text.slug }) }
  if (deepEqual(text, saved.text)) return saved
  const restored = await edit.save(locale, text, { restoredFrom: wanted.id })
  edit.record({ action: 'page.restored', ...auditedChange(locale, saved, restored) })
  return restored
}
