import type { AuditAction } from '../../contract/audit-actions.ts'
import type { Locale } from '../../contract/locales.ts'
import { translator } from '../../i18n/translate.ts'
import type { Actor, Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { insertAudit } from './audit.queries.ts'

export interface AuditEntry {
  action: AuditAction
  subject: { type: string; id?: number | string | undefined; name: string }
  /** The subject before and after the change; unchanged and secret fields are omitted. */
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

/** Fields that are never logged, at any depth: secrets, and values that change with every write. */
const secrets = new Set(['password', 'token', 'secret', 'hash'])
const never = new Set([...secrets, 'version', 'updatedAt', 'createdAt', 'can'])

function difference(before: object | undefined, after: object | undefined) {
  const keys = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].filter(
    (key) => !never.has(key),
  )
  const value = (of: object | undefined, key: string) => (of as Record<string, unknown> | undefined)?.[key]
  const changed = keys.filter((key) => JSON.stringify(value(before, key)) !== JSON.stringify(value(after, key)))
  const pick = (of: object | undefined) =>
    of && Object.fromEntries(changed.map((key) => [key, withoutSecrets(value(of, key))]))
  return { before: pick(before) ?? null, after: pick(after) ?? null }
}

function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (typeof value !== 'object' || value === null) return value
  const logged = Object.entries(value).filter(([key]) => !secrets.has(key))
  return Object.fromEntries(logged.map(([key, one]) => [key, withoutSecrets(one)]))
}

/** The author of a change, by the name at that time. Without an id the author is the program. */
export interface Author {
  id: number | null
  name: string
}

export const authorOf = ({ actor }: { actor?: Context['actor'] }): Author => ({
  id: actor?.id ?? null,
  name: actor?.name ?? '',
})

/** An author as the API returns it; the program's name is translated. */
export const shownAuthor = (by: Author, locale: Locale) => ({
  id: by.id,
  name: by.name || translator(locale)('audit.program'),
})

/** The author's name for use within a sentence. */
export const nameInSentence = (by: Author, locale: Locale): string =>
  by.name || translator(locale)('audit.programWithin')
