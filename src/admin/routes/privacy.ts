import { createRoute } from '@tanstack/react-router'
import { laterScreen } from '../components/later.tsx'
import { rootRoute } from './root.ts'

export const privacyRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/admin/privacy',
  component: laterScreen(() => import('../features/privacy/privacy-page.tsx'), 'PrivacyPage'),
})
