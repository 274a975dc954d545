import { Hono } from 'hono'
import { LRUCache } from 'lru-cache'
import type { ShownSection } from '../blocks/section.tsx'
import { dayAt } from '../contract/day.ts'
import { Refusal } from '../contract/errors.ts'
import { limits } from '../contract/limits.ts'
import { findProgramLocale, localizedPath, mainLocaleOf, programLocales, rootLocaleOf } from '../contract/locales.ts'
import type { StoredBlock } from '../contract/site-config.ts'
import { findDraftPreview, validBlocks } from '../domain/drafts/preview-link.ts'
import { findShownFiles } from '../domain/files/show-file.ts'
import { loadEntryView } from '../domain/pages/collection-view.ts'
import { showEntryLists } from '../domain/pages/entry-lists.ts'
import { showSections } from '../domain/sections/shown-sections.ts'
import type { Env } from '../http/env.ts'
import { createRateLimit } from '../http/rate-limit.ts'
import { requestLocale } from '../http/request-locale.ts'
import { translator } from '../i18n/translate.ts'
import { draftPreviewPage } from './site-pages.ts'

/**
 * Views of one link per minute, because its page is rendered for each request and anyone with the link can request it.
 */
const maxViews = 60
const viewWindowMs = 60_000
/** Bounds memory: the blocks of a draft may take a megabyte. */
const rememberedDrafts = 4

/** A page with more shared sections cannot be saved, but a draft may refer to any number of them. */
function withFirstSections(body: readonly StoredBlock[]): StoredBlock[] {
  let sections = 0
  return body.filter(({ type }) => type !== 'section' || sections++ < limits.sectionsPerPage)
}

/** Each list of entries is a few queries, also in a section, and anyone with the link can request the page. */
function withFirstLists(body: readonly StoredBlock[]): StoredBlock[] {
  let lists = 0
  const first = (list: readonly StoredBlock[]): StoredBlock[] =>
    list.flatMap((block) => {
      if (block.type === 'entry-list') return lists++ < limits.entryLists ? [block] : []
      // Other blocks may have a field of that name.
      const content = block.type === 'section' ? (block as ShownSection).content : undefined
      return [content ? ({ ...block, content: { ...content, body: first(content.body) } } as ShownSection) : block]
    })
  return first(body)
}

/** `/voorbeeld/{token}`: a draft as visitors would see it, for anyone with a valid link. */
export function pagePreviewRoutes(now: () => Date) {
  const site = new Hono<Env>()
  const views = createRateLimit({ maxAttempts: maxViews, windowMs: viewWindowMs, now })
  /** Blocks are validated and sanitized once per revision. */
  const blocksOf = new LRUCache<string, StoredBlock[]>({ max: rememberedDrafts })
  site.on(['GET', 'HEAD'], '/voorbeeld/:token{[0-9][\\w.-]+}', async (c) => {
    const { ctx } = c.var
    const token = c.req.param('token')
    const found = await findDraftPreview(ctx, token)
    if (!found) throw new Refusal('not_found')
    views.count(token)
    const { locale, version } = found
    const body = blocksOf.get(version) ?? withFirstSections(validBlocks(found.text.body))
    blocksOf.set(version, body)
    const { sections, ...filled } = await showSections(ctx.db, { locale, main: mainLocaleOf(ctx.site) }, body)
    const lists = await showEntryLists(ctx, locale, withFirstLists(filled.body))
    const text = { ...found.text, sections, body: lists.body }
    const reader = requestLocale(c.req.raw, programLocales, findProgramLocale(rootLocaleOf(ctx.site)) ?? 'en')
    const page = {
      ...text,
      id: 0,
      path: `/${text.slug}`,
      updated: dayAt(ctx.now()),
      contentLocale: locale,
      alternates: [{ locale, path: localizedPath('/', locale, ctx.site) }],
      collection: await loadEntryView(ctx, { collection: found.collection, fields: found.text.fields, locale }),
    }
    return draftPreviewPage(
      {
        site: ctx.site,
        menuPages: ctx.menuPages,
        origin: ctx.origin,
        now: ctx.now(),
        viewer: undefined,
        ...(await findShownFiles(ctx, [ctx.site.branding, text])),
      },
      page,
      ctx.site.locales.includes(locale) ? locale : rootLocaleOf(ctx.site),
      { locale: reader, text: translator(reader)('pages.preview') },
    )
  })
  return site
}
