import type { FetchQueryOptions, QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext } from '@tanstack/react-router'
import type { AdminInitialData } from '../../contract/admin-start.ts'
import { hasRight, type Right } from '../../contract/rights.ts'
import { Shell } from '../features/shell/shell.tsx'
import { meQuery } from '../features/sign-in/me.ts'

export interface RouterContext {
  initialData: AdminInitialData
  queries: QueryClient
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The screen fills the window, without the navigation. */
    fullWindow?: true
  }
}

export const rootRoute = createRootRouteWithContext<RouterContext>()({ component: Shell })

/** The options of a route with search parameters. Its loader gets the parsed parameters as `deps`. */
export const searchOptions = <Search extends object>(read: (parameters: Record<string, unknown>) => Search) => ({
  validateSearch: read,
  loaderDeps: ({ search }: { search: Search }) => search,
})

/** Starts fetching a screen's data, if the user has any of the rights (none: always). The screen shows any error. */
export function prefetch<Data, Key extends readonly unknown[]>(
  { queries }: RouterContext,
  rights: readonly Right[],
  query: FetchQueryOptions<Data, Error, Data, Key>,
): void {
  if (hasRight(queries.getQueryData(meQuery.queryKey), rights)) void queries.prefetchQuery(query)
}
