import { House, type LucideIcon, ScrollText, ShieldCheck, Users } from 'lucide-react'
import type { Right } from '../../../contract/rights.ts'
import type { TextKey } from '../../i18n.ts'
import { toSeeRoles } from '../roles/roles.ts'
import { toSeeUsers } from '../users/users.ts'

/** Every screen that stands in the menu and in the palette. Without one of its rights it is in neither. */
export const screens = [
  { to: '/user', label: 'shell.overview', icon: House, rights: [] },
  { to: '/admin/users', label: 'users.title', icon: Users, rights: toSeeUsers },
  { to: '/admin/roles', label: 'roles.title', icon: ShieldCheck, rights: toSeeRoles },
  { to: '/admin/audit', label: 'audit.title', icon: ScrollText, rights: ['audit.read'] },
] as const satisfies readonly { to: string; label: TextKey; icon: LucideIcon; rights: readonly Right[] }[]
