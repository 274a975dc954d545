import { DirectionProvider, MantineProvider, useDirection } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRouter, RouterProvider } from '@tanstack/react-router'
import { LucideProvider } from 'lucide-react'
import { useEffect, useMemo } from 'react'
import type { AdminInitialData } from '../contract/admin-start.ts'
import { directionOf } from '../contract/locales.ts'
import { isTemporary } from './client.ts'
import { NotFound } from './components/page.tsx'
import { ErrorState } from './components/states.tsx'
import { useLocale } from './i18n.ts'
import { administrationRoutes } from './routes/administration.ts'
import { contentRoutes } from './routes/pages.ts'
import { type RouterContext, rootRoute } from './routes/root.ts'
import { parseSearch, stringifySearch } from './search.ts'
import { adminCssVariables, adminTheme, schemeManager } from './theme.ts'

/** The providers around all screens: language and direction, theme, size of icons, query client, notifications. */
export function Admin({
  initialData,
  queries,
  router,
}: {
  initialData: AdminInitialData
  queries: QueryClient
  router: AdminRouter
}) {
  const theme = useMemo(() => adminTheme(initialData.shades), [initialData.shades])
  return (
    <DirectionProvider initialDirection={directionOf(initialData.me.locale)} detectDirection={false}>
      <DirectionSync />
      <MantineProvider
        theme={theme}
        cssVariablesResolver={adminCssVariables}
        colorSchemeManager={schemeManager}
        defaultColorScheme="auto"
        deduplicateCssVariables={false}
      >
        <LucideProvider size={18}>
          <Notifications position="bottom-center" limit={3} autoClose={6_000} />
          <QueryClientProvider client={queries}>
            <RouterProvider router={router} />
          </QueryClientProvider>
        </LucideProvider>
      </MantineProvider>
    </DirectionProvider>
  )
}

/** Updates the text direction of components when the language changes. */
function DirectionSync() {
  const locale = useLocale()
  const { setDirection } = useDirection()
  useEffect(() => setDirection(directionOf(locale)), [locale, setDirection])
  return null
}

/** Creates the query client. It retries temporary failures twice, but no refused requests or programming errors. */
export const createQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        // Fail at once without a network, instead of pausing the query.
        networkMode: 'always',
        retry: (count, error) => isTemporary(error) && count < 2,
        retryDelay: 600,
      },
      mutations: { networkMode: 'always' },
    },
  })

export const createAdminRouter = (context: RouterContext) =>
  createRouter({
    routeTree: rootRoute.addChildren([...administrationRoutes, ...contentRoutes]),
    context,
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    // The query client decides what is fresh.
    defaultPreloadStaleTime: 0,
    defaultNotFoundComponent: NotFound,
    defaultErrorComponent: ErrorState,
    scrollRestoration: true,
  })

type AdminRouter = ReturnType<typeof createAdminRouter>

declare module '@tanstack/react-router' {
  interface Register {
    router: AdminRouter
  }
}
