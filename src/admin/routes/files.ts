import { createRoute } from '@tanstack/react-router'
import { laterScreen } from '../components/later.tsx'
import { fileChoicesQuery, fileQuery, filesQuery, readFileSearch, toSeeFiles } from '../features/files/files.ts'
import { withTexts } from '../i18n.ts'
import { prefetch } from './prefetch.ts'
import { rootRoute } from './root.ts'

export const filesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/admin/files',
  validateSearch: readFileSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => {
    prefetch(context, toSeeFiles, filesQuery(deps))
    prefetch(context, toSeeFiles, fileChoicesQuery)
  },
  component: laterScreen(
    withTexts(['config'], () => import('../features/files/files-page.tsx')),
    'FilesPage',
  ),
})

export const fileRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/admin/files/$id',
  loader: ({ context, params }) => prefetch(context, toSeeFiles, fileQuery(Number(params.id))),
  component: laterScreen(
    withTexts(['config'], () => import('../features/files/file-page.tsx')),
    'FilePage',
  ),
})
