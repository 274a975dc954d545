import { auditRoute } from './audit.ts'
import { fileRoute, filesRoute } from './files.ts'
import { adminRoute, homeRoute } from './home.ts'
import { messageRoute, messagesRoute } from './messages.ts'
import { lettersRoute, outboxRoute } from './outbox.ts'
import { privacyRoute } from './privacy.ts'
import { profileRoute } from './profile.ts'
import { newRoleRoute, roleRoute, rolesRoute } from './roles.ts'
import { rootRoute } from './root.ts'
import { newUserRoute, userRoute, usersRoute } from './users.ts'

export const routes = rootRoute.addChildren([
  homeRoute,
  adminRoute,
  messagesRoute,
  messageRoute,
  outboxRoute,
  lettersRoute,
  privacyRoute,
  usersRoute,
  newUserRoute,
  userRoute,
  rolesRoute,
  newRoleRoute,
  roleRoute,
  filesRoute,
  fileRoute,
  auditRoute,
  profileRoute,
])
