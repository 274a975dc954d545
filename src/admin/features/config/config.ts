import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { SiteParts } from '../../../contract/config-parts.ts'
import type { ConfigRevision, Configuration, RevisionWithConfig, VisitorText } from '../../../contract/configuration.ts'
import type { ListOf } from '../../../contract/list.ts'
import type { Locale } from '../../../contract/locales.ts'
import type { Right } from '../../../contract/rights.ts'
import { api, isApiRefusal, parseAs, parseResponse } from '../../client.ts'
import { apiQuery, parseParameter, searchReader } from '../../search.ts'
import { storeSiteLanguages } from '../../site-languages.ts'

export const configReadRights = ['config.write'] as const satisfies Right[]

export const configQuery = queryOptions({
  queryKey: ['config', 'now'],
  async queryFn({ client }): Promise<Configuration> {
    const found = await parseAs<Configuration>(api.config.$get())
    // Somebody else may have changed them.
    storeSiteLanguages(client, found.config)
    return found
  },
})

/** The program's texts for visitors in a language. */
export const visitorTextsQuery = (locale: Locale) =>
  queryOptions({
    queryKey: ['config', 'texts', locale],
    queryFn: async (): Promise<VisitorText[]> =>
      (await parseResponse(api.config.texts[':locale'].$get({ param: { locale } }))).data,
    staleTime: Number.POSITIVE_INFINITY,
  })

/** An optional part that is undefined is removed by `null`. */
export const withRemovals = (config: Partial<SiteParts>) =>
  Object.fromEntries(Object.entries(config).map(([name, value]) => [name, value ?? null]))

/** Stores a configuration that the server answered with, for all screens. */
export function storeConfiguration(queries: QueryClient, saved: Configuration): void {
  queries.setQueryData(configQuery.queryKey, saved)
  storeSiteLanguages(queries, saved.config)
  // What visitors read instead of a missing text depends on the configuration.
  void queries.invalidateQueries({ queryKey: ['config', 'texts'] })
  // For other screens: the one on which a collection was removed keeps its name.
  void queries.invalidateQueries({ queryKey: ['collections'], refetchType: 'none' })
}

/** After somebody else saved: stores the configuration that the refusal brings. */
export function storeCurrent(queries: QueryClient, error: unknown): void {
  if (isApiRefusal(error, 'stale') && error.problem.current)
    storeConfiguration(queries, error.problem.current as Configuration)
}

/** The search parameters of the list's URL. */
export const readRevisionSearch = searchReader((found) => ({
  page: parseParameter.number(found.page),
}))
export type RevisionSearch = ReturnType<typeof readRevisionSearch>

export const revisionsQuery = ({ page }: RevisionSearch) =>
  queryOptions({
    queryKey: ['config', 'revisions', page ?? 1],
    queryFn: async (): Promise<ListOf<ConfigRevision>> =>
      parseResponse(api.config.revisions.$get({ query: apiQuery({ page }) })),
    placeholderData: keepPreviousData,
  })

export const revisionQuery = (id: number) =>
  queryOptions({
    queryKey: ['config', 'revision', id],
    queryFn: async (): Promise<RevisionWithConfig> =>
      parseAs(api.config.revisions[':id'].$get({ param: { id: String(id) } })),
  })
