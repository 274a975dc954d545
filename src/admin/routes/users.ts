import { createRoute } from '@tanstack/react-router'
import { laterScreen } from '../components/later.tsx'
import { readUserSearch, toSeeUsers, userQuery, usersQuery } from '../features/users/users.ts'
import { prefetch } from './prefetch.ts'
import { rootRoute } from './root.ts'

export const usersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/admin/users',
  validateSearch: readUserSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => prefetch(context, toSeeUsers, usersQuery(deps)),
  component: laterScreen(() => import('../features/users/users-page.tsx'), 'UsersPage'),
})

export const newUserRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/admin/users/new',
  component: laterScreen(() => import('../features/users/user-page.tsx'), 'NewUserPage'),
})

export const userRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/admin/users/$id',
  loader: ({ context, params }) => prefetch(context, toSeeUsers, userQuery(Number(params.id))),
  component: laterScreen(() => import('../features/users/user-page.tsx'), 'UserPage'),
})
