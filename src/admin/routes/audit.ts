import { createRoute } from '@tanstack/react-router'
import { laterScreen } from '../components/later.tsx'
import { changesQuery, readAuditSearch } from '../features/audit/changes.ts'
import { withTexts } from '../i18n.ts'
import { prefetch } from './prefetch.ts'
import { rootRoute } from './root.ts'

export const auditRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/admin/audit',
  validateSearch: readAuditSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => prefetch(context, ['audit.read'], changesQuery(deps)),
  component: laterScreen(
    withTexts(['config'], () => import('../features/audit/audit-page.tsx')),
    'AuditPage',
  ),
})
