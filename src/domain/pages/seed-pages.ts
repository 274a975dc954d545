import { setImmediate as nextTurn } from 'node:timers/promises'
import { withoutIds, withStoredIds } from '../../blocks/block-ids.ts'
import { deepEqual } from '../../contract/deep-equal.ts'
import { Refusal } from '../../contract/errors.ts'
import type { Locale } from '../../contract/locales.ts'
import type { PageText } from '../../contract/pages.ts'
import type { SiteConfig, SitePage } from '../../contract/site-config.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { auditedChange } from './audited-page.ts'
import { freeSlug } from './create-page.ts'
import { addPage, type EditContext, editPage, lockPages, notTrashedLive, type PageEdit } from './edit-page.ts'
import { mustStayPublished } from './page.policy.ts'
import { findPageRow, findStoredSite, type TextRow, textsOf } from './page.queries.ts'
import { hashOf, pagesToSeed } from './pages-to-seed.ts'
import { isPageLocked } from './refuse-locked.ts'
import { findKnownPage, listSeeds, writeSeed } from './seed.queries.ts'
import { saveUnderFreeSlug } from './trash-page.ts'

/** The slugs of the fixed pages. */
const fixedSlugs = new Set(['', 'privacy-verklaring', 'disclaimer'])

/**
 * Adds the pages of the configuration to the database at startup, each once. A page that no user has changed is updated
 * from the file; a deleted page is not added again.
 * @param options.changed whether changed texts are applied: true for the file; a revision's texts were stored when it was
 * applied
 */
export async function seedPages(
  ctx: Pick<Context, 'transaction' | 'dialect' | 'now' | 'site'>,
  options: { changed: boolean },
): Promise<void> {
  const { dialect, now } = ctx
  await ctx.transaction(async (tx) => {
    await lockPages(tx, ctx)
    // Another instance may have stored a first change of the file that this one read.
    const program: EditContext = { dialect, now, site: { ...ctx.site, ...(await findStoredSite(tx)) } }
    // Another instance may have done it while this one waited for the lock.
    for (const { page, seed } of pagesToSeed(ctx.site, options, await listSeeds(tx))) {
      const known = (await findKnownPage(tx, seed ? [seed] : [], page)) ?? undefined
      const row = known === undefined ? undefined : await findPageRow(tx, known)
      if (row && !row.seeded) {
        // A user's own page has the slug; the seed is recorded so that this is checked once.
        if (!seed) await writeSeed(tx, { slug: page.slug, hash: hashOf(page), pageId: row.id })
        continue
      }
      await storePage(tx, program, page, row?.id, { at: '', record: () => {} })
    }
  })
}

/**
 * Replaces and publishes the texts of pages of a configuration; other pages are unchanged. Call it in the transaction
 * that applies the configuration.
 * @param file all of its pages, for the paths of errors
 * @throws {Refusal} `invalid` at changes that a lock forbids: of a text, unpublishing, or restoring from the trash
 */
export async function importPages(
  tx: Transaction,
  ctx: EditContext,
  pages: SiteConfig['pages'],
  file: SiteConfig['pages'],
): Promise<void> {
  await lockPages(tx, ctx)
  const seeds = await listSeeds(tx)
  for (const page of pages) {
    // Lets other requests run between two pages.
    await nextTurn()
    const deleted = seeds.some(({ slug, pageId }) => slug === page.slug && pageId === null)
    const id = await findKnownPage(tx, deleted ? [] : seeds, page)
    await storePage(tx, ctx, page, id ?? undefined, {
      at: `pages.${file.indexOf(page)}`,
      record: (edit, entry) => edit.record({ ...entry, after: { ...entry.after, imported: true } }),
    })
  }
}

interface Source {
  /** The path of the page in the file. */
  at: string
  record(
    edit: PageEdit,
    entry: { action: 'page.published' | 'page.unpublished'; before?: object | undefined; after: object },
  ): void
}

/** Saves and publishes the texts of a page of the configuration, if they differ. @param id the existing page */
async function storePage(
  tx: Transaction,
  ctx: EditContext,
  page: SitePage,
  id: number | undefined,
  source: Source,
): Promise<void> {
  const change = async (edit: PageEdit) => {
    const { at } = source
    const wasTrashed = edit.page.deletedAt !== null
    if (wasTrashed && (await isPageLocked(edit, ctx.actor))) throw lockedAt(at)
    edit.page.deletedAt = null
    const stored = textsOf(edit.page)
    for (const text of stored) if (wasTrashed && !page.content[text.locale]) await restoreUnpublished(edit, text)
    for (const locale of new Set([...Object.keys(page.content), ...stored.map(({ locale }) => locale)])) {
      const isUnpublished = !page.content[locale] && isUnpublishable(edit, locale)
      if (isUnpublished && (await isPageLocked(edit, ctx.actor))) throw lockedAt(`${at}.content.${locale}`)
      await storeContent(edit, page, locale, source)
    }
    return edit.page.id
  }
  const pageId =
    id === undefined
      ? await addPage(
          tx,
          ctx,
          { fixed: fixedSlugs.has(page.slug), seeded: true, collection: page.collection ?? null },
          change,
        )
      : await editPage(tx, ctx, id, change, { where: 'anywhere', seeded: true })
  await writeSeed(tx, { slug: page.slug, hash: hashOf(page), pageId })
}

/** Restores a text from the trash that the file lacks. */
async function restoreUnpublished(edit: PageEdit, text: TextRow): Promise<void> {
  await saveUnderFreeSlug(edit, text)
  Object.assign(edit.page.texts[text.locale] ?? {}, notTrashedLive)
}

const isUnpublishable = ({ page, site }: PageEdit, locale: Locale): boolean =>
  page.texts[locale]?.liveRevisionId != null && !mustStayPublished(page, locale, site)

const lockedAt = (path: string) => new Refusal('invalid', { problems: [{ path, key: 'locked' }] })

async function storeContent(edit: PageEdit, page: SitePage, locale: Locale, from: Source): Promise<void> {
  const { at, record } = from
  const { tx } = edit
  const before = edit.page.texts[locale]
  const liveRevisionId = before?.liveRevisionId ?? null
  const content = page.content[locale]
  if (!content) {
    if (!isUnpublishable(edit, locale)) return
    edit.unpublish(locale)
    record(edit, { action: 'page.unpublished', after: { language: locale } })
    return
  }
  const wanted = content.slug ?? page.slug
  const keepsSlug = wanted === '' || edit.page.fixed
  const current = await edit.revision(locale, before?.savedRevisionId)
  const text: PageText = {
    title: content.title,
    slug: keepsSlug ? wanted : await freeSlug(tx, edit.site, { slug: wanted, locale, pageId: edit.page.id }),
    seoTitle: content.seoTitle ?? '',
    description: content.description,
    picture: content.picture ?? '',
    noindex: content.noindex ?? false,
    // A file may lack the ids by which blocks are locked.
    body: withStoredIds(content.body, current?.text.body ?? []),
    // An older file may have an entry as a page without fields.
    ...(edit.page.collection !== null && {
      fields: page.collection === undefined ? (current?.text.fields ?? {}) : (content.fields ?? {}),
    }),
  }
  const date = content.updated ?? page.updated
  const isSame = current?.date === date && deepEqual(withoutIds(current.text), withoutIds(text))
  const saved = current && isSame ? current : await edit.save(locale, text, { date, at: `${at}.content.${locale}` })
  if (liveRevisionId === saved.id) return
  await edit.publish(locale, saved)
  record(edit, { action: 'page.published', ...auditedChange(locale, current, saved) })
}
