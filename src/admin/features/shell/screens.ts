import * as lucide from 'lucide-react'
import { hasRight, holdsAll, privacyRights, type Right, rights } from '../../../contract/rights.ts'
import type { TextKey } from '../../i18n.ts'
import { configReadRights } from '../config/config.ts'
import { fileReadRights } from '../files/files.ts'
import { viewReadRights } from '../home/dashboard.ts'
import { messageReadRights } from '../messages/messages.ts'
import { mailReadRights } from '../outbox/outbox.ts'
import { pageReadRights } from '../pages/pages.ts'
import { roleReadRights } from '../roles/roles.ts'
import { userReadRights } from '../users/users.ts'

/** The screens in the menu and the command palette, with their rights: any one opens the screen, except with `all`. */
export const screens = [
  { to: '/user', label: 'shell.overview', icon: lucide.House, rights: [] },
  { to: '/admin/statistics', label: 'shell.statistics', icon: lucide.ChartColumn, rights: viewReadRights },
  { to: '/admin/messages', label: 'messages.title', icon: lucide.Inbox, rights: messageReadRights },
  { to: '/admin/mail', label: 'outbox.title', icon: lucide.Send, rights: mailReadRights },
  { to: '/admin/pages', label: 'shell.pages', icon: lucide.FileText, rights: pageReadRights },
  { to: '/admin/sections', label: 'shell.sections', icon: lucide.Blocks, rights: pageReadRights },
  { to: '/admin/files', label: 'files.title', icon: lucide.Images, rights: fileReadRights },
  { to: '/admin/users', label: 'users.title', icon: lucide.Users, rights: userReadRights },
  { to: '/admin/roles', label: 'roles.title', icon: lucide.ShieldCheck, rights: roleReadRights },
  { to: '/admin/config', label: 'shell.settings', icon: lucide.SlidersHorizontal, rights: configReadRights },
  { to: '/admin/health', label: 'shell.health', icon: lucide.HeartPulse, rights: configReadRights },
  { to: '/admin/backups', label: 'shell.backups', icon: lucide.DatabaseBackup, rights, all: true },
  { to: '/admin/privacy', label: 'privacy.title', icon: lucide.Fingerprint, rights: privacyRights, all: true },
  { to: '/admin/audit', label: 'audit.title', icon: lucide.ScrollText, rights: ['audit.read'] },
] as const satisfies readonly Screen[]

interface Screen {
  to: string
  label: TextKey
  icon: lucide.LucideIcon
  rights: readonly Right[]
  /** All of the rights are required. */
  all?: true
}

export const mayOpen = (me: { rights: readonly Right[] }, { rights, all }: Pick<Screen, 'rights' | 'all'>): boolean =>
  all ? holdsAll(me, rights) : hasRight(me, rights)
