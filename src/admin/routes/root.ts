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
    /** The screen has the whole window, without navigation around it. */
    fullWindow?: true
  }
}

export const rootRoute = createRootRouteWithContext<RouterContext>()({ component: Shell })

/** What a screen reads from its URL, in a route: its loader gets the same as `deps`. */
export const searchOf = <Search extends object>(read: (typed: Record<string, unknown>) => Search) => ({
  validateSearch: read,
  loaderDeps: ({ search }: { search: Search }) => search,
})

/** Starts fetching a screen's data, if the user may see it. Not awaited: the screen shows loading and error states. */
export function prefetch<Data, Key extends readonly unknown[]>(
  { queries }: RouterContext,
  rights: readonly Right[],
  query: FetchQueryOptions<Data, Error, Data, Key>,
): void {
  if (hasRight(queries.getQueryData(meQuery.queryKey), rights)) void queries.prefetchQuery(query)
}
