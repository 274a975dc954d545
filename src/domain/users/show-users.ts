import { holdsAll, type Right } from '../../contract/rights.ts'
import type { User } from '../../contract/users.ts'
import type { Actor } from '../../platform/context.ts'
import type { Database, Transaction } from '../../platform/db/database.ts'
import { findRolesById, type RoleInside } from '../roles/find-roles-of.ts'
import { canBlockUser, canChangeUser, canDeleteUser } from './user.policy.ts'
import type { UserRow } from './user.queries.ts'

/** Somebody with both roles, and what the two allow. */
export interface RoledUser extends UserRow {
  role: RoleInside
  userRole: RoleInside | null
  rights: Right[]
}

export async function withRoles(db: Database | Transaction, rows: readonly UserRow[]): Promise<RoledUser[]> {
  const { base, byId } = await findRolesById(
    db,
    rows.map((row) => row.roleId),
  )
  return rows.map((row) => {
    const userRole = (row.roleId !== null && byId.get(row.roleId)) || null
    return { ...row, role: base, userRole, rights: [...new Set([...base.rights, ...(userRole?.rights ?? [])])] }
  })
}

/** A user as somebody who may see users is shown them. */
export function shownUser(user: RoledUser, actor: Actor): User {
  return {
    id: user.id,
    username: user.email,
    email: user.email,
    name: user.name,
    confirmed: true,
    blocked: user.blocked,
    locale: user.locale,
    role: user.role,
    user_role: user.userRole,
    twoFactor: user.twoFactor,
    hasPassword: user.hasPassword,
    lastSignedInAt: user.lastSignedInAt,
    version: user.version,
    createdAt: user.createdAt,
    updatedAt: user.updatedAt,
    can: { change: canChangeUser(actor, user), block: canBlockUser(actor, user), delete: canDeleteUser(actor, user) },
  }
}

/** What the log keeps of a user. */
export const auditedUser = (user: RoledUser) => ({
  email: user.email,
  name: user.name,
  blocked: user.blocked,
  locale: user.locale,
  role: user.userRole?.name ?? null,
})

export const subjectOf = (user: { id: number; name: string; email: string }) => ({
  type: 'user',
  id: user.id,
  name: `${user.name} <${user.email}>`,
})

/** Whether giving this role gives any right: then the password must be fresh. */
export const givesRights = (role: RoleInside | null, base: RoleInside): boolean =>
  role !== null && !holdsAll(base, role.rights)
