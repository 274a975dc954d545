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
import { chooseFreeSlug } from './create-page.ts'
import { addPage, type EditContext, editPage, lockPages, noTrashedLive, type PageEdit } from './edit-page.ts'
import { mustStayPublished } from './page.policy.ts'
import { findPageRow, findStoredSite, type TextRow, textsOf } from './page.queries.ts'
import { hashOf, pagesToSeed } from './pages-to-seed.ts'
import { isPageLocked } from './refuse-locked.ts'
import { findStoredPageId, listSeeds, writeSeed } from './seed.queries.ts'
import { saveUnderFreeSlug } from './trash-page.ts'

/** The slugs of the fixed pages. */
const fixedSlugs = new Set(['', 'privacy-verklaring', 'disclaimer'])

/**
 * Adds the pages of the configuration to the database at startup, each once. A page that no user has changed is updated
 * from the file; a deleted page is not added again.
 * @param options.changed whether to apply changed texts: true for the file; false for a stored configuration, which was
 * stored with its texts
 */
export async function seedPages(
  ctx: Pick<Context, 'transaction' | 'dialect' | 'now' | 'site'>,
  options: { changed: boolean },
): Promise<void> {
  const { dialect, now } = ctx
  await ctx.transaction(async (tx) => {
    await lockPages(tx, ctx)
    // The stored configuration wins: another instance may have stored one since this instance read the file.
    const seedContext: EditContext = { dialect, now, site: { ...ctx.site, ...(await findStoredSite(tx)) } }
    // Read again, because another instance may have seeded while this one waited for the lock.
    for (const { page, seed } of pagesToSeed(ctx.site, options, await listSeeds(tx))) {
      const id = (await findStoredPageId(tx, seed ? [seed] : [], page)) ?? undefined
      const row = id === undefined ? undefined : await findPageRow(tx, id)
      if (row && !row.seeded) {
        // A user has added or changed the page; the seed is stored so that this is checked once.
        if (!seed) await writeSeed(tx, { slug: page.slug, hash: hashOf(page), pageId: row.id })
        continue
      }
      await storePage(tx, seedContext, page, row?.id, { pagePath: '', record: () => {} })
    }
  })
}

/**
 * Replaces and publishes the texts of pages of a configuration; other pages are unchanged. Call it in the transaction
 * that applies the configuration.
 * @param allPages all pages of the configuration, for the paths of problems
 * @throws {Refusal} `invalid` at changes that a lock forbids: of a text, unpublishing, or restoring from the trash
 */
export async function importPages(
  tx: Transaction,
  ctx: EditContext,
  pages: SiteConfig['pages'],
  allPages: SiteConfig['pages'],
): Promise<void> {
  await lockPages(tx, ctx)
  const seeds = await listSeeds(tx)
  for (const page of pages) {
    // Lets other requests run between two pages.
    await nextTurn()
    // Without seeds a deleted page is looked up by its slug, and added again when there is none.
    const isDeleted = seeds.some(({ slug, pageId }) => slug === page.slug && pageId === null)
    const id = await findStoredPageId(tx, isDeleted ? [] : seeds, page)
    await storePage(tx, ctx, page, id ?? undefined, {
      pagePath: `pages.${allPages.indexOf(page)}`,
      record: (edit, entry) => edit.record({ ...entry, after: { ...entry.after, imported: true } }),
    })
  }
}

/** Where a page comes from: a seed or an import. */
interface Source {
  /** The path of the page in the imported configuration, for the paths of problems; empty for a seed. */
  pagePath: string
  /** Records the change in the audit log, or for a seed not. */
  record(
    edit: PageEdit,
    entry: { action: 'page.published' | 'page.unpublished'; before?: object | undefined; after: object },
  ): void
}

/** Saves and publishes the texts of a page of the configuration, if they differ. @param id undefined: a new page */
async function storePage(
  tx: Transaction,
  ctx: EditContext,
  page: SitePage,
  id: number | undefined,
  source: Source,
): Promise<void> {
  const change = async (edit: PageEdit) => {
    const { pagePath } = source
    const wasTrashed = edit.page.deletedAt !== null
    if (wasTrashed && (await isPageLocked(edit, ctx.actor))) throw lockedAt(pagePath)
    edit.page.deletedAt = null
    const stored = textsOf(edit.page)
    for (const text of stored) if (wasTrashed && !page.content[text.locale]) await restoreUnpublished(edit, text)
    for (const locale of new Set([...Object.keys(page.content), ...stored.map(({ locale }) => locale)])) {
      const isUnpublished = !page.content[locale] && isUnpublishable(edit, locale)
      if (isUnpublished && (await isPageLocked(edit, ctx.actor))) throw lockedAt(`${pagePath}.content.${locale}`)
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
      : await editPage(tx, ctx, id, change, { inTrash: 'allowed', seeded: true })
  await writeSeed(tx, { slug: page.slug, hash: hashOf(page), pageId })
}

/** Restores a text from the trash without publishing it, because the configuration lacks it. */
async function restoreUnpublished(edit: PageEdit, text: TextRow): Promise<void> {
  await saveUnderFreeSlug(edit, text)
  Object.assign(edit.page.texts[text.locale] ?? {}, noTrashedLive)
}

const isUnpublishable = ({ page, site }: PageEdit, locale: Locale): boolean =>
  page.texts[locale]?.liveRevisionId != null && !mustStayPublished(page, locale, site)

const lockedAt = (path: string) => new Refusal('invalid', { problems: [{ path, key: 'locked' }] })

/** Saves and publishes a text if it differs, or unpublishes it when the configuration lacks it. */
async function storeContent(edit: PageEdit, page: SitePage, locale: Locale, source: Source): Promise<void> {
  const { pagePath, record } = source
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
  const slug = content.slug ?? page.slug
  const keepsSlug = slug === '' || edit.page.fixed
  const current = await edit.revision(locale, before?.savedRevisionId)
  const text: PageText = {
    title: content.title,
    slug: keepsSlug ? slug : await chooseFreeSlug(tx, edit.site, { slug, locale, pageId: edit.page.id }),
    seoTitle: content.seoTitle ?? '',
    description: content.description,
    picture: content.picture ?? '',
    noindex: content.noindex ?? false,
    // A configuration may lack the ids of blocks, by which they are locked.
    body: withStoredIds(content.body, current?.text.body ?? []),
    // An older configuration may have an entry as a page without a collection.
    ...(edit.page.collection !== null && {
      fields: page.collection === undefined ? (current?.text.fields ?? {}) : (content.fields ?? {}),
    }),
  }
  const date = content.updated ?? page.updated
  const isSame = current?.date === date && deepEqual(withoutIds(current.text), withoutIds(text))
  const saved =
    current && isSame ? current : await edit.save(locale, text, { date, textPath: `${pagePath}.content.${locale}` })
  if (liveRevisionId === saved.id) return
  await edit.publish(locale, saved)
  record(edit, { action: 'page.published', ...auditedChange(locale, current, saved) })
}
