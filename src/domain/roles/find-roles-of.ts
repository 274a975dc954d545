import type { z } from 'zod'
import { baseRoleId } from '../../contract/rights.ts'
import type { roleInside } from '../../contract/roles.ts'
import type { Database, Transaction } from '../../platform/db/database.ts'
import { findRoleIdOf, findRoles } from './role.queries.ts'

export type RoleInside = z.infer<typeof roleInside>

/** Roles by their ids, and the base role always. */
export async function findRolesById(
  db: Database | Transaction,
  ids: readonly (number | null)[],
): Promise<{ base: RoleInside; byId: Map<number, RoleInside> }> {
  const wanted = [...new Set([baseRoleId, ...ids.filter((id) => id !== null)])]
  const byId = await findRoles(db, wanted)
  const base = byId.get(baseRoleId)
  if (!base) throw new Error('the base role is missing')
  return { base, byId }
}

/** Both roles of a user; undefined when there is no such user. */
export async function findRolesOf(
  db: Database | Transaction,
  userId: number,
): Promise<{ role: RoleInside; user_role: RoleInside | null } | undefined> {
  const row = await findRoleIdOf(db, userId)
  if (!row) return undefined
  const { base, byId } = await findRolesById(db, [row.role_id])
  return { role: base, user_role: (row.role_id !== null && byId.get(row.role_id)) || null }
}
