import { auditRoute } from './audit.ts'
import { configPartRoute, configRevisionRoute, configRevisionsRoute, configRoute } from './config.ts'
import { fileRoute, filesRoute } from './files.ts'
import { adminRoute, homeRoute } from './home.ts'
import { messageRoute, messagesRoute } from './messages.ts'
import { lettersRoute, outboxRoute } from './outbox.ts'
import { historyRoute, newPageRoute, pageRoute, pagesRoute, redirectsRoute } from './pages.ts'
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
  pagesRoute,
  newPageRoute,
  pageRoute,
  historyRoute,
  redirectsRoute,
  filesRoute,
  fileRoute,
  configRoute,
  configRevisionsRoute,
  configRevisionRoute,
  configPartRoute,
  auditRoute,
  profileRoute,
])
