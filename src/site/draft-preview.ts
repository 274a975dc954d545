import { Hono } from 'hono'
import { LRUCache } from 'lru-cache'
import type { ShownSection } from '../blocks/section.tsx'
import { dayAt } from '../contract/day.ts'
import { Refusal } from '../contract/errors.ts'
import { limits } from '../contract/limits.ts'
import { builtInLocales, findBuiltInLocale, localizedPath, mainLocaleOf, rootLocaleOf } from '../contract/locales.ts'
import type { StoredBlock } from '../contract/site-config.ts'
import { findDraftPreview } from '../domain/drafts/preview-link.ts'
import { parseValidBlocks } from '../domain/drafts/valid-blocks.ts'
import { findShownFiles } from '../domain/files/show-file.ts'
import { loadEntryView } from '../domain/pages/collection-view.ts'
import { fillEntryLists } from '../domain/pages/entry-lists.ts'
import { fillSections } from '../domain/sections/shown-sections.ts'
import type { Env } from '../http/env.ts'
import { createRateLimit } from '../http/rate-limit.ts'
import { requestLocale } from '../http/request-locale.ts'
import { translator } from '../i18n/translate.ts'
import { draftPreviewResponse } from './site-pages.ts'

/** The limit of requests per link and minute: each request renders the page, and anyone with the link can make it. */
const maxRequests = 60
const windowMs = 60_000
/** Limits memory: the blocks of a draft may take a megabyte. */
const maxCachedDrafts = 4

/** Removes `section` blocks above the limit of a page, which a draft may exceed until it is saved. */
function limitSections(body: readonly StoredBlock[]): StoredBlock[] {
  let sections = 0
  return body.filter(({ type }) => type !== 'section' || sections++ < limits.sectionsPerPage)
}

/** Removes `entry-list` blocks above the limit of a page, also in sections, because each takes queries. */
function limitEntryLists(body: readonly StoredBlock[]): StoredBlock[] {
  let entryLists = 0
  const limitIn = (list: readonly StoredBlock[]): StoredBlock[] =>
    list.flatMap((block) => {
      if (block.type === 'entry-list') return entryLists++ < limits.entryLists ? [block] : []
      // Other blocks may have a field `content` too.
      const content = block.type === 'section' ? (block as ShownSection).content : undefined
      return [content ? ({ ...block, content: { ...content, body: limitIn(content.body) } } as ShownSection) : block]
    })
  return limitIn(body)
}

/** Creates the route `/voorbeeld/{token}`: a draft as visitors would see it, for anyone with a valid link. */
export function draftPreviewRoutes(now: () => Date) {
  const routes = new Hono<Env>()
  const rateLimit = createRateLimit({ maxAttempts: maxRequests, windowMs, now })
  /** By version of the draft, so that each is validated and sanitized once. */
  const cachedBlocks = new LRUCache<string, StoredBlock[]>({ max: maxCachedDrafts })
  routes.on(['GET', 'HEAD'], '/voorbeeld/:token{[0-9][\\w.-]+}', async (c) => {
    const { ctx } = c.var
    const { site } = ctx
    const token = c.req.param('token')
    const draft = await findDraftPreview(ctx, token)
    if (!draft) throw new Refusal('not_found')
    rateLimit.count(token)
    const { locale, version } = draft
    const blocks = cachedBlocks.get(version) ?? limitSections(parseValidBlocks(draft.text.body))
    cachedBlocks.set(version, blocks)
    const withSections = await fillSections(ctx.db, { locale, main: mainLocaleOf(site) }, blocks)
    const { body } = await fillEntryLists(ctx, locale, limitEntryLists(withSections.body))
    const text = { ...draft.text, sections: withSections.sections, body }
    // The notice is in the language of the browser: whoever opens the link may not read that of the draft.
    const noticeLocale = requestLocale(c.req.raw, builtInLocales, findBuiltInLocale(rootLocaleOf(site)) ?? 'en')
    const page = {
      ...text,
      id: 0,
      path: `/${text.slug}`,
      updated: dayAt(ctx.now()),
      contentLocale: locale,
      alternates: [{ locale, path: localizedPath('/', locale, site) }],
      collection: await loadEntryView(ctx, { collection: draft.collection, fields: draft.text.fields, locale }),
    }
    const props = {
      site,
      menuPages: ctx.menuPages,
      origin: ctx.origin,
      now: ctx.now(),
      viewer: undefined,
      ...(await findShownFiles(ctx, [site.branding, text])),
    }
    // A draft may be in a language that the site no longer has.
    const pageLocale = site.locales.includes(locale) ? locale : rootLocaleOf(site)
    const notice = { locale: noticeLocale, text: translator(noticeLocale)('pages.preview') }
    return draftPreviewResponse(props, page, pageLocale, notice)
  })
  return routes
}
