import { createRoute, redirect } from '@tanstack/react-router'
import { laterScreen } from '../components/later.tsx'
import {
  dashboardQuery,
  messagesPerDayQuery,
  readHomeSearch,
  toSeeMessages,
  toSeeViews,
  usualPeriod,
  viewsQuery,
} from '../features/home/dashboard.ts'
import { devicesQuery, profileQuery } from '../features/profile/profile.ts'
import { prefetch } from './prefetch.ts'
import { rootRoute } from './root.ts'

export const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/user',
  validateSearch: readHomeSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => {
    prefetch(context, [], dashboardQuery)
    prefetch(context, toSeeMessages, messagesPerDayQuery)
    prefetch(context, toSeeViews, viewsQuery(deps.days ?? usualPeriod))
    prefetch(context, [], profileQuery)
    prefetch(context, [], devicesQuery)
  },
  component: laterScreen(() => import('../features/home/home.tsx'), 'Home'),
})

/** `/admin` alone is the overview. */
export const adminRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/admin',
  beforeLoad: () => {
    throw redirect({ to: '/user', replace: true })
  },
})
