import { createHash } from 'node:crypto'
import { setImmediate as others } from 'node:timers/promises'
import { type Locale, locales } from '../../contract/locales.ts'
import { same } from '../../contract/merge-page.ts'
import type { PageText } from '../../contract/pages.ts'
import type { SiteConfig, SitePage } from '../../contract/site-config.ts'
import { touchContent } from '../../platform/content-clock.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { record } from '../audit/record.ts'
import { auditedChange } from './audited-page.ts'
import { withoutIds } from './block-ids.ts'
import { getPageRow } from './find-pages.ts'
import { type By, findPageRow } from './page.queries.ts'
import { insertPage, refreshPage, writeBin } from './page-write.queries.ts'
import { publishText, unpublishText } from './publish-text.ts'
import { findRevision, type RevisionRow } from './revision.queries.ts'
import { findPageIdBySlug, listSeeds, type SeedRow, writeSeed } from './seed.queries.ts'
import { subjectOf } from './show-page.ts'
import { byOf, freeSlug, lockPages, storeText } from './store-text.ts'

/** Pages that are always there, each at its address. */
const fixedSlugs = new Set(['', 'privacy-verklaring', 'disclaimer'])

type SeedContext = Pick<Context, 'db' | 'transaction' | 'dialect' | 'now'>

/**
 * Puts the pages of the configuration into the database, at the start: those that were never there. One that nobody has
 * changed since takes over what the file says of it now; what was deleted stays away.
 * @param from.changed whether other texts count: those of the file do, a revision's were put in force when it came
 */
export async function seedPages(
  ctx: SeedContext,
  from: { pages: SiteConfig['pages']; changed: boolean },
): Promise<void> {
  if (wantedOf(from, await listSeeds(ctx.db)).length === 0) return
  await ctx.transaction(async (tx) => {
    await lockPages(tx, ctx)
    // Another copy of the program may have done it while this one waited.
    const seeds = await listSeeds(tx)
    const tags: string[] = []
    for (const { page, seed } of wantedOf(from, seeds)) {
      const known = seed ? (seed.pageId ?? undefined) : await findPageIdBySlug(tx, page.slug)
      const row = known === undefined ? undefined : await findPageRow(tx, known)
      if (row && !row.seeded) {
        // It is somebody's own: remembered, so that it is asked once.
        if (!seed) await writeSeed(tx, { slug: page.slug, hash: hashOf(page), pageId: row.id })
        continue
      }
      const { puts } = await putPage(tx, page, row?.id, { now: ctx.now(), by: byOf({ actor: undefined }) })
      tags.push(...puts.flatMap((put) => put.tags))
    }
    // On an empty database no copy keeps an answer that could be old.
    if (seeds.length > 0 && tags.length > 0) await touchContent(tx, tags)
  })
}

function wantedOf(
  { pages, changed }: { pages: SiteConfig['pages']; changed: boolean },
  seeds: readonly SeedRow[],
): { page: SitePage; seed: SeedRow | undefined }[] {
  return pages.flatMap((page) => {
    const seed = seeds.find(({ slug }) => slug === page.slug)
    const isNew = changed && seed?.pageId != null && seed.hash !== hashOf(page)
    return seed && !isNew ? [] : [{ page, seed }]
  })
}

/**
 * Replaces the text of the pages that a configuration carries, as a new revision that visitors see; other pages stay as
 * they are. It belongs in the transaction that puts the configuration in force, which tells of the change.
 */
export async function importPages(
  tx: Transaction,
  ctx: Pick<Context, 'dialect' | 'now'> & { actor?: Context['actor'] },
  pages: SiteConfig['pages'],
): Promise<void> {
  await lockPages(tx, ctx)
  const seeds = await listSeeds(tx)
  for (const page of pages) {
    // Visitors are answered between two pages.
    await others()
    const seeded = seeds.find(({ slug }) => slug === page.slug)?.pageId
    const id = seeded ?? (await findPageIdBySlug(tx, page.slug))
    const { pageId, puts } = await putPage(tx, page, id, { now: ctx.now(), by: byOf(ctx) })
    const subject = subjectOf(await getPageRow(tx, pageId))
    for (const put of puts) await recordImport(tx, { now: ctx.now, actor: ctx.actor }, subject, put)
  }
}

