import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { roleQuery, rolesQuery, toSeeRoles } from '../features/roles/roles.ts'
import { prefetch } from './prefetch.ts'
import { rootRoute } from './root.ts'

export const rolesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/admin/roles',
  loader: ({ context }) => prefetch(context, toSeeRoles, rolesQuery),
  component: lazyRouteComponent(() => import('../features/roles/roles-page.tsx'), 'RolesPage'),
})

export const newRoleRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/admin/roles/new',
  component: lazyRouteComponent(() => import('../features/roles/role-page.tsx'), 'NewRolePage'),
})

export const roleRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/admin/roles/$id',
  loader: ({ context, params }) => prefetch(context, toSeeRoles, roleQuery(Number(params.id))),
  component: lazyRouteComponent(() => import('../features/roles/role-page.tsx'), 'RolePage'),
})
