import type { FetchQueryOptions } from '@tanstack/react-query'
import { hasRight, type Right } from '../../contract/rights.ts'
import { meQuery } from '../features/sign-in/me.ts'
import type { RouterContext } from './root.ts'

/**
 * Begins to fetch what a screen will show, for who may see it. It is not waited for: the screen shows itself while the
 * rest is on its way, and tells what went wrong.
 */
export function prefetch<Data, Key extends readonly unknown[]>(
  { queries }: RouterContext,
  rights: readonly Right[],
  query: FetchQueryOptions<Data, Error, Data, Key>,
): void {
  if (hasRight(queries.getQueryData(meQuery.queryKey), rights)) void queries.prefetchQuery(query)
}
