import { createRoute } from '@tanstack/react-router'
import { laterScreen } from '../components/later.tsx'
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
  component: laterScreen(() => import('../features/profile/profile-page.tsx'), 'ProfilePage'),
})
