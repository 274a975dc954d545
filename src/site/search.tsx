import type { Context as HonoContext } from 'hono'
import type { ReactNode } from 'react'
import { areaBlocks, formIdsOn, hasContactForm } from '../blocks/block-contents.ts'
import type { ContactState, RenderContext } from '../blocks/define-block.ts'
import { renderSearchField } from '../blocks/search-field.tsx'
import { Refusal } from '../contract/errors.ts'
import { numberFormat } from '../contract/intl-formats.ts'
import { limits } from '../contract/limits.ts'
import { type Locale, localizedPath } from '../contract/locales.ts'
import { type FoundPart, type Suggestions, searchPath, suggestionsPath } from '../contract/site-search.ts'
import { addressGroup } from '../domain/messages/address-group.ts'
import { type FoundPage, type SiteSearch, searchPages } from '../domain/pages/search-pages.ts'
import { compressHtml } from '../http/compress-html.ts'
import type { Env } from '../http/env.ts'
import { refusalHeaders } from '../http/problem.ts'
import type { RateLimit } from '../http/rate-limit.ts'
import type { Context } from '../platform/context.ts'
import { chooseLocale } from './choose-locale.ts'
import { renderDocument } from './html-document.tsx'
import { createRenderContext } from './render-context.ts'
import { readSearchQuery, searchQueryString, truncateQuery } from './search-query.ts'
import { htmlHeaders, loadUncachedProps } from './site-pages.ts'

/** Whether a path, without a language prefix, is that of the search page or of its suggestions. */
export const isSearchPath = (path: string): boolean => path === searchPath || path === suggestionsPath

/**
 * Responds with search results as a page, or with the first titles as JSON. Not cached: anyone could fill the cache.
 * @param confirmation the state of a form in the header or footer
 */
export async function searchResponse(
  c: HonoContext<Env>,
  { path, locale }: { path: string; locale: Locale },
  searches: RateLimit | undefined,
  confirmation: ContactState | undefined,
): Promise<Response> {
  const url = new URL(c.req.url)
  const localeRedirect = chooseLocale(c, (target) => localizedPath(path, target, c.var.ctx.site))
  if (localeRedirect) return localeRedirect
  c.header('Cache-Control', 'private, no-store')
  c.header('X-Robots-Tag', 'noindex')
  const { query, page, isSubmitted } = readSearchQuery(url.searchParams)
  const input = path === suggestionsPath ? { query, locale, suggest: true } : { query, locale, page }
  let outcome: SearchView['outcome']
  try {
    if (query !== '') searches?.count(addressGroup(c.var.clientAddress))
    outcome = await c.var.ctx.runSearch(() => searchPages(c.var.ctx, input))
  } catch (error) {
    if (!isTooMany(error)) throw error
    outcome = 'tooMany'
    c.status(429)
    for (const [name, value] of Object.entries(refusalHeaders(error))) c.header(name, value)
  }
  if (path === suggestionsPath) {
    const suggestions = (outcome === 'tooMany' ? [] : outcome.results).map(({ title, path }) => ({
      title: textOf(title),
      url: encodeURI(path),
    }))
    return c.json({ suggestions } satisfies Suggestions)
  }
  const { html, headers } = await renderSearchPage(
    c.var.ctx,
    { query, page, isSubmitted, outcome, locale },
    confirmation,
  )
  for (const [name, value] of headers) c.header(name, value)
  return c.body(compressHtml(c, html))
}

/** Responds with the search page and the state of a form in its header or footer: refused, or with a spam question. */
export async function searchPageWithForm(
  ctx: Context,
  queryString: string,
  locale: Locale,
  status: number,
  contact: ContactState,
): Promise<Response> {
  const input = { ...readSearchQuery(new URLSearchParams(queryString)), locale }
  // Only for invalid posts and wrong answers, whose number is limited. Without results the form still has its values.
  const outcome = status === 422 ? await searchForRefusedForm(ctx, input) : undefined
  const { html, headers } = await renderSearchPage(ctx, { ...input, outcome }, contact)
  return new Response(html, { status, headers: [...headers, ['Cache-Control', 'private, no-store']] })
}

/** The results to show with a refused form; undefined when too many searches wait, or after an error. */
const searchForRefusedForm = (ctx: Context, input: { query: string; page: number; locale: Locale }) =>
  ctx
    .runSearch(() => searchPages(ctx, input))
    .catch((error) => {
      if (!isTooMany(error)) ctx.log.error({ err: error }, 'the search around a refused form failed')
      return undefined
    })

const isTooMany = (error: unknown): error is Refusal => error instanceof Refusal && error.code === 'too_many'

const textOf = (parts: readonly FoundPart[]): string => parts.map(({ text }) => text).join('')

