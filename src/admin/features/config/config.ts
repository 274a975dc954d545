import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ConfigRevision, Configuration, RevisionWithConfig } from '../../../contract/configuration.ts'
import type { ListOf } from '../../../contract/list.ts'
import type { Right } from '../../../contract/rights.ts'
import { answer, api } from '../../client.ts'
import { read } from '../../search.ts'

export const toSeeConfig = ['config.write'] as const satisfies Right[]

/** The screens of the settings, in the order of how often they are wanted. */
export const configScreens = [
  'brand',
  'logo',
  'palette',
  'offer',
  'business',
  'navbar',
  'footer',
  'seo',
  'contact',
  'sender',
  'legal',
  'locales',
] as const
export type ConfigScreen = (typeof configScreens)[number]

export const configQuery = queryOptions({
  queryKey: ['config', 'now'],
  queryFn: async (): Promise<Configuration> => answer(api.config.$get()),
})

/** What the address of the list holds. */
export interface RevisionSearch {
  page?: number | undefined
}
export const readRevisionSearch = (found: Record<string, unknown>): RevisionSearch => ({
  page: read.number(found.page),
})

export const revisionsQuery = ({ page }: RevisionSearch) =>
  queryOptions({
    queryKey: ['config', 'revisions', page ?? 1],
    queryFn: async (): Promise<ListOf<ConfigRevision>> =>
      answer(api.config.revisions.$get({ query: page ? { page: String(page) } : {} })),
    placeholderData: keepPreviousData,
  })

export const revisionQuery = (id: number) =>
  queryOptions({
    queryKey: ['config', 'revision', id],
    queryFn: async (): Promise<RevisionWithConfig> =>
      answer(api.config.revisions[':id'].$get({ param: { id: String(id) } })),
  })
