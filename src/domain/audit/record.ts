import type { AuditAction } from '../../contract/audit.ts'
import type { Actor, Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { insertAudit } from './audit.queries.ts'

export interface Change {
  action: AuditAction
  subject: { type: string; id?: number | string | undefined; name: string }
  /** The thing as it was and as it is; what did not change and what is secret is left out. */
  before?: object | undefined
  after?: object | undefined
}

/** Writes down a change, in the transaction of the change. */
export async function record(
  tx: Transaction,
  ctx: Pick<Context, 'now'> & { actor: Pick<Actor, 'id' | 'name'> | undefined },
  change: Change,
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

/** Not kept: secrets, at any depth, and what changes with every write. */
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
  const kept = Object.entries(value).filter(([key]) => !secrets.has(key))
  return Object.fromEntries(kept.map(([key, one]) => [key, withoutSecrets(one)]))
}