interface SearchView {
  query: string
  page: number
  isSubmitted: boolean
  /** Undefined if nothing was searched. */
  outcome: SiteSearch | 'tooMany' | undefined
  locale: Locale
}

/** @param contact the state of a form in the header or footer */
async function renderSearchPage(ctx: Context, view: SearchView, contact: ContactState | undefined) {
  const { site, origin } = ctx
  const { page, locale } = view
  const query = truncateQuery(view.query)
  const areas = areaBlocks(site, locale)
  const hasForm = hasContactForm(areas) || formIdsOn(areas).length > 0
  const context = createRenderContext({
    ...(await loadUncachedProps(ctx, locale)),
    locale,
    path: searchPath,
    cacheBlocks: true,
    ...(hasForm && { contact: { values: {}, errors: {}, ...contact, query: searchQueryString(query, page) } }),
  })
  const { t } = context
  const title = query === '' ? t('site.search.title') : t('site.search.about', { query })
  const stylesheets = ['prose', 'page-numbers', 'search'] as const
  const head = {
    title: `${title} | ${site.brand}`,
    description: t('site.search.label'),
    canonical: undefined,
    alternates: site.locales.map((alternate) => ({
      locale: alternate,
      path: localizedPath(searchPath, alternate, site),
      query: searchQueryString(query),
    })),
    origin,
    stylesheets,
    jsonLd: undefined,
  }
  const main = (
    <main id="inhoud">
      <div className="page-head">
        <div className="wrap">
          <h1>{t('site.search.title')}</h1>
        </div>
      </div>
      <div className="wrap search-page">
        {renderSearchField(context, query)}
        {renderOutcome({ ...view, query }, context)}
      </div>
    </main>
  )
  return { html: renderDocument(context, head, main), headers: htmlHeaders({ site, origin }, locale, stylesheets) }
}

function renderOutcome({ query, isSubmitted, outcome, locale }: SearchView, { t, site }: RenderContext): ReactNode {
  const renderStatus = (text: string, advice?: string) => (
    <>
      <p className="outcome" role="status">
        {text}
      </p>
      {advice && <p>{advice}</p>}
    </>
  )
  if (!outcome) return null
  if (outcome === 'tooMany') return renderStatus(t('site.search.tooMany'))
  const { problem, total, more, results } = outcome
  if (problem === 'empty' && !isSubmitted) return <p className="lead">{t('site.search.start')}</p>
  if (problem) return renderStatus(t(`site.search.${problem}`, { limit: limits.searchChars }))
  // Between Unicode isolates (FSI and PDI), so that its direction does not change the sentence around it.
  const isolatedQuery = `\u2068${query}\u2069`
  if (total === 0) return renderStatus(t('site.search.notFound', { query: isolatedQuery }), t('site.search.advice'))
  const countText = t(more ? 'site.search.foundMore' : 'site.search.found', { count: total, query: isolatedQuery })
  return (
    <>
      {renderStatus(countText, more ? t('site.search.narrow') : undefined)}
      <ol
        className="results"
        start={(outcome.page - 1) * limits.siteSearchPageSize + 1}
        aria-label={t('site.search.results')}
      >
        {results.map((result) => (
          <li key={result.path}>{renderResult(result)}</li>
        ))}
      </ol>
      {renderPageNumbers(outcome, query, { t, locale, site })}
    </>
  )
}

function renderResult({ path, title, excerpt }: FoundPage): ReactNode {
  return (
    <>
      <h2>
        <a href={encodeURI(path)}>{markMatches(title)}</a>
      </h2>
      <p className="address">
        <bdi dir="ltr">{path}</bdi>
      </p>
      {excerpt.length > 0 && <p className="excerpt">{markMatches(excerpt)}</p>}
    </>
  )
}

const markMatches = (parts: readonly FoundPart[]): ReactNode =>
  // biome-ignore lint/suspicious/noArrayIndexKey: parts have no id and may repeat
  parts.map(({ text, isMatch }, index) => (isMatch ? <mark key={index}>{text}</mark> : text))

function renderPageNumbers(
  { page, pages }: SiteSearch,
  query: string,
  { t, locale, site }: Pick<RenderContext, 't' | 'locale' | 'site'>,
): ReactNode {
  if (pages < 2) return null
  const urlOf = (number: number) => `${localizedPath(searchPath, locale, site)}?${searchQueryString(query, number)}`
  return (
    <nav aria-label={t('site.search.pages')}>
      <ul className="page-numbers">
        {Array.from({ length: pages }, (_, index) => index + 1).map((number) => (
          <li key={number}>
            <a
              href={urlOf(number)}
              aria-label={t('site.search.page', { number })}
              aria-current={number === page ? 'page' : undefined}
            >
              {numberFormat(locale).format(number)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
