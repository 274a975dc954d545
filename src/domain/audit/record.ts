import type { AuditAction } from '../../contract/audit-actions.ts'
import type { Locale } from '../../contract/locales.ts'
import { translator } from '../../i18n/translate.ts'
import type { Actor, Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { insertAudit } from './audit.queries.ts'

export interface AuditEntry {
  action: AuditAction
  subject: { type: string; id?: number | string | undefined; name: string }
  /** The subject before and after the change; `record` omits unchanged and secret fields. */
  before?: object | undefined
  after?: object | undefined
}

/** Adds an audit entry, in the transaction of the change. */
export async function record(
  tx: Transaction,
  ctx: Pick<Context, 'now'> & { actor: Pick<Actor, 'id' | 'name'> | undefined },
  change: AuditEntry,
): Promise<void> {
  const { before, after } = difference(change.before, change.after)
  await insertAudit(tx, {
    at: ctx.now().toISOString(),
    actor_id: ctx.actor?.id ?? null,
    actor_name: ctx.actor?.name ?? '',
    action: change.action,
    subject_type: change.subject.type,
    subject_id: change.subject.id === undefined ? null : String(change.subject.id),
    subject_name: change.subject.name,
    before: before && JSON.stringify(before),
    after: after && JSON.stringify(after),
  })
}

/** Never recorded, at any depth. */
const secrets = new Set(['password', 'token', 'secret', 'hash'])
/** Not recorded as fields of the subject: secrets, and what changes with every write. */
const omitted = new Set([...secrets, 'version', 'updatedAt', 'createdAt', 'can'])

/** The fields that differ, with their values before and after. */
function difference(before: object | undefined, after: object | undefined) {
  const keys = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].filter(
    (key) => !omitted.has(key),
  )
  const value = (subject: object | undefined, key: string) => (subject as Record<string, unknown> | undefined)?.[key]
  const changed = keys.filter((key) => JSON.stringify(value(before, key)) !== JSON.stringify(value(after, key)))
  const pick = (subject: object | undefined) =>
    subject && Object.fromEntries(changed.map((key) => [key, withoutSecrets(value(subject, key))]))
  return { before: pick(before) ?? null, after: pick(after) ?? null }
}

function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).filter(([key]) => !secrets.has(key))
  return Object.fromEntries(fields.map(([key, field]) => [key, withoutSecrets(field)]))
}

/** The author of a change, with the name of that time. Without an id it is the system itself. */
export interface Author {
  id: number | null
  name: string
}

export const authorOf = ({ actor }: { actor?: Context['actor'] }): Author => ({
  id: actor?.id ?? null,
  name: actor?.name ?? '',
})

/** An author as the API returns it; the system has a translated name. */
export const shownAuthor = (by: Author, locale: Locale) => ({
  id: by.id,
  name: by.name || translator(locale)('audit.program'),
})

/** The author's name for use within a sentence. */
export const nameInSentence = (by: Author, locale: Locale): string =>
  by.name || translator(locale)('audit.programWithin')
