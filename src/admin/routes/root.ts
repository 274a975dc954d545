import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext } from '@tanstack/react-router'
import type { AdminStart } from '../../contract/admin-start.ts'
import { Shell } from '../features/shell/shell.tsx'

export interface RouterContext {
  start: AdminStart
  queries: QueryClient
}

export const rootRoute = createRootRouteWithContext<RouterContext>()({ component: Shell })
