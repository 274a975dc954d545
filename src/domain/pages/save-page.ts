import { Refusal } from '../../contract/errors.ts'
import type { Locale } from '../../contract/locales.ts'
import { mergePage, same } from '../../contract/merge-page.ts'
import type { ChangedPage, DraftText, PageText, SavedPage, SaveToUndo, StalePage } from '../../contract/pages.ts'
import { touchContent } from '../../platform/content-clock.ts'
import type { Actor, Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { allow } from '../allow.ts'
import { record } from '../audit/record.ts'
import { judgeFiles } from '../files/lock-files.ts'
import { auditedChange } from './audited-page.ts'
import { endDraft } from './drafts.ts'
import { getPageRow, openPageRow } from './find-pages.ts'
import { judgeJoined } from './judge-joined.ts'
import { canPublishPages, canWritePages } from './page.policy.ts'
import { isSlugTaken, type PageRow, type TextRow } from './page.queries.ts'
import { refreshPage } from './page-write.queries.ts'
import { publishText } from './publish-text.ts'
import { findRevision, findVersion, type RevisionRow } from './revision.queries.ts'
import { asDraft, nameWithin, pathOf, shownInLocale, subjectOf } from './show-page.ts'
import { byOf, lockPages, storeText } from './store-text.ts'

/**
 * Saves a page in one language; what somebody else saved meanwhile is joined with it, where the two do not collide.
 * Visitors see it when it is published too. The draft of the one who saves is over.
 * @throws {Refusal} `stale` with a `StalePage`; `not_found`, `page_in_bin`; `invalid` at `text.…`; `not_allowed`
 */
export async function savePage(
  ctx: Context,
  { id, locale }: { id: number; locale: Locale },
  input: ChangedPage,
): Promise<SavedPage> {
  const actor = allow(ctx, canWritePages)
  if (input.publish) allow(ctx, canPublishPages)
  const at = { pageId: id, locale }
  const by = byOf(ctx)
  const now = ctx.now()

  const saved = await ctx.transaction(async (tx) => {
    await lockPages(tx, ctx)
    const page = await openPageRow(tx, id)
    const before = page.texts[locale]
    const current = before && (await findRevision(tx, at, before.savedId))
    const joined = await joinedWith(tx, { page, locale, current, actor }, input)
    await judgeSlug(tx, page, locale, joined.text.slug)
    await judgeFiles(tx, ctx, { before: current?.text, now: joined.text, at: ['text'] })

    let stored = current && { revisionId: current.id, text: current.text, date: current.date }
    const changed = !stored || !same(stored.text, joined.text)
    if (!stored || changed) {
      const version = (before?.version ?? 0) + 1
      stored = { ...(await storeText(tx, at, { text: joined.text, version, now, by })), date: null }
      await refreshPage(tx, id, { saved: { at: now, by }, seeded: false })
      await record(tx, ctx, {
        action: 'page.updated',
        subject: subjectOf(await getPageRow(tx, id)),
        ...auditedChange(locale, current, stored),
      })
    }
    const published = input.publish && before?.liveId !== stored.revisionId
    if (published) {
      const fresh = await getPageRow(tx, id)
      const revision = { id: stored.revisionId, text: stored.text, date: stored.date }
      await touchContent(tx, await publishText(tx, { page: fresh, locale }, { revision, now, by }))
      await refreshPage(tx, id, { seeded: false })
      await record(tx, ctx, {
        action: 'page.published',
        subject: subjectOf(fresh),
        before: { publishAt: before?.publishAt ?? null },
        after: { language: locale, path: pathOf(stored.text.slug, locale), publishAt: null },
      })
    }
    await endDraft(tx, ctx, { at, userId: actor.id, tab: input.tab, saved: asDraft(stored.text) })
    const shown = await shownInLocale(tx, await getPageRow(tx, id), locale, actor)
    return {
      ...shown,
      ...(joined.merged && { merged: joined.merged }),
      undo: before && (changed || published) ? { version: shown.version, ...wayBack(before, published) } : null,
      droppedPlan: shown.publishAt === null ? (before?.publishAt ?? null) : null,
    }
  })
  if (input.publish) ctx.signal.content()
  return saved
}

/** @param published visitors see something else since */
function wayBack(before: TextRow, published: boolean): Omit<SaveToUndo, 'version'> {
  const { savedId, liveId, liveDate, publishId, publishAt } = before
  if (!published) return { revision: savedId }
  const live = liveId === null || liveDate === null ? null : { revision: liveId, date: liveDate }
  const planned = publishId === null || publishAt === null ? null : { revision: publishId, at: publishAt }
  return { revision: savedId, visitors: { live, planned } }
}

interface Now {
  page: PageRow
  locale: Locale
  /** What is saved now. */
  current: RevisionRow | undefined
  actor: Actor
}

/** What is to be saved: what was sent, with what somebody saved since. @throws {Refusal} `stale`; `invalid` */
async function joinedWith(
  tx: Transaction,
  { page, locale, current, actor }: Now,
  input: ChangedPage,
): Promise<{ text: PageText; merged?: { by: string; at: string } }> {
  if (!current || input.version === current.version) return { text: input.text }
  const at = { pageId: page.id, locale }
  const base = await findVersion(tx, at, input.version)
  const was = base ? asDraft(base.text) : nothing
  const [mine, theirs] = [asDraft(input.text), asDraft(current.text)]
  const { text, conflicts } = mergePage(was, mine, theirs)
  const judged = conflicts.length > 0 ? { text, conflicts } : judgeJoined({ base: was, mine, theirs }, text)
  if (judged.conflicts.length > 0 || input.version > current.version) {
    throw new Refusal('stale', {
      current: {
        page: await shownInLocale(tx, page, locale, actor),
        conflicts: judged.conflicts,
        merged: judged.text,
      } satisfies StalePage,
    })
  }
  return { text: text as PageText, merged: { by: nameWithin(current.by, actor.locale), at: current.at } }
}

const nothing: DraftText = {
  title: '',
  slug: '',
  seoTitle: '',
  description: '',
  picture: '',
  noindex: false,
  body: [],
}

/** @throws {Refusal} `invalid` at `text.slug` */
export async function judgeSlug(tx: Transaction, page: PageRow, locale: Locale, slug: string): Promise<void> {
  const refuse = (key: 'slugFixed' | 'slugTaken' | 'required') => {
    throw new Refusal('invalid', { problems: [{ path: 'text.slug', key }] })
  }
  if (page.fixed && slug !== (page.texts[locale] ?? page.texts.nl)?.slug) refuse('slugFixed')
  if (!page.fixed && slug === '') refuse('required')
  if (await isSlugTaken(tx, { locale, slug, pageId: page.id })) refuse('slugTaken')
}
