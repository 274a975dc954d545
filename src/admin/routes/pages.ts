import { createRoute } from '@tanstack/react-router'
import { lazyScreen } from '../components/lazy-part.tsx'
import { fileLibraryQuery, fileQuery, fileReadRights, filesQuery, readFileSearch } from '../features/files/files.ts'
import { deadLinksQuery } from '../features/links/links.ts'
import {
  pageHistory,
  pageQuery,
  pageReadRights,
  pagesQuery,
  readHistorySearch,
  readLocale,
  readNewPageSearch,
  readPageSearch,
  revisionsQuery,
  singleSaveQuery,
} from '../features/pages/pages.ts'
import { readRedirectSearch, redirectReadRights, redirectsQuery } from '../features/redirects/redirects.ts'
import { sectionHistory, sectionQuery, sectionsQuery } from '../features/sections/sections.ts'
import { prefetch, rootRoute, searchOptions } from './root.ts'

/** The texts that the screens of pages need, besides those that are always loaded. */
const textParts = ['blocks', 'pages'] as const

export const contentRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/admin/pages',
    ...searchOptions(readPageSearch),
    loader: ({ context, deps }) => prefetch(context, pageReadRights, pagesQuery(deps)),
    component: lazyScreen(() => import('../features/pages/pages-page.tsx'), 'PagesPage', [...textParts, 'redirects']),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/admin/pages/new',
    validateSearch: readNewPageSearch,
    component: lazyScreen(() => import('../features/pages/new-page.tsx'), 'NewPagePage', textParts),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/admin/pages/$id/$locale',
    staticData: { fullWindow: true },
    // With nothing cached, Back runs the loader before it renders, so that an old page is not shown as the current one.
    gcTime: 0,
    loader: ({ context, params, preload }) => {
      const [id, locale] = [Number(params.id), readLocale(params.locale)]
      // Data prefetched while the pointer was on the link may be outdated by now.
      prefetch(context, pageReadRights, { ...pageQuery(id, locale), ...(!preload && { staleTime: 0 }) })
      // Only loads earlier what the screen loads itself, which then shows any error.
      import('../features/pages/page-page.tsx').then(
        ({ preloadVisualEditor }) => preloadVisualEditor(context.queries, id, locale),
        () => {},
      )
      // In ms since 1970. Data of a preload never counts as fresh.
      return { openedAt: preload ? Number.POSITIVE_INFINITY : Date.now() }
    },
    component: lazyScreen(() => import('../features/pages/page-page.tsx'), 'PagePage', textParts),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/admin/pages/$id/$locale/history',
    ...searchOptions(readHistorySearch),
    loader: ({ context, params, deps }) => {
      const history = pageHistory(Number(params.id), readLocale(params.locale))
      if (deps.revision) return prefetch(context, pageReadRights, singleSaveQuery(history, deps.revision))
      return prefetch(context, pageReadRights, revisionsQuery(history, deps))
    },
    component: lazyScreen(() => import('../features/pages/history-page.tsx'), 'HistoryPage', textParts),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/admin/redirects',
    ...searchOptions(readRedirectSearch),
    loader: ({ context, deps }) => prefetch(context, redirectReadRights, redirectsQuery(deps)),
    component: lazyScreen(() => import('../features/redirects/redirects-page.tsx'), 'RedirectsPage', [
      ...textParts,
      'redirects',
    ]),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/admin/links',
    loader: ({ context }) => prefetch(context, pageReadRights, deadLinksQuery),
    component: lazyScreen(() => import('../features/links/dead-links-page.tsx'), 'DeadLinksPage', [
      ...textParts,
      'config',
      'redirects',
    ]),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/admin/files',
    ...searchOptions(readFileSearch),
    loader: ({ context, deps }) => {
      prefetch(context, fileReadRights, filesQuery(deps))
      prefetch(context, fileReadRights, fileLibraryQuery)
    },
    component: lazyScreen(() => import('../features/files/files-page.tsx'), 'FilesPage', ['config']),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/admin/files/$id',
    loader: ({ context, params }) => prefetch(context, fileReadRights, fileQuery(Number(params.id))),
    component: lazyScreen(() => import('../features/files/file-page.tsx'), 'FilePage', ['config']),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/admin/sections',
    loader: ({ context }) => prefetch(context, pageReadRights, sectionsQuery),
    component: lazyScreen(() => import('../features/sections/sections-page.tsx'), 'SectionsPage', textParts),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/admin/sections/$section',
    staticData: { fullWindow: true },
    loader: ({ context, params }) => prefetch(context, pageReadRights, sectionQuery(params.section)),
    component: lazyScreen(() => import('../features/sections/section-page.tsx'), 'SectionPage', textParts),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/admin/sections/$section/$locale/history',
    ...searchOptions(readHistorySearch),
    loader: ({ context, params, deps }) => {
      const history = sectionHistory(params.section, readLocale(params.locale))
      return prefetch(context, pageReadRights, revisionsQuery(history, deps))
    },
    component: lazyScreen(
      () => import('../features/sections/section-history-page.tsx'),
      'SectionHistoryPage',
      textParts,
    ),
  }),
] as const
