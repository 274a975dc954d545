import type { Context as HonoContext } from 'hono'
import type { ReactNode } from 'react'
import { areaBlocks, formsOn, hasContactForm } from '../blocks/block-contents.ts'
import type { ContactState, RenderContext } from '../blocks/define-block.ts'
import { searchField } from '../blocks/search-field.tsx'
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
import { queryOf, readQuery, shownQuery } from './search-query.ts'
import { securedHtml, uncachedProps } from './site-pages.ts'

/** Whether the search on the site answers at a path without its language. */
export const isSearchPath = (path: string): boolean => path === searchPath || path === suggestionsPath

/**
 * The results of a search as a page, or the first titles as JSON. Neither is cached: anyone could fill the cache with
 * searches.
 * @param searches counts each search of an address; without it they are not limited
 * @param confirmation of a form on the page that was sent
 */
export async function search(
  c: HonoContext<Env>,
  { path, locale }: { path: string; locale: Locale },
  searches: RateLimit | undefined,
  confirmation: ContactState | undefined,
): Promise<Response> {
  const url = new URL(c.req.url)
  const chosen = chooseLocale(c, (one) => localizedPath(path, one, c.var.ctx.site))
  if (chosen) return chosen
  c.header('Cache-Control', 'private, no-store')
  c.header('X-Robots-Tag', 'noindex')
  const { query, page, isAsked } = readQuery(url.searchParams)
  const wanted = path === suggestionsPath ? { query, locale, suggest: true } : { query, locale, page }
  let found: Asked['found']
  try {
    if (query !== '') searches?.count(addressGroup(c.var.clientAddress))
    found = await c.var.ctx.runSearch(() => searchPages(c.var.ctx, wanted))
  } catch (error) {
    if (!isTooMany(error)) throw error
    found = 'tooMany'
    c.status(429)
    for (const [name, value] of Object.entries(refusalHeaders(error))) c.header(name, value)
  }
  if (path === suggestionsPath) {
    const suggestions = (found === 'tooMany' ? [] : found.results).map(({ title, path }) => ({
      title: textOf(title),
      url: encodeURI(path),
    }))
    return c.json({ suggestions } satisfies Suggestions)
  }
  const { html, headers } = await renderSearchPage(c.var.ctx, { query, page, isAsked, found, locale }, confirmation)
  for (const [name, value] of headers) c.header(name, value)
  return c.body(compressHtml(c, html))
}

/** The page of search results with a form on it that was refused, or the question to its sender. */
export async function searchPageWithForm(
  ctx: Context,
  parameters: string,
  locale: Locale,
  status: number,
  contact: ContactState,
): Promise<Response> {
  const asked = { ...readQuery(new URLSearchParams(parameters)), locale }
  // Only the limited number of posts with errors searches. Without the results the form keeps what was typed.
  const found = status === 422 ? await searchAround(ctx, asked) : undefined
  const { html, headers } = await renderSearchPage(ctx, { ...asked, found }, contact)
  return new Response(html, { status, headers: [...headers, ['Cache-Control', 'private, no-store']] })
}

/** The results around a refused form; undefined when too many searches wait, or after an error. */
const searchAround = (ctx: Context, asked: { query: string; page: number; locale: Locale }) =>
  ctx
    .runSearch(() => searchPages(ctx, asked))
    .catch((error) => {
      if (!isTooMany(error)) ctx.log.error({ err: error }, 'the search around a refused form failed')
      return undefined
    })

const isTooMany = (error: unknown): error is Refusal => error instanceof Refusal && error.code === 'too_many'

const textOf = (parts: readonly FoundPart[]): string => parts.map(({ text }) => text).join('')

interface Asked {
  query: string
  page: number
  isAsked: boolean
  /** Undefined without a search. */
  found: SiteSearch | 'tooMany' | undefined
  locale: Locale
}

