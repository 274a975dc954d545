import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { AuditRow } from '../../../contract/audit.ts'
import { type AuditArea, auditedActions } from '../../../contract/audit-actions.ts'
import type { ListOf } from '../../../contract/list.ts'
import { api, parseResponse } from '../../client.ts'
import { parseParameter, searchReader } from '../../search.ts'

export const areas = Object.keys(auditedActions) as AuditArea[]

const day = (value: unknown) => {
  const text = parseParameter.text(value)
  return text && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined
}

/** The search parameters of the log's URL. Days are in the user's time zone: `2026-11-21`. */
export const readAuditSearch = searchReader((parameters) => ({
  page: parseParameter.number(parameters.page),
  search: parseParameter.text(parameters.search),
  area: parseParameter.oneOf(parameters.area, areas),
  /** The user who did it. */
  actorId: parseParameter.number(parameters.actorId),
  from: day(parameters.from),
  until: day(parameters.until),
}))
export type AuditSearch = ReturnType<typeof readAuditSearch>

export const auditQuery = (search: AuditSearch) =>
  queryOptions({
    queryKey: ['audit', search],
    queryFn: async (): Promise<ListOf<AuditRow>> => parseResponse(api.audit.$get({ query: apiQuery(search) })),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

const apiQuery = (search: AuditSearch) => ({
  ...(search.page && { page: String(search.page) }),
  ...(search.search && { search: search.search }),
  ...(search.area && { action: [...auditedActions[search.area]] }),
  ...(search.actorId && { actorId: String(search.actorId) }),
  ...(search.from && { from: startOf(search.from, 0) }),
  ...(search.until && { until: startOf(search.until, 1) }),
})

/** The start of a day, or of one some days later, in the user's time zone. */
function startOf(text: string, offset: number): string {
  const [year = 0, month = 1, date = 1] = text.split('-').map(Number)
  return new Date(year, month - 1, date + offset).toISOString()
}
