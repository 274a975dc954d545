import { Refusal } from '../../contract/errors.ts'
import type { Locale } from '../../contract/locales.ts'
import type { Context } from '../../platform/context.ts'
import { editPage, type PageEdit, pathOf } from './edit-page.ts'
import { mustStayPublished } from './page.policy.ts'
import { findNextDue, isSlugTaken, listDueTexts, livePath, type PageLocaleKey, type TextRow } from './page.queries.ts'

type ProgramContext = Omit<Context, 'actor'>

const batch = 50

/**
 * Executes due schedules, including those missed while the program was not running, each once across all instances.
 * @throws after all others were executed, when one failed
 */
export async function publishScheduled(ctx: ProgramContext): Promise<void> {
  const failed: { text: string; error: unknown }[] = []
  let due: PageLocaleKey[]
  let done = 0
  let stillDue = 0
  do {
    due = await listDueTexts(ctx.db, ctx.now(), { max: batch, offset: stillDue })
    for (const at of due) {
      try {
        if (await executeSchedule(ctx, at)) done++
      } catch (error) {
        stillDue++
        failed.push({ text: `${at.pageId}/${at.locale}`, error })
      }
    }
  } while (due.length === batch)
  if (done > 0) await ctx.wake.invalidation()
  if (failed.length === 0) return
  const texts = failed
    .slice(0, batch)
    .map(({ text }) => text)
    .join(', ')
  throw new Error(`pages ${texts} could not be published or unpublished as scheduled`, { cause: failed[0]?.error })
}

/** The time of the next schedule. */
export const nextScheduledAt = (ctx: Pick<Context, 'db'>): Promise<Date | undefined> => findNextDue(ctx.db)

/** In chronological order, so that a page whose whole period has passed is not published. */
async function executeSchedule(ctx: ProgramContext, { pageId, locale }: PageLocaleKey): Promise<boolean> {
  const { now, dialect, site, log } = ctx
  const change = async (edit: PageEdit) => {
    const text = edit.page.texts[locale]
    if (!text) return false
    const isDue = (moment: string | null) => moment !== null && moment <= edit.now.toISOString()
    const moments = [
      ...(isDue(text.publishAt) ? [{ at: text.publishAt as string, work: publishDue }] : []),
      ...(isDue(text.unpublishAt) ? [{ at: text.unpublishAt as string, work: unpublishDue }] : []),
    ].sort((a, b) => (a.at < b.at ? -1 : 1))
    for (const { work } of moments) await work(edit, locale, text, log)
    return moments.length > 0
  }
  return ctx
    .transaction((tx) => editPage(tx, { now, dialect, site }, pageId, change, { where: 'anywhere' }))
    .catch((error) => {
      // The page was deleted meanwhile.
      if (error instanceof Refusal && error.code === 'not_found') return false
      throw error
    })
}

async function publishDue(edit: PageEdit, locale: Locale, text: TextRow, log: Context['log']): Promise<void> {
  const { tx, page } = edit
  const { publishAt, unpublishAt } = text
  const revision = await edit.revision(locale, text.publishRevisionId)
  const slug = revision?.text.slug ?? ''
  if (!revision || (await isSlugTaken(tx, { locale, slug, pageId: page.id }))) {
    log.warn({ page: page.id, locale }, 'a page could not be published as scheduled: its address is taken')
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

async function unpublishDue(edit: PageEdit, locale: Locale, text: TextRow, log: Context['log']): Promise<void> {
  const [path, { liveRevisionId, unpublishAt }] = [livePath(text, edit.site), text]
  // The language may have moved to the root since the schedule was made.
  if (mustStayPublished(edit.page, locale, edit.site)) {
    log.warn({ page: edit.page.id, locale }, 'a page was not unpublished as scheduled: it must stay published')
    text.unpublishAt = null
    return
  }
  edit.unpublish(locale)
  if (liveRevisionId === null) return
  edit.record({ action: 'page.unpublished', before: { language: locale, path, unpublishAt } })
}
