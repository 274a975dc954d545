import { type Locale, locales, localizedPath } from '../../contract/locales.ts'
import type { DraftText, ListedPage, PageInLocale } from '../../contract/pages.ts'
import { translator } from '../../i18n/translate.ts'
import type { Actor } from '../../platform/context.ts'
import { findDraftAbout, listDraftLocales } from './draft.queries.ts'
import { canDeletePage, canPublishPages, canWritePages } from './page.policy.ts'
import {
  type By,
  type Db,
  findPageRow,
  isLiveOrPlanned,
  livePath,
  type PageRow,
  stateOf,
  wasLive,
} from './page.queries.ts'
import { findRevision, findVersionOf } from './revision.queries.ts'

/** A person of then; the program itself is called by the reader's word for it. */
export const someone = (by: By, locale: Locale) => ({ id: by.id, name: by.name || translator(locale)('audit.program') })

/** The same within a sentence. */
export const nameWithin = (by: By, locale: Locale): string => by.name || translator(locale)('audit.programWithin')

export const canOf = (actor: Actor, page: PageRow): ListedPage['can'] => ({
  change: canWritePages(actor) && page.deletedAt === null,
  publish: canPublishPages(actor) && page.deletedAt === null,
  delete: canDeletePage(actor, { fixed: page.fixed, live: page.deletedAt ? wasLive(page) : isLiveOrPlanned(page) }),
})

/** Pages as a list shows them to somebody. */
export async function shownPages(db: Db, pages: readonly PageRow[], actor: Actor): Promise<ListedPage[]> {
  const drafts = await listDraftLocales(
    db,
    actor.id,
    pages.map(({ id }) => id),
  )
  return pages.map((page) => ({
    id: page.id,
    fixed: page.fixed,
    nl: listedText(page, 'nl', actor),
    fa: listedText(page, 'fa', actor),
    drafts: locales.filter((locale) => drafts.some((one) => one.pageId === page.id && one.locale === locale)),
    deletedAt: page.deletedAt,
    createdAt: page.createdAt,
    updatedAt: page.updatedAt,
    updatedBy: someone(page.updatedBy, actor.locale),
    can: canOf(actor, page),
  }))
}

export async function shownPage(db: Db, id: number, actor: Actor): Promise<ListedPage> {
  const page = await findPageRow(db, id)
  return (await shownPages(db, page ? [page] : [], actor))[0] as ListedPage
}

function listedText(page: PageRow, locale: Locale, actor: Actor): ListedPage['nl'] {
  const text = page.texts[locale]
  if (!text) return null
  const { title, slug, publishAt, unpublishAt, savedAt, savedBy } = text
  return {
    title,
    slug,
    path: livePath(text),
    state: stateOf(text),
    publishAt,
    unpublishAt,
    savedAt,
    savedBy: someone(savedBy, actor.locale),
  }
}

/** A page in one language as it is edited, whether there is a text yet or not. */
export async function shownInLocale(db: Db, page: PageRow, locale: Locale, actor: Actor): Promise<PageInLocale> {
  const text = page.texts[locale]
  const at = { pageId: page.id, locale }
  const saved = text && (await findRevision(db, at, text.savedId))
  const draft = await findDraftAbout(db, at, actor.id)
  return {
    id: page.id,
    locale,
    fixed: page.fixed,
    version: text?.version ?? 0,
    text: saved ? asDraft(saved.text) : emptyText(page),
    state: text ? stateOf(text) : 'unpublished',
    path: text ? livePath(text) : null,
    publishedAt: text?.publishedAt ?? null,
    publishAt: text?.publishAt ?? null,
    plannedVersion: text?.publishId == null ? null : ((await findVersionOf(db, text.publishId)) ?? null),
    unpublishAt: text?.unpublishAt ?? null,
    savedAt: text?.savedAt ?? null,
    savedBy: text ? someone(text.savedBy, actor.locale) : null,
    draft: draft ?? null,
    deletedAt: page.deletedAt,
    can: canOf(actor, page),
  }
}

/** What a language begins with that has no text; a fixed page is found at the same address in each. */
const emptyText = (page: PageRow): DraftText => ({
  title: '',
  slug: page.fixed ? (page.texts.nl?.slug ?? '') : '',
  seoTitle: '',
  description: '',
  picture: '',
  noindex: false,
  body: [],
})

/** A text that was judged is also one that need not be. */
export const asDraft = (text: object): DraftText => text as DraftText

export const subjectOf = (page: PageRow) => ({
  type: 'page',
  id: page.id,
  name: page.texts.nl?.title ?? page.texts.fa?.title ?? `#${page.id}`,
})

export const pathOf = (slug: string, locale: Locale): string => localizedPath(`/${slug}`, locale)
