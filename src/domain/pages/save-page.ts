import { blockSchema } from '../../blocks/registry.ts'
import { deepEqual } from '../../contract/deep-equal.ts'
import { emptyText } from '../../contract/empty-text.ts'
import { Refusal } from '../../contract/errors.ts'
import type { Locale } from '../../contract/locales.ts'
import { type MergedPage, mergePage } from '../../contract/merge-page.ts'
import { pageBody } from '../../contract/page-body.ts'
import type { ChangedPage, DraftText, PageText, SavedPage, StalePage, UndoState } from '../../contract/pages.ts'
import { isLanguagePrefix, isSearchSlug } from '../../contract/slug.ts'
import type { Actor, Context } from '../../platform/context.ts'
import { allow } from '../allow.ts'
import { nameInSentence } from '../audit/record.ts'
import { refuseMissingFiles } from '../files/lock-files.ts'
import { refuseWrongSections } from '../sections/shown-sections.ts'
import { auditedChange } from './audited-page.ts'
import { editPageInTransaction, type PageEdit, pathOf } from './edit-page.ts'
import { checkValues, entrySlugProblem } from './entries.ts'
import { refuseOverfilledText } from './filled-size.ts'
import { refuseOtherLanguage } from './list-pages.ts'
import { canPublishPages, canWritePages } from './page.policy.ts'
import { isSavedSlugOf, isSlugTaken, type TextRow, textsOf } from './page.queries.ts'
import { endDraft } from './page-draft.queries.ts'
import { findVersion, type RevisionRow } from './revision.queries.ts'
import { asDraft, shownInLocale } from './show-page.ts'

/**
 * Saves a page in one language; changes saved by others meanwhile are merged when they do not conflict. The text goes
 * live only when it is published too. The actor's draft ends.
 * @throws {Refusal} `stale` with a `StalePage`; `not_found`, `page_in_bin`; `invalid` at `text.…`; `not_allowed`
 */
export async function savePage(
  ctx: Context,
  { id, locale }: { id: number; locale: Locale },
  input: ChangedPage,
): Promise<SavedPage> {
  const actor = allow(ctx, canWritePages)
  if (input.publish) allow(ctx, canPublishPages)

  return editPageInTransaction(ctx, id, async (edit) => {
    const { tx, page, site } = edit
    refuseOtherLanguage(site, page, locale)
    const before = page.texts[locale] && { ...page.texts[locale] }
    const current = await edit.revision(locale, before?.savedRevisionId)
    // A request that does not name the fields of an entry leaves them as they are.
    const fieldsSent = input.text.fields ?? current?.text.fields
    const named = { ...input, text: { ...input.text, ...(fieldsSent && { fields: fieldsSent }) } }
    const { text: sent, merged } = await mergeWithCurrent(edit, { locale, current, actor }, named)
    const fields = checkValues(site, page, { before: current?.text.fields, now: sent.fields })
    const text = page.collection === null ? sent : { ...sent, fields }
    await checkSlug(edit, locale, text.slug)
    refuseOverfilledText(site, locale, text)
    await refuseWrongSections(tx, { before: current?.text.body ?? [], now: text.body, at: 'text.body' })
    await refuseMissingFiles(tx, ctx, { before: current?.text, now: text, at: ['text'] })

    const changed = !current || !deepEqual(current.text, text)
    const saved = changed ? await edit.save(locale, text) : current
    if (changed) edit.record({ action: 'page.updated', ...auditedChange(locale, current, saved) })
    const published = input.publish && before?.liveRevisionId !== saved.id
    if (published) {
      await edit.publish(locale, saved)
      edit.record({
        action: 'page.published',
        before: { publishAt: before?.publishAt ?? null },
        after: { language: locale, path: pathOf(saved.text.slug, locale, site), publishAt: null },
      })
    }
    const draft = { revision: input.draftRevision, text: asDraft(saved.text) }
    await endDraft(tx, { pageId: id, locale }, actor.id, { savedAt: edit.now, ...draft })
    const shown = await shownInLocale(edit, page, locale, actor, saved)
    const unpublishes = published && before?.liveRevisionId === null
    const canUndo = (changed || published) && !(unpublishes && !shown.can.unpublish)
    return {
      ...shown,
      ...(merged && { merged }),
      undo: before && canUndo ? { version: shown.version, ...stateBefore(before, published) } : null,
      droppedPlan: shown.publishAt === null ? (before?.publishAt ?? null) : null,
    }
  })
}

