import { createRoute } from '@tanstack/react-router'
import { laterScreen } from '../components/later.tsx'
import {
  pageQuery,
  pagesQuery,
  readHistorySearch,
  readLocale,
  readPageSearch,
  revisionsQuery,
  saveQuery,
  toSeePages,
} from '../features/pages/pages.ts'
import { readRedirectSearch, redirectsQuery, toSeeRedirects } from '../features/redirects/redirects.ts'
import { withTexts } from '../i18n.ts'
import { prefetch } from './prefetch.ts'
import { rootRoute } from './root.ts'

const texts = ['blocks', 'pages'] as const

export const pagesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/admin/pages',
  validateSearch: readPageSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => prefetch(context, toSeePages, pagesQuery(deps)),
  component: laterScreen(
    withTexts(texts, () => import('../features/pages/pages-page.tsx')),
    'PagesPage',
  ),
})

export const newPageRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/admin/pages/new',
  component: laterScreen(
    withTexts(texts, () => import('../features/pages/new-page.tsx')),
    'NewPagePage',
  ),
})

export const pageRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/admin/pages/$id/$locale',
  loader: ({ context, params }) =>
    prefetch(context, toSeePages, pageQuery(Number(params.id), readLocale(params.locale))),
  component: laterScreen(
    withTexts(texts, () => import('../features/pages/page-page.tsx')),
    'PagePage',
  ),
})

export const historyRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/admin/pages/$id/$locale/history',
  validateSearch: readHistorySearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, params, deps }) => {
    const at = [Number(params.id), readLocale(params.locale)] as const
    if (deps.revision) return prefetch(context, toSeePages, saveQuery(...at, deps.revision))
    return prefetch(context, toSeePages, revisionsQuery(...at, deps))
  },
  component: laterScreen(
    withTexts(texts, () => import('../features/pages/history-page.tsx')),
    'HistoryPage',
  ),
})

export const redirectsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/admin/redirects',
  validateSearch: readRedirectSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => prefetch(context, toSeeRedirects, redirectsQuery(deps)),
  component: laterScreen(
    withTexts(texts, () => import('../features/redirects/redirects-page.tsx')),
    'RedirectsPage',
  ),
})
