import { Refusal } from '../contract/errors.ts'
import { createApi } from '../http/api.ts'
import { type ApiDocument, buildApiDocument, type Route } from './api-document.ts'
import { auditApi } from './audit.ts'
import { backupsApi } from './backups.ts'
import { type CheckDependencies, checksApi } from './checks.ts'
import { collectionsApi, configApi, previewDataApi } from './config.ts'
import { type ContactDependencies, contactApi } from './contact.ts'
import { dashboardApi } from './dashboard.ts'
import { documentApi } from './docs.tsx'
import { draftsApi } from './drafts.ts'
import { filesApi } from './files.ts'
import { type FormDependencies, formsApi } from './forms.ts'
import { type HealthDependencies, healthApi } from './health.ts'
import { type LinkDependencies, linksApi } from './links.ts'
import { mailServerApi } from './mail-server.ts'
import { messagesApi } from './messages.ts'
import { notificationApi } from './notification.ts'
import { outboxApi } from './outbox.ts'
import { pagesApi } from './pages.ts'
import { privacyApi } from './privacy.ts'
import { profileApi } from './profile.ts'
import { redirectsApi } from './redirects.ts'
import { rolesApi } from './roles.ts'
import { sectionsApi } from './sections.ts'
import { signInApi } from './sign-in.ts'
import { usersApi } from './users.ts'

type ApiDependencies = ContactDependencies &
  FormDependencies &
  CheckDependencies &
  LinkDependencies &
  HealthDependencies

const createRoutes = (dependencies: ApiDependencies) =>
  createApi()
    .route('/', contactApi(dependencies))
    .route('/', formsApi(dependencies))
    .route('/', checksApi(dependencies))
    .route('/', signInApi())
    .route('/', profileApi())
    .route('/', dashboardApi())
    .route('/', usersApi())
    .route('/', notificationApi())
    .route('/', rolesApi())
    .route('/', messagesApi())
    .route('/', outboxApi())
    .route('/', mailServerApi())
    .route('/', filesApi())
    .route('/', previewDataApi())
    .route('/', linksApi(dependencies))
    .route('/', pagesApi())
    .route('/', draftsApi())
    .route('/', collectionsApi())
    .route('/', redirectsApi())
    .route('/', sectionsApi())
    .route('/', privacyApi())
    .route('/', configApi())
    .route('/', backupsApi())
    .route('/', auditApi())
    .route('/', healthApi(dependencies))

/** Everything under `/api`, with its OpenAPI document and the 405 responses. */
export function createApiRoutes(dependencies: ApiDependencies): Api {
  const routes = createRoutes(dependencies)
  let described: ApiDocument | undefined
  // Built at the first request: it takes some milliseconds, and is rarely needed.
  routes.route(
    '/',
    documentApi(() => (described ??= buildApiDocument(routesOf(routes)))),
  )
  refuseOtherMethods(routes, routesOf(routes))
  return routes
}

/** The type of the API, for the admin's typed client. */
export type Api = ReturnType<typeof createRoutes>

/** The content of `openapi.json` at the root of the project. No handler is called, so none needs its dependencies. */
export const apiDocument = (): ApiDocument => buildApiDocument(routesOf(createRoutes({} as ApiDependencies)))

const routesOf = (api: Api): Route[] =>
  api.openAPIRegistry.definitions.flatMap((definition) =>
    // The registered route still has the fields that were passed to `defineRoute`.
    definition.type === 'route' ? [definition.route as typeof definition.route & Route] : [],
  )

/** Answers 405 with `Allow` for a method that a path does not have. Register it after all routes. */
function refuseOtherMethods(api: Pick<ReturnType<typeof createApi>, 'all'>, routes: readonly Route[]): void {
  const byPath = Map.groupBy(routes, ({ path }) => path)
  for (const [path, routesOfPath] of byPath) {
    const allow = routesOfPath.flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]))
    api.all(path.replaceAll(/\{(\w+)\}/g, ':$1'), () => {
      throw new Refusal('method_not_allowed', { allow })
    })
  }
}
