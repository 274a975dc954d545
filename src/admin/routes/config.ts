import { createRoute } from '@tanstack/react-router'
import { laterScreen } from '../components/later.tsx'
import {
  configQuery,
  readRevisionSearch,
  revisionQuery,
  revisionsQuery,
  toSeeConfig,
} from '../features/config/config.ts'
import { withTexts } from '../i18n.ts'
import { prefetch } from './prefetch.ts'
import { rootRoute } from './root.ts'

export const configRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/admin/config',
  loader: ({ context }) => prefetch(context, toSeeConfig, configQuery),
  component: laterScreen(
    withTexts(['blocks', 'config'], () => import('../features/config/config-page.tsx')),
    'ConfigPage',
  ),
})

export const configPartRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/admin/config/$part',
  loader: ({ context }) => prefetch(context, toSeeConfig, configQuery),
  component: laterScreen(
    withTexts(['blocks', 'config'], () => import('../features/config/part-page.tsx')),
    'PartPage',
  ),
})

export const configRevisionsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/admin/config/revisions',
  validateSearch: readRevisionSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => prefetch(context, toSeeConfig, revisionsQuery(deps)),
  component: laterScreen(
    withTexts(['blocks', 'config'], () => import('../features/config/revisions-page.tsx')),
    'RevisionsPage',
  ),
})

export const configRevisionRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/admin/config/revisions/$id',
  loader: ({ context, params }) => prefetch(context, toSeeConfig, revisionQuery(Number(params.id))),
  component: laterScreen(
    withTexts(['blocks', 'config'], () => import('../features/config/revision-page.tsx')),
    'RevisionPage',
  ),
})
