import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { AuditAction, AuditRow } from '../../../contract/audit.ts'
import type { ListOf } from '../../../contract/list.ts'
import { answer, api } from '../../client.ts'
import { read } from '../../search.ts'

/** What one may ask for; each action belongs to one, or this does not compile. */
const actionsOf = {
  users: [
    'user.created',
    'user.updated',
    'user.deleted',
    'user.blocked',
    'user.unblocked',
    'user.role_given',
    'user.password_set',
    'user.password_link_made',
    'user.notified',
    'user.two_factor_off',
    'user.provider_linked',
    'users.exported',
  ],
  messages: [
    'message.answered',
    'message.unanswered',
    'message.replied',
    'message.noted',
    'message.spam',
    'message.not_spam',
    'message.deleted',
    'messages.exported',
    'letters.retried',
  ],
  privacy: ['privacy.exported', 'privacy.erased'],
  roles: ['role.created', 'role.updated', 'role.deleted'],
  files: ['file.uploaded', 'file.updated', 'file.replaced', 'file.deleted'],
  pages: [
    'page.created',
    'page.updated',
    'page.published',
    'page.unpublished',
    'page.planned',
    'page.duplicated',
    'page.binned',
    'page.unbinned',
    'page.deleted',
    'page.restored',
    'redirect.created',
    'redirect.updated',
    'redirect.deleted',
  ],
  config: ['config.changed', 'config.imported', 'config.restored'],
  profile: [
    'profile.changed',
    'profile.email_asked',
    'profile.email_changed',
    'profile.email_withdrawn',
    'profile.password_changed',
    'profile.two_factor_on',
    'profile.two_factor_off',
    'profile.recovery_codes_renewed',
    'profile.passkey_added',
    'profile.passkey_renamed',
    'profile.passkey_removed',
    'profile.session_ended',
    'profile.sessions_ended',
  ],
} as const satisfies Record<string, AuditAction[]>

export type Area = keyof typeof actionsOf
export const areas = Object.keys(actionsOf) as Area[]
type Placed = (typeof actionsOf)[Area][number]
const everyActionHasAPlace: [Exclude<AuditAction, Placed>] extends [never] ? true : never = true

/** What the address of the log holds. Days are those of the reader: `2026-11-21`. */
export interface AuditSearch {
  page?: number | undefined
  search?: string | undefined
  area?: Area | undefined
  /** Who did it. */
  actorId?: number | undefined
  from?: string | undefined
  until?: string | undefined
}

const day = (value: unknown) => {
  const text = read.text(value)
  return text && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined
}

export const readAuditSearch = (found: Record<string, unknown>): AuditSearch => ({
  page: read.number(found.page),
  search: read.text(found.search),
  area: everyActionHasAPlace && read.oneOf(found.area, areas),
  actorId: read.number(found.actorId),
  from: day(found.from),
  until: day(found.until),
})

export const changesQuery = (search: AuditSearch) =>
  queryOptions({
    queryKey: ['audit', search],
    queryFn: async (): Promise<ListOf<AuditRow>> => answer(api.audit.$get({ query: asked(search) })),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

const asked = (search: AuditSearch) => ({
  ...(search.page && { page: String(search.page) }),
  ...(search.search && { search: search.search }),
  ...(search.area && { action: [...actionsOf[search.area]] }),
  ...(search.actorId && { actorId: String(search.actorId) }),
  ...(search.from && { from: startOf(search.from, 0) }),
  ...(search.until && { until: startOf(search.until, 1) }),
})

/** The first instant of a day, or of one some days later, where the reader is. */
function startOf(text: string, later: number): string {
  const [year = 0, month = 1, date = 1] = text.split('-').map(Number)
  return new Date(year, month - 1, date + later).toISOString()
}