async function renderSearchPage(ctx: Context, asked: Asked, contact: ContactState | undefined) {
  const { site, origin } = ctx
  const { query, page, locale } = asked
  const shown = shownQuery(query)
  const areas = areaBlocks(site, locale)
  const hasForm = hasContactForm(areas) || formsOn(areas).length > 0
  const context = createRenderContext({
    ...(await uncachedProps(ctx, locale)),
    locale,
    path: searchPath,
    shared: true,
    ...(hasForm && { contact: { values: {}, errors: {}, ...contact, query: queryOf(shown, page) } }),
  })
  const { t } = context
  const title = shown === '' ? t('site.search.title') : t('site.search.about', { query: shown })
  const stylesheets = ['prose', 'page-numbers', 'search'] as const
  const head = {
    title: `${title} | ${site.brand}`,
    description: t('site.search.label'),
    canonical: undefined,
    alternates: site.locales.map((one) => ({
      locale: one,
      path: localizedPath(searchPath, one, site),
      query: queryOf(shown),
    })),
    origin,
    stylesheets,
    data: undefined,
  }
  const main = (
    <main id="inhoud">
      <div className="page-head">
        <div className="wrap">
          <h1>{t('site.search.title')}</h1>
        </div>
      </div>
      <div className="wrap search-page">
        {searchField(context, shown)}
        {outcome({ ...asked, query: shown }, context)}
      </div>
    </main>
  )
  return { html: renderDocument(context, head, main), headers: securedHtml({ site, origin }, locale, stylesheets) }
}

function outcome({ query, isAsked, found, locale }: Asked, { t, site }: RenderContext): ReactNode {
  const status = (text: string, more?: string) => (
    <>
      <p className="outcome" role="status">
        {text}
      </p>
      {more && <p>{more}</p>}
    </>
  )
  if (!found) return null
  if (found === 'tooMany') return status(t('site.search.tooMany'))
  const { problem, total, more, results } = found
  if (problem === 'empty' && !isAsked) return <p className="lead">{t('site.search.start')}</p>
  if (problem) return status(t(`site.search.${problem}`, { limit: limits.searchChars }))
  // Isolated, so that its direction does not change the sentence around it.
  const isolated = `\u2068${query}\u2069`
  if (total === 0) return status(t('site.search.notFound', { query: isolated }), t('site.search.advice'))
  const counted = t(more ? 'site.search.foundMore' : 'site.search.found', { count: total, query: isolated })
  return (
    <>
      {status(counted, more ? t('site.search.narrow') : undefined)}
      <ol
        className="results"
        start={(found.page - 1) * limits.siteSearchPageSize + 1}
        aria-label={t('site.search.results')}
      >
        {results.map((result) => (
          <li key={result.path}>{foundPage(result)}</li>
        ))}
      </ol>
      {otherPages(found, query, { t, locale, site })}
    </>
  )
}

function foundPage({ path, title, excerpt }: FoundPage): ReactNode {
  return (
    <>
      <h2>
        <a href={encodeURI(path)}>{marked(title)}</a>
      </h2>
      <p className="address">
        <bdi dir="ltr">{path}</bdi>
      </p>
      {excerpt.length > 0 && <p className="excerpt">{marked(excerpt)}</p>}
    </>
  )
}

const marked = (parts: readonly FoundPart[]): ReactNode =>
  // biome-ignore lint/suspicious/noArrayIndexKey: parts have no id and may repeat
  parts.map(({ text, isMatch }, index) => (isMatch ? <mark key={index}>{text}</mark> : text))

function otherPages(
  { page, pages }: SiteSearch,
  query: string,
  { t, locale, site }: Pick<RenderContext, 't' | 'locale' | 'site'>,
): ReactNode {
  if (pages < 2) return null
  const address = (number: number) => `${localizedPath(searchPath, locale, site)}?${queryOf(query, number)}`
  return (
    <nav aria-label={t('site.search.pages')}>
      <ul className="page-numbers">
        {Array.from({ length: pages }, (_, index) => index + 1).map((number) => (
          <li key={number}>
            <a
              href={address(number)}
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
