import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { SiteParts } from '../../../contract/config-parts.ts'
import type { ConfigRevision, Configuration, RevisionWithConfig, VisitorText } from '../../../contract/configuration.ts'
import type { ListOf } from '../../../contract/list.ts'
import type { Locale } from '../../../contract/locales.ts'
import type { Right } from '../../../contract/rights.ts'
import { api, isApiRefusal, parseAs, parseResponse } from '../../client.ts'
import { apiQuery, parseParameter, searchReader } from '../../search.ts'
import { storeSiteLanguages } from '../../site-languages.ts'

/** Any one of these rights allows viewing the configuration. */
export const configReadRights = ['config.write'] as const satisfies Right[]

export const configQuery = queryOptions({
  queryKey: ['config', 'now'],
  async queryFn({ client }): Promise<Configuration> {
    const configuration = await parseAs<Configuration>(api.config.$get())
    // Somebody else may have changed the languages.
    storeSiteLanguages(client, configuration.config)
    return configuration
  },
})

/**
 * What visitors read in a language where the site has no own text in it: the built-in text, or that of a fallback
 * language, which may be the site's own.
 */
export const visitorTextsQuery = (locale: Locale) =>
  queryOptions({
    queryKey: ['config', 'texts', locale],
    queryFn: async (): Promise<VisitorText[]> =>
      (await parseResponse(api.config.texts[':locale'].$get({ param: { locale } }))).data,
    staleTime: Number.POSITIVE_INFINITY,
  })

/** The parts as the API takes them: null removes an optional part, and JSON would omit undefined. */
export const withRemovals = (config: Partial<SiteParts>) =>
  Object.fromEntries(Object.entries(config).map(([name, value]) => [name, value ?? null]))

/** Caches the current configuration, from a response, for all screens. */
export function storeConfiguration(queries: QueryClient, current: Configuration): void {
  queries.setQueryData(configQuery.queryKey, current)
  storeSiteLanguages(queries, current.config)
  // What visitors read instead of a missing text depends on the configuration.
  void queries.invalidateQueries({ queryKey: ['config', 'texts'] })
  // Refetched by the next screen only: this one still needs the names of collections that were just removed.
  void queries.invalidateQueries({ queryKey: ['collections'], refetchType: 'none' })
}

/** Caches the current configuration from an error `stale`; does nothing for any other error. */
export function storeStaleConfiguration(queries: QueryClient, error: unknown): void {
  if (isApiRefusal(error, 'stale') && error.problem.current)
    storeConfiguration(queries, error.problem.current as Configuration)
}

/** The search parameters of the history's URL. */
export const readRevisionSearch = searchReader((parameters) => ({
  page: parseParameter.number(parameters.page),
}))
type RevisionSearch = ReturnType<typeof readRevisionSearch>

export const revisionsQuery = ({ page }: RevisionSearch) =>
  queryOptions({
    queryKey: ['config', 'revisions', page ?? 1],
    queryFn: async (): Promise<ListOf<ConfigRevision>> =>
      parseResponse(api.config.revisions.$get({ query: apiQuery({ page }) })),
    placeholderData: keepPreviousData,
  })

/** A revision with its configuration, and that before it. */
export const revisionQuery = (id: number) =>
  queryOptions({
    queryKey: ['config', 'revision', id],
    queryFn: async (): Promise<RevisionWithConfig> =>
      parseAs(api.config.revisions[':id'].$get({ param: { id: String(id) } })),
  })
