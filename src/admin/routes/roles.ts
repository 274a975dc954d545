import { createRoute } from '@tanstack/react-router'
import { laterScreen } from '../components/later.tsx'
import { roleQuery, rolesQuery, toSeeRoles } from '../features/roles/roles.ts'
import { prefetch } from './prefetch.ts'
import { rootRoute } from './root.ts'

export const rolesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/admin/roles',
  loader: ({ context }) => prefetch(context, toSeeRoles, rolesQuery),
  component: laterScreen(() => import('../features/roles/roles-page.tsx'), 'RolesPage'),
})

export const newRoleRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/admin/roles/new',
  component: laterScreen(() => import('../features/roles/role-page.tsx'), 'NewRolePage'),
})

export const roleRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/admin/roles/$id',
  loader: ({ context, params }) => prefetch(context, toSeeRoles, roleQuery(Number(params.id))),
  component: laterScreen(() => import('../features/roles/role-page.tsx'), 'RolePage'),
})
