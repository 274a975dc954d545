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
import { refuseInvalidSections } from '../sections/shown-sections.ts'
import { auditedChange } from './audited-page.ts'
import { editPageInTransaction, type PageEdit, pathOf } from './edit-page.ts'
import { entrySlugProblem, validateEntryValues } from './entries.ts'
import { refuseOverfilledText } from './filled-size.ts'
import { refuseUnavailableLocale } from './list-pages.ts'
import { canPublishPages, canWritePages } from './page.policy.ts'
import { isSavedSlugOf, isSlugTaken, type TextRow, textsOf } from './page.queries.ts'
import { endDraft } from './page-draft.queries.ts'
import { findByVersion, type RevisionRow } from './revision.queries.ts'
import { asDraft, loadPageInLocale } from './show-page.ts'

/**
 * Saves a page in one language, merged with what others saved meanwhile, and ends the actor's draft. The text goes live
 * only with `input.publish`.
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
    refuseUnavailableLocale(site, page, locale)
    // A copy, because the change below mutates the row.
    const before = page.texts[locale] && { ...page.texts[locale] }
    const current = await edit.revision(locale, before?.savedRevisionId)
    // A request without the fields of an entry leaves them as they are.
    const entryFields = input.text.fields ?? current?.text.fields
    const submitted = { ...input, text: { ...input.text, ...(entryFields && { fields: entryFields }) } }
    const { text: mergedText, merged } = await mergeWithCurrent(edit, { locale, current, actor }, submitted)
    const fields = validateEntryValues(site, page, { before: current?.text.fields, now: mergedText.fields })
    const text = page.collection === null ? mergedText : { ...mergedText, fields }
    await validateSlug(edit, locale, text.slug)
    refuseOverfilledText(site, locale, text)
    await refuseInvalidSections(tx, { before: current?.text.body ?? [], now: text.body, path: 'text.body' })
    await refuseMissingFiles(tx, ctx, { before: current?.text, after: text, path: ['text'] })

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
    const response = await loadPageInLocale(edit, page, locale, actor, saved)
    const undoWouldUnpublish = published && before?.liveRevisionId === null
    const canUndo = (changed || published) && (!undoWouldUnpublish || response.can.unpublish)
    return {
      ...response,
      ...(merged && { merged }),
      undo: before && canUndo ? { version: response.version, ...undoStateOf(before, published) } : null,
      droppedPlan: response.publishAt === null ? (before?.publishAt ?? null) : null,
    }
  })
}

/** What an undo restores. @param published whether the save was published, so that the live text is restored too */
function undoStateOf(before: TextRow, published: boolean): Omit<UndoState, 'version'> {
  const { savedRevisionId, liveRevisionId, liveDate, publishRevisionId, publishAt } = before
  if (!published) return { revision: savedRevisionId }
  const live = liveRevisionId === null || liveDate === null ? null : { revision: liveRevisionId, date: liveDate }
  const scheduled =
    publishRevisionId === null || publishAt === null ? null : { revision: publishRevisionId, at: publishAt }
  return { revision: savedRevisionId, visitors: { live, planned: scheduled } }
}

/** The submitted text, with what was saved meanwhile; `merged`: by whom and when. @throws {Refusal} `stale` */
async function mergeWithCurrent(
  edit: PageEdit,
  { locale, current, actor }: { locale: Locale; current: RevisionRow | undefined; actor: Actor },
  input: ChangedPage,
): Promise<{ text: PageText; merged?: { by: string; at: string } }> {
  if (!current || input.version === current.version) return { text: input.text }
  const baseRevision = await findByVersion(edit.tx, { pageId: edit.page.id, locale }, input.version)
  const base = baseRevision ? asDraft(baseRevision.text) : emptyText
  const [mine, theirs] = [asDraft(input.text), asDraft(current.text)]
  const { text, conflicts } = mergePage(base, mine, theirs)
  const result = conflicts.length > 0 ? { text, conflicts } : validateMerged({ base, mine, theirs }, text)
  // A version that was never saved is refused too.
  if (result.conflicts.length > 0 || input.version > current.version) {
    throw new Refusal('stale', {
      current: {
        page: await loadPageInLocale(edit, edit.page, locale, actor, current),
        conflicts: result.conflicts,
        merged: result.text,
      } satisfies StalePage,
    })
  }
  return { text: text as PageText, merged: { by: nameInSentence(current.by, actor.locale), at: current.at } }
}

const bodySchema = pageBody(blockSchema)

/**
 * Validates a merged body: two valid texts can exceed a limit of a block or page when merged. Each invalid block, or
 * else the whole body, becomes a conflict, and the actor's version stays in the text.
 */
function validateMerged(versions: Record<'base' | 'mine' | 'theirs', DraftText>, text: DraftText): MergedPage {
  const parsed = bodySchema.safeParse(text.body)
  if (parsed.success) return { text, conflicts: [] }
  const indexes = [...new Set(parsed.error.issues.map(({ path }) => path[0]))]
  const ids = indexes.map((index) => (typeof index === 'number' ? text.body[index]?.id : undefined))
  if (!ids.every((id) => typeof id === 'string')) {
    const [base, mine, theirs] = [versions.base.body, versions.mine.body, versions.theirs.body]
    return { text: { ...text, body: mine }, conflicts: [{ field: 'body', block: null, base, mine, theirs }] }
  }
  const conflicts = ids.map((id) => {
    const blockIn = ({ body }: DraftText) => body.find((block) => block.id === id) ?? null
    const { base, mine, theirs } = versions
    return { field: 'body', block: id, base: blockIn(base), mine: blockIn(mine), theirs: blockIn(theirs) }
  })
  const mineById = new Map(conflicts.map(({ block, mine }) => [block, mine]))
  return {
    text: { ...text, body: text.body.map((block) => mineById.get(String(block.id)) ?? block) },
    conflicts,
  }
}

/** @throws {Refusal} `invalid` at `text.slug` */
async function validateSlug({ tx, page, site }: PageEdit, locale: Locale, slug: string): Promise<void> {
  const refuse = (key: 'slugFixed' | 'slugReserved' | 'slugTaken' | 'required' | 'entrySlug') => {
    throw new Refusal('invalid', { problems: [{ path: 'text.slug', key }] })
  }
  if (page.fixed && slug !== (page.texts[locale] ?? textsOf(page)[0])?.slug) refuse('slugFixed')
  if (!page.fixed && slug === '') refuse('required')
  const isChanged = (page.texts[locale]?.slug ?? '') !== slug
  if (isChanged && isLanguagePrefix(site.locales, slug)) refuse('slugReserved')
  if (isSearchSlug(slug) && !(await isSavedSlugOf(tx, page.id, slug))) refuse('slugReserved')
  if (await isSlugTaken(tx, { locale, slug, pageId: page.id })) refuse('slugTaken')
  const problem = slug === page.texts[locale]?.slug ? undefined : entrySlugProblem(site, page, slug, locale)
  if (problem) refuse(problem)
}
