import { type FieldProblem, Refusal } from '../../contract/errors.ts'
import type { Locale } from '../../contract/locales.ts'
import type { PageInLocale, PageParameters, PageSchedule, PublishedPage } from '../../contract/pages.ts'
import type { Actor, Context } from '../../platform/context.ts'
import { allow } from '../allow.ts'
import { editPageInTransaction, type PageEdit, pathOf } from './edit-page.ts'
import { canPublishPages, mustStayPublished } from './page.policy.ts'
import { livePath, type TextRow } from './page.queries.ts'
import { isPageLocked, refuseWhenLocked } from './refuse-locked.ts'
import type { RevisionRow } from './revision.queries.ts'
import { loadPageInLocale } from './show-page.ts'

/**
 * Publishes the saved text and drops the schedule to publish; when that text is live already, nothing changes.
 * @throws {Refusal} `not_found`, `page_in_bin`, `stale`; `invalid` at `text.slug`
 */
export async function publishPage(
  ctx: Context,
  params: PageParameters,
  { version }: { version: number },
): Promise<PublishedPage> {
  let droppedSchedule: string | null = null
  const page = await changeLive(ctx, params, version, async (edit, { text, saved }) => {
    if (text.liveRevisionId === saved.id) return
    droppedSchedule = text.publishAt
    await edit.publish(params.locale, saved)
    edit.record({
      action: 'page.published',
      before: { publishAt: droppedSchedule },
      after: { language: params.locale, path: pathOf(saved.text.slug, params.locale, edit.site), publishAt: null },
    })
  })
  return { ...page, droppedPlan: droppedSchedule }
}

/**
 * Unpublishes a page in one language; the saved text stays.
 * @throws {Refusal} `not_found`, `page_in_bin`, `stale`, `page_locked`; `fixed_page` for a fixed page in the main language or
 * in the one at the root
 */
export async function unpublishPage(
  ctx: Context,
  params: PageParameters,
  { version }: { version: number },
): Promise<PageInLocale> {
  return changeLive(ctx, params, version, async (edit, { text, actor }) => {
    await refuseWhenLocked(edit, actor)
    if (mustStayPublished(edit.page, params.locale, edit.site)) throw new Refusal('fixed_page')
    if (text.liveRevisionId === null) return
    const path = livePath(text, edit.site)
    edit.unpublish(params.locale)
    edit.record({ action: 'page.unpublished', before: { language: params.locale, path } })
  })
}

/**
 * Replaces the schedules to publish and to unpublish a text; null clears one. Later saves are not scheduled.
 * @throws {Refusal} `not_found`, `page_in_bin`, `stale`; `invalid` at `publishAt` or `unpublishAt`, also when a lock
 * forbids the change to the actor
 */
export async function schedulePage(
  ctx: Context,
  params: PageParameters,
  schedule: PageSchedule,
): Promise<PageInLocale> {
  return changeLive(ctx, params, schedule.version, async (edit, { text, saved, actor }) => {
    const publishAt = schedule.publishAt === null ? null : new Date(schedule.publishAt)
    const unpublishAt = schedule.unpublishAt === null ? null : new Date(schedule.unpublishAt)
    const problems = problemsOf(
      { publishAt, unpublishAt },
      edit.now,
      mustStayPublished(edit.page, params.locale, edit.site),
    )
    const before = { publishAt: text.publishAt, unpublishAt: text.unpublishAt }
    const after = { publishAt: publishAt?.toISOString() ?? null, unpublishAt: unpublishAt?.toISOString() ?? null }
    if (before.unpublishAt !== after.unpublishAt && (await isPageLocked(edit, actor))) {
      problems.push({ path: 'unpublishAt', key: 'locked' })
    }
    if (problems.length > 0) throw new Refusal('invalid', { problems })
    edit.schedule(params.locale, {
      publish: after.publishAt === null ? null : { at: after.publishAt, revision: saved },
      unpublishAt: after.unpublishAt,
    })
    edit.record({
      action: 'page.planned',
      before: { language: undefined, ...before },
      after: { language: params.locale, ...after },
    })
  })
}

function problemsOf(
  { publishAt, unpublishAt }: { publishAt: Date | null; unpublishAt: Date | null },
  now: Date,
  mustStayPublished: boolean,
): FieldProblem[] {
  const problems: FieldProblem[] = []
  if (publishAt && publishAt <= now) problems.push({ path: 'publishAt', key: 'past' })
  if (unpublishAt && mustStayPublished) problems.push({ path: 'unpublishAt', key: 'keepsPublished' })
  else if (unpublishAt && unpublishAt <= now) problems.push({ path: 'unpublishAt', key: 'past' })
  else if (unpublishAt && publishAt && unpublishAt <= publishAt) {
    problems.push({ path: 'unpublishAt', key: 'beforePublish' })
  }
  return problems
}

/** Runs a change of what is live or scheduled. @throws {Refusal} `not_found`, `page_in_bin`, `stale` */
async function changeLive(
  ctx: Context,
  { id, locale }: PageParameters,
  version: number,
  change: (edit: PageEdit, current: { text: TextRow; saved: RevisionRow; actor: Actor }) => Promise<void>,
): Promise<PageInLocale> {
  const actor = allow(ctx, canPublishPages)
  return editPageInTransaction(ctx, id, async (edit) => {
    const { text, saved } = await getSavedText(edit, locale)
    if (version !== text.version) throw await staleRefusal(edit, locale, actor)
    await change(edit, { text, saved, actor })
    return loadPageInLocale(edit, edit.page, locale, actor, saved)
  })
}

/** The row of a page in one language, and its saved revision. @throws {Refusal} `not_found` */
export async function getSavedText(edit: PageEdit, locale: Locale): Promise<{ text: TextRow; saved: RevisionRow }> {
  const text = edit.page.texts[locale]
  const saved = await edit.revision(locale, text?.savedRevisionId)
  if (!text || !saved) throw new Refusal('not_found')
  return { text, saved }
}

/** The `stale` refusal, for when another user changed the page meanwhile; it has the current page and no conflicts. */
export async function staleRefusal(edit: PageEdit, locale: Locale, actor: Actor): Promise<Refusal> {
  const page = await loadPageInLocale(edit, edit.page, locale, actor)
  return new Refusal('stale', { current: { page, conflicts: [], merged: page.text } })
}
