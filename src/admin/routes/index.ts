import { auditRoute } from './audit.ts'
import { adminRoute, homeRoute } from './home.ts'
import { profileRoute } from './profile.ts'
import { newRoleRoute, roleRoute, rolesRoute } from './roles.ts'
import { rootRoute } from './root.ts'
import { newUserRoute, userRoute, usersRoute } from './users.ts'

export const routes = rootRoute.addChildren([
  homeRoute,
  adminRoute,
  usersRoute,
  newUserRoute,
  userRoute,
  rolesRoute,
  newRoleRoute,
  roleRoute,
  auditRoute,
  profileRoute,
])
