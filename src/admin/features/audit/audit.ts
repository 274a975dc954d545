import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { AuditRow } from '../../../contract/audit.ts'
import { type AuditArea, auditedActions } from '../../../contract/audit-actions.ts'
import type { ListOf } from '../../../contract/list.ts'
import { api, parseResponse } from '../../client.ts'
import { parseParameter, searchReader } from '../../search.ts'

export const areas = Object.keys(auditedActions) as AuditArea[]

/** A valid date like `2026-11-21`, or undefined. */
const parseDay = (value: unknown) => {
  const text = parseParameter.text(value)
  return text && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined
}

/** The search parameters of the URL. `from` and `until` are inclusive days in the user's time zone: `2026-11-21`. */
export const readAuditSearch = searchReader((parameters) => ({
  page: parseParameter.number(parameters.page),
  search: parseParameter.text(parameters.search),
  area: parseParameter.oneOf(parameters.area, areas),
  /** The id of the user who did the action. */
  actorId: parseParameter.number(parameters.actorId),
  from: parseDay(parameters.from),
  until: parseDay(parameters.until),
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
  ...(search.from && { from: startOfDay(search.from) }),
  ...(search.until && { until: startOfDay(search.until, 1) }),
})

/** The ISO instant at which a day like `2026-11-21`, or one that is `daysLater`, starts in the user's time zone. */
function startOfDay(day: string, daysLater = 0): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + daysLater).toISOString()
}
