import { Refusal } from '../../contract/errors.ts'
import type { Locale } from '../../contract/locales.ts'
import type { Context } from '../../platform/context.ts'
import { editPage, type PageEdit, pathOf } from './edit-page.ts'
import { isAddressTaken } from './entries.ts'
import { mustStayPublished } from './page.policy.ts'
import { findNextDue, listDueTexts, livePath, type PageLocaleKey, type TextRow } from './page.queries.ts'

type JobContext = Omit<Context, 'actor'>

const batchSize = 50

/**
 * Executes due schedules, including those missed while the server was not running. Each is executed once across all
 * instances, because `executeSchedule` reads it again under the page lock.
 * @throws {Error} when any failed, after all others were executed
 */
export async function publishScheduled(ctx: JobContext): Promise<void> {
  const failures: { key: PageLocaleKey; error: unknown }[] = []
  let due: PageLocaleKey[]
  let executed = 0
  do {
    // Failed texts are still due and come first, so they are skipped.
    due = await listDueTexts(ctx.db, ctx.now(), { max: batchSize, offset: failures.length })
    for (const key of due) {
      try {
        if (await executeSchedule(ctx, key)) executed++
      } catch (error) {
        failures.push({ key, error })
      }
    }
  } while (due.length === batchSize)
  if (executed > 0) await ctx.wake.invalidation()
  if (failures.length === 0) return
  const texts = failures
    .slice(0, batchSize)
    .map(({ key }) => `${key.pageId}/${key.locale}`)
    .join(', ')
  throw new Error(`pages ${texts} could not be published or unpublished as scheduled`, { cause: failures[0]?.error })
}

/** The time of the next schedule; undefined when there is none. */
export const nextScheduledAt = (ctx: Pick<Context, 'db'>): Promise<Date | undefined> => findNextDue(ctx.db)

/** Executes what is due in order: a text whose period has passed ends unpublished. @returns whether anything was due */
async function executeSchedule(ctx: JobContext, { pageId, locale }: PageLocaleKey): Promise<boolean> {
  const { now, dialect, site, log } = ctx
  const change = async (edit: PageEdit) => {
    const text = edit.page.texts[locale]
    if (!text) return false
    const due = [
      { at: text.publishAt, execute: publishDue },
      { at: text.unpublishAt, execute: unpublishDue },
    ].flatMap(({ at, execute }) => (at !== null && at <= edit.now.toISOString() ? [{ at, execute }] : []))
    due.sort((a, b) => (a.at < b.at ? -1 : 1))
    for (const { execute } of due) await execute(edit, locale, text, log)
    return due.length > 0
  }
  return ctx
    .transaction((tx) => editPage(tx, { now, dialect, site }, pageId, change, { inTrash: 'allowed' }))
    .catch((error) => {
      // The page was deleted meanwhile.
      if (error instanceof Refusal && error.code === 'not_found') return false
      throw error
    })
}

/** Publishes the scheduled revision, or clears the schedule when the revision is missing or its address is taken. */
async function publishDue(edit: PageEdit, locale: Locale, text: TextRow, log: Context['log']): Promise<void> {
  const { publishAt, unpublishAt } = text
  const revision = await edit.revision(locale, text.publishRevisionId)
  const slug = revision?.text.slug ?? ''
  if (!revision || (await isAddressTaken(edit, slug, locale))) {
    const reason = revision ? 'its address is taken' : 'the scheduled version is gone'
    log.warn({ page: edit.page.id, locale }, `a page could not be published as scheduled: ${reason}`)
    edit.schedule(locale, { publish: null, unpublishAt })
    return
  }
  await edit.publish(locale, revision)
  edit.record({
    action: 'page.published',
    before: { publishAt },
    after: { language: locale, path: pathOf(slug, locale, edit.site) },
  })
}

/** Unpublishes a text, or only clears its schedule when the page must stay published. */
async function unpublishDue(edit: PageEdit, locale: Locale, text: TextRow, log: Context['log']): Promise<void> {
  // Read first, because unpublishing clears them.
  const path = livePath(text, edit.site)
  const { liveRevisionId, unpublishAt } = text
  // The language may have become the main one, or that at the root, since the text was scheduled.
  if (mustStayPublished(edit.page, locale, edit.site)) {
    log.warn({ page: edit.page.id, locale }, 'a page was not unpublished as scheduled: it must stay published')
    text.unpublishAt = null
    return
  }
  edit.unpublish(locale)
  if (liveRevisionId === null) return
  edit.record({ action: 'page.unpublished', before: { language: locale, path, unpublishAt } })
}
