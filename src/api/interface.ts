import type { AddressLimit } from '../http/address-limits.ts'
import { createApi } from '../http/api.ts'
import { auditApi } from './audit.ts'
import { configApi } from './config.ts'
import { contactApi } from './contact.ts'
import { dashboardApi } from './dashboard.ts'
import { documentApi } from './docs.tsx'
import { type ApiDocument, describeInterface, type Route } from './document.ts'
import { filesApi } from './files.ts'
import { messagesApi } from './messages.ts'
import { notificationApi } from './notification.ts'
import { outboxApi } from './outbox.ts'
import { pageDraftsApi } from './page-drafts.ts'
import { pagesApi } from './pages.ts'
import { privacyApi } from './privacy.ts'
import { profileApi } from './profile.ts'
import { redirectsApi } from './redirects.ts'
import { refuseOtherMethods } from './refuse-other-methods.ts'
import { rolesApi } from './roles.ts'
import { sceneApi } from './scene.ts'
import { signInApi } from './sign-in.ts'
import { usersApi } from './users.ts'

type Parts = { attempts?: AddressLimit | undefined }

/** Each noun's routes, in its own file. */
const createRoutes = (parts: Parts) =>
  createApi()
    .route('/', contactApi(parts))
    .route('/', signInApi())
    .route('/', profileApi())
    .route('/', dashboardApi())
    .route('/', usersApi())
    .route('/', notificationApi())
    .route('/', rolesApi())
    .route('/', messagesApi())
    .route('/', outboxApi())
    .route('/', filesApi())
    .route('/', sceneApi())
    .route('/', pagesApi())
    .route('/', pageDraftsApi())
    .route('/', redirectsApi())
    .route('/', privacyApi())
    .route('/', configApi())
    .route('/', auditApi())

/** Everything under `/api`, with its description, and an answer to methods that a path does not know. */
export function createInterface(parts: Parts = {}): Interface {
  const routes = createRoutes(parts)
  let described: ApiDocument | undefined
  // Making it takes some milliseconds, and most copies of the program are never asked.
  routes.route(
    '/',
    documentApi(() => (described ??= describeInterface(routesOf(routes)))),
  )
  refuseOtherMethods(routes, routesOf(routes))
  return routes
}

/** For the admin's typed client. */
export type Interface = ReturnType<typeof createRoutes>

/** What `openapi.json` at the root of the project holds. */
export const interfaceDocument = (): ApiDocument => describeInterface(routesOf(createRoutes({})))

const routesOf = (api: Interface): Route[] =>
  api.openAPIRegistry.definitions.flatMap((one) => (one.type === 'route' ? [one.route as unknown as Route] : []))
