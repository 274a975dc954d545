import { createRouter } from '@tanstack/react-router'
import { Failed, NotFound } from './components/states.tsx'
import { routes } from './routes/index.ts'
import type { RouterContext } from './routes/root.ts'
import { parseSearch, stringifySearch } from './search.ts'

export const createAdminRouter = (context: RouterContext) =>
  createRouter({
    routeTree: routes,
    context,
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    // The query client knows what is fresh.
    defaultPreloadStaleTime: 0,
    defaultNotFoundComponent: NotFound,
    defaultErrorComponent: Failed,
    scrollRestoration: true,
  })

export type AdminRouter = ReturnType<typeof createAdminRouter>

declare module '@tanstack/react-router' {
  interface Register {
    router: AdminRouter
  }
}
