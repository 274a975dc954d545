import {
  FileText,
  Fingerprint,
  House,
  Images,
  Inbox,
  type LucideIcon,
  ScrollText,
  Send,
  ShieldCheck,
  SlidersHorizontal,
  Users,
} from 'lucide-react'
import { hasRight, holdsAll, type Right } from '../../../contract/rights.ts'
import type { TextKey } from '../../i18n.ts'
import { toSeeConfig } from '../config/config.ts'
import { toSeeFiles } from '../files/files.ts'
import { toSeeMessages } from '../messages/messages.ts'
import { toSeeMail } from '../outbox/outbox.ts'
import { toSeePages } from '../pages/pages.ts'
import { toHandlePeople } from '../privacy/privacy.ts'
import { toSeeRoles } from '../roles/roles.ts'
import { toSeeUsers } from '../users/users.ts'

/** Every screen that stands in the menu and in the palette. Without one of its rights it is in neither. */
export const screens = [
  { to: '/user', label: 'shell.overview', icon: House, rights: [] },
  { to: '/admin/messages', label: 'messages.title', icon: Inbox, rights: toSeeMessages },
  { to: '/admin/mail', label: 'outbox.title', icon: Send, rights: toSeeMail },
  { to: '/admin/pages', label: 'shell.pages', icon: FileText, rights: toSeePages },
  { to: '/admin/files', label: 'files.title', icon: Images, rights: toSeeFiles },
  { to: '/admin/users', label: 'users.title', icon: Users, rights: toSeeUsers },
  { to: '/admin/roles', label: 'roles.title', icon: ShieldCheck, rights: toSeeRoles },
  { to: '/admin/config', label: 'shell.settings', icon: SlidersHorizontal, rights: toSeeConfig },
  { to: '/admin/privacy', label: 'privacy.title', icon: Fingerprint, rights: toHandlePeople, all: true },
  { to: '/admin/audit', label: 'audit.title', icon: ScrollText, rights: ['audit.read'] },
] as const satisfies readonly Screen[]

interface Screen {
  to: string
  label: TextKey
  icon: LucideIcon
  rights: readonly Right[]
  /** All of the rights are wanted, not one of them. */
  all?: true
}

export const mayOpen = (me: { rights: readonly Right[] }, { rights, all }: Pick<Screen, 'rights' | 'all'>): boolean =>
  all ? holdsAll(me, rights) : hasRight(me, rights)