/** In each language of its own, from where one comes to the difference. */
async function recordImport(
  tx: Transaction,
  ctx: Pick<Context, 'now'> & { actor: Context['actor'] },
  subject: ReturnType<typeof subjectOf>,
  { locale, before, stored }: Put,
): Promise<void> {
  const imported = { imported: true }
  if (!stored) {
    await record(tx, ctx, { action: 'page.unpublished', subject, after: { language: locale, ...imported } })
    return
  }
  const change = auditedChange(locale, before, stored)
  await record(tx, ctx, { action: 'page.published', subject, ...change, after: { ...change.after, ...imported } })
}

/** What was done with a page in one language. */
interface Put {
  locale: Locale
  /** What was saved until then. */
  before: RevisionRow | undefined
  /** What visitors see now; undefined: nothing any more. */
  stored: { revisionId: number; text: PageText } | undefined
  /** What changes for the answers that are kept. */
  tags: string[]
}

/** The texts of a page of the configuration, saved and published, where that changes anything. @param id of the page that has them by now */
async function putPage(
  tx: Transaction,
  page: SitePage,
  id: number | undefined,
  { now, by }: { now: Date; by: By },
): Promise<{ pageId: number; puts: Put[] }> {
  const fixed = fixedSlugs.has(page.slug)
  const pageId = id ?? (await insertPage(tx, { fixed, seeded: true, at: now, by }))
  if (id !== undefined) await writeBin(tx, pageId, null)
  const puts: Put[] = []
  for (const locale of locales) {
    const put = await putText(tx, { page, pageId, locale }, { now, by })
    if (put) puts.push(put)
  }
  await refreshPage(tx, pageId, { saved: { at: now, by }, seeded: true })
  await writeSeed(tx, { slug: page.slug, hash: hashOf(page), pageId })
  return { pageId, puts }
}

async function putText(
  tx: Transaction,
  { page, pageId, locale }: { page: SitePage; pageId: number; locale: Locale },
  { now, by }: { now: Date; by: By },
): Promise<Put | undefined> {
  const row = await getPageRow(tx, pageId)
  const before = row.texts[locale]
  const content = page.content[locale]
  const at = { pageId, locale }
  const current = before && (await findRevision(tx, at, before.savedId))
  if (!content) {
    if (before?.liveId == null) return undefined
    return { locale, before: current, stored: undefined, tags: await unpublishText(tx, { page: row, locale }) }
  }
  const wanted = content.slug ?? page.slug
  const slug = wanted === '' || row.fixed ? wanted : await freeSlug(tx, { slug: wanted, locale, pageId })
  const text: PageText = {
    title: content.title,
    slug,
    seoTitle: content.seoTitle ?? '',
    description: content.description,
    picture: content.picture ?? '',
    noindex: content.noindex ?? false,
    body: content.body,
  }
  const isThere = current?.date === page.updated && same(withoutIds(current.text), withoutIds(text))
  const revision =
    current && isThere
      ? current
      : await storeText(tx, at, { text, version: (before?.version ?? 0) + 1, now, by, date: page.updated }).then(
          (stored) => ({ id: stored.revisionId, text: stored.text, date: page.updated }),
        )
  if (before?.liveId === revision.id) return undefined
  const tags = await publishText(tx, { page: row, locale }, { revision, now, by })
  return { locale, before: current, stored: { revisionId: revision.id, text: revision.text }, tags }
}

const hashOf = (page: SitePage): string => createHash('sha256').update(JSON.stringify(page)).digest('base64url')
