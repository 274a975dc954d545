import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { devicesQuery, profileQuery } from '../features/profile/profile.ts'
import { prefetch } from './prefetch.ts'
import { rootRoute } from './root.ts'

export const profileRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/admin/profile',
  loader: ({ context }) => {
    prefetch(context, [], profileQuery)
    prefetch(context, [], devicesQuery)
  },
  component: lazyRouteComponent(() => import('../features/profile/profile-page.tsx'), 'ProfilePage'),
})
