import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from './root.ts'

export const privacyRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/admin/privacy',
  component: lazyRouteComponent(() => import('../features/privacy/privacy-page.tsx'), 'PrivacyPage'),
})
