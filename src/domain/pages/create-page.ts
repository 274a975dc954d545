import { collectionAt, findCollection } from '../../contract/collections.ts'
import { emptyText } from '../../contract/empty-text.ts'
import { Refusal } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { type Locale, rootLocaleOf } from '../../contract/locales.ts'
import type { ListedPage, NewPage, SlugQuery } from '../../contract/pages.ts'
import type { SiteConfig } from '../../contract/site-config.ts'
import { isLanguagePrefix, isReserved, isSearchSlug, slugFrom } from '../../contract/slug.ts'
import { truncateText } from '../../contract/text.ts'
import { siteTranslator } from '../../i18n/visitor-texts.ts'
import type { Context } from '../../platform/context.ts'
import type { Db } from '../../platform/db/database.ts'
import { allow } from '../allow.ts'
import { copyLocks } from '../locks/lock.queries.ts'
import { auditedChange } from './audited-page.ts'
import { addPage, editPage, subjectOf } from './edit-page.ts'
import { entrySlugProblem, slugBelow } from './entries.ts'
import { canWritePages } from './page.policy.ts'
import { findPageRow, isSavedSlugOf, isSlugTaken, listNumberedSlugs, textsOf } from './page.queries.ts'
import { contentOfTemplate } from './page-templates.ts'
import { loadListedPage } from './show-page.ts'

/** Adds an unpublished page with only a title, or with the blocks of a template. @throws {Refusal} `invalid` */
export async function createPage(
  ctx: Context,
  { locale, title, slug, template, collection }: NewPage,
): Promise<ListedPage> {
  const actor = allow(ctx, canWritePages)
  if (slug === '') throw new Refusal('invalid', { problems: [{ path: 'slug', key: 'required' }] })

  return ctx.transaction((tx) =>
    addPage(tx, ctx, { fixed: false, collection: collection ?? null }, async (edit) => {
      const { site } = edit
      if (!site.locales.includes(locale)) {
        throw new Refusal('invalid', { problems: [{ path: 'locale', key: 'languageGone' }] })
      }
      if (slug && (isSearchSlug(slug) || isLanguagePrefix(site.locales, slug)))
        throw new Refusal('invalid', { problems: [{ path: 'slug', key: 'slugReserved' }] })
      if (collection !== undefined && !findCollection(site, collection)) {
        throw new Refusal('invalid', { problems: [{ path: 'collection', key: 'collectionGone' }] })
      }
      const problem = slug && entrySlugProblem(site, { collection: collection ?? null }, slug, locale)
      if (problem) throw new Refusal('invalid', { problems: [{ path: 'slug', key: problem }] })
      if (slug !== undefined && (await isSlugTaken(tx, { locale, slug, pageId: undefined }))) {
        throw new Refusal('invalid', { problems: [{ path: 'slug', key: 'slugTaken' }] })
      }
      const slugOfTitle = slugBelow(site, collection, slugFrom(title, locale), locale)
      const newSlug = slug ?? (await chooseFreeSlug(tx, site, { slug: slugOfTitle, locale, pageId: undefined }))
      const saved = await edit.save(locale, {
        ...emptyText,
        ...(template && contentOfTemplate(template, locale)),
        title,
        slug: newSlug,
        ...(collection !== undefined && { fields: {} }),
      })
      edit.record({ action: 'page.created', ...auditedChange(locale, undefined, saved) })
      return loadListedPage(edit, edit.page, actor)
    }),
  )
}

/** Adds a page with the same saved texts and locks, under new slugs. @throws {Refusal} `not_found`, `page_in_bin` */
export async function duplicatePage(ctx: Context, id: number): Promise<ListedPage> {
  const actor = allow(ctx, canWritePages)
  return ctx.transaction((tx) =>
    editPage(tx, ctx, id, (original) =>
      addPage(tx, ctx, { fixed: false, collection: original.page.collection }, async (copy) => {
        for (const { locale, savedRevisionId } of textsOf(original.page)) {
          const saved = await original.revision(locale, savedRevisionId)
          if (!saved) continue
          const preferred = saved.text.slug || slugFrom(saved.text.title, locale)
          const slug = await chooseFreeSlug(tx, copy.site, { slug: preferred, locale, pageId: undefined })
          const title = truncateText(
            siteTranslator(ctx.site, locale)('pages.copyOf', { title: saved.text.title }),
            limits.pageTitleChars,
          )
          await copy.save(locale, { ...saved.text, title, slug })
        }
        await copyLocks(tx, id, copy.page.id)
        const after = { title: subjectOf(copy.page, ctx.site).name, from: subjectOf(original.page, ctx.site).name }
        copy.record({ action: 'page.duplicated', after })
        return loadListedPage(copy, copy.page, actor)
      }),
    ),
  )
}

/** A free slug made from a title, with a number appended when it is reserved or taken. */
export async function suggestSlug(
  ctx: Context,
  { title, locale, id, collection }: SlugQuery,
): Promise<{ slug: string }> {
  allow(ctx, canWritePages)
  const collectionId = id === undefined ? collection : (await findPageRow(ctx.db, id))?.collection
  const slug = slugBelow(ctx.site, collectionId, slugFrom(title, locale), locale)
  return { slug: await chooseFreeSlug(ctx.db, ctx.site, { slug, locale, pageId: id }) }
}

/**
 * The slug, or, if it is empty, reserved or taken by something else than `pageId`, the slug with the first free number from 2,
 * truncated if too long.
 */
export async function chooseFreeSlug(
  db: Db,
  site: Pick<SiteConfig, 'collections' | 'locales' | 'rootLocale'>,
  preferred: { slug: string; locale: Locale; pageId: number | undefined },
): Promise<string> {
  const { locale, pageId } = preferred
  const isSaved = pageId !== undefined && (await isSavedSlugOf(db, pageId, preferred.slug))
  const isBelowReserved = (path: string) =>
    isReserved(path) || (isLanguagePrefix(site.locales, path) && !(isSaved && locale !== rootLocaleOf(site)))
  // With a number `de/les` would still be below the prefix of German.
  const slug = isBelowReserved(preferred.slug) ? preferred.slug.replaceAll('/', '-') : preferred.slug
  const isUnavailable =
    isBelowReserved(slug) || collectionAt(site, slug, locale) !== undefined || (isSearchSlug(slug) && !isSaved)
  if (slug !== '' && !isUnavailable && !(await isSlugTaken(db, { locale, slug, pageId }))) return slug
  let prefix: string | undefined
  let taken = new Set<string>()
  for (let number = 2; ; number++) {
    const suffix = `-${number}`
    const truncated = truncateText(slug, limits.slugChars - suffix.length)
    // A longer number may need a shorter prefix.
    if (truncated !== prefix) taken = new Set(await listNumberedSlugs(db, locale, truncated))
    prefix = truncated
    if (!taken.has(prefix + suffix)) return prefix + suffix
  }
}
