import { partsOf } from '../../contract/config-parts.ts'
import type { ConfigRevision, RevisionWithConfig } from '../../contract/configuration.ts'
import { Refusal } from '../../contract/errors.ts'
import type { ListOf } from '../../contract/list.ts'
import type { Context } from '../../platform/context.ts'
import { allow } from '../allow.ts'
import { canWriteConfiguration } from './configuration.policy.ts'
import { findLatestRevision, findRevision, findRevisionBefore, listRevisions } from './configuration.queries.ts'
import { readRevision } from './configuration.ts'

/** One page of what was put in force, the newest first. */
export async function findRevisions(
  ctx: Context,
  { page, pageSize }: { page: number; pageSize: number },
): Promise<ListOf<ConfigRevision>> {
  allow(ctx, canWriteConfiguration)
  const found = await listRevisions(ctx.db, { offset: (page - 1) * pageSize, limit: pageSize })
  return {
    data: found.revisions,
    meta: { page, pageSize, total: found.total, ...(found.more && { more: true as const }) },
  }
}

/** A revision, and what stood before it. @throws {Refusal} `not_found` */
export async function showRevision(ctx: Context, id: number): Promise<RevisionWithConfig> {
  allow(ctx, canWriteConfiguration)
  const found = await findRevision(ctx.db, id)
  if (!found) throw new Refusal('not_found')
  const { config, ...revision } = found
  const [latest, before] = await Promise.all([findLatestRevision(ctx.db), findRevisionBefore(ctx.db, id)])
  return {
    revision,
    config: partsNow(ctx, { id, config }),
    before: before ? partsNow(ctx, before) : null,
    beforeId: before?.id ?? null,
    inForce: latest?.id === id,
  }
}

const partsNow = (ctx: Context, revision: { id: number; config: string }) =>
  partsOf(readRevision(revision, ctx.publicDir))