/** @param published whether the live text changed with the save */
function stateBefore(before: TextRow, published: boolean): Omit<UndoState, 'version'> {
  const { savedRevisionId, liveRevisionId, liveDate, publishRevisionId, publishAt } = before
  if (!published) return { revision: savedRevisionId }
  const live = liveRevisionId === null || liveDate === null ? null : { revision: liveRevisionId, date: liveDate }
  const scheduled =
    publishRevisionId === null || publishAt === null ? null : { revision: publishRevisionId, at: publishAt }
  return { revision: savedRevisionId, visitors: { live, planned: scheduled } }
}

/** The sent text merged with what was saved meanwhile. @throws {Refusal} `stale` */
async function mergeWithCurrent(
  edit: PageEdit,
  { locale, current, actor }: { locale: Locale; current: RevisionRow | undefined; actor: Actor },
  input: ChangedPage,
): Promise<{ text: PageText; merged?: { by: string; at: string } }> {
  if (!current || input.version === current.version) return { text: input.text }
  const baseRevision = await findVersion(edit.tx, { pageId: edit.page.id, locale }, input.version)
  const base = baseRevision ? asDraft(baseRevision.text) : emptyText
  const [mine, theirs] = [asDraft(input.text), asDraft(current.text)]
  const { text, conflicts } = mergePage(base, mine, theirs)
  const checked = conflicts.length > 0 ? { text, conflicts } : checkMerged({ base, mine, theirs }, text)
  if (checked.conflicts.length > 0 || input.version > current.version) {
    throw new Refusal('stale', {
      current: {
        page: await shownInLocale(edit, edit.page, locale, actor, current),
        conflicts: checked.conflicts,
        merged: checked.text,
      } satisfies StalePage,
    })
  }
  return { text: text as PageText, merged: { by: nameInSentence(current.by, actor.locale), at: current.at } }
}

const body = pageBody(blockSchema)

/**
 * Two valid texts can exceed a limit of a block or page when merged. Such a block or field is treated as one conflict,
 * and the actor's version stays in the text.
 */
function checkMerged(from: Record<'base' | 'mine' | 'theirs', DraftText>, text: DraftText): MergedPage {
  const read = body.safeParse(text.body)
  if (read.success) return { text, conflicts: [] }
  const indexes = [...new Set(read.error.issues.map(({ path }) => path[0]))]
  const ids = indexes.map((index) => (typeof index === 'number' ? text.body[index]?.id : undefined))
  if (!ids.every((id) => typeof id === 'string')) {
    const [base, mine, theirs] = [from.base.body, from.mine.body, from.theirs.body]
    return { text: { ...text, body: mine }, conflicts: [{ field: 'body', block: null, base, mine, theirs }] }
  }
  const conflicts = ids.map((id) => {
    const inside = ({ body }: DraftText) => body.find((block) => block.id === id) ?? null
    return { field: 'body', block: id, base: inside(from.base), mine: inside(from.mine), theirs: inside(from.theirs) }
  })
  const own = new Map(conflicts.map(({ block, mine }) => [block, mine]))
  return {
    text: { ...text, body: text.body.map((block) => own.get(String(block.id)) ?? block) },
    conflicts,
  }
}

/** @throws {Refusal} `invalid` at `text.slug` */
async function checkSlug({ tx, page, site }: PageEdit, locale: Locale, slug: string): Promise<void> {
  const refuse = (key: 'slugFixed' | 'slugReserved' | 'slugTaken' | 'required' | 'entrySlug') => {
    throw new Refusal('invalid', { problems: [{ path: 'text.slug', key }] })
  }
  if (page.fixed && slug !== (page.texts[locale] ?? textsOf(page)[0])?.slug) refuse('slugFixed')
  if (!page.fixed && slug === '') refuse('required')
  const isNew = (page.texts[locale]?.slug ?? '') !== slug
  if (isNew && isLanguagePrefix(site.locales, slug)) refuse('slugReserved')
  if (isSearchSlug(slug) && !(await isSavedSlugOf(tx, page.id, slug))) refuse('slugReserved')
  if (await isSlugTaken(tx, { locale, slug, pageId: page.id })) refuse('slugTaken')
  const problem = slug === page.texts[locale]?.slug ? undefined : entrySlugProblem(site, page, slug, locale)
  if (problem) refuse(problem)
}
