import { useMatches } from '@tanstack/react-router'
import type { adminPaths } from '../../contract/admin-start.ts'
import { type TextKey, useText } from '../i18n.ts'

type ScreenPath = Exclude<(typeof adminPaths)[number], '/admin'>

/** The help text of each screen. */
const helpTexts: Record<ScreenPath, TextKey> = {
  '/user': 'help.screens.overview',
  '/admin/statistics': 'help.screens.statistics',
  '/admin/audit': 'help.screens.audit',
  '/admin/backups': 'help.screens.backups',
  '/admin/config': 'help.screens.config',
  '/admin/config/$part': 'help.screens.configPart',
  '/admin/config/mail': 'help.screens.mailServer',
  '/admin/config/revisions': 'help.screens.revisions',
  '/admin/config/revisions/$id': 'help.screens.revisions',
  '/admin/files': 'help.screens.files',
  '/admin/files/$id': 'help.screens.file',
  '/admin/health': 'help.screens.health',
  '/admin/links': 'help.screens.links',
  '/admin/mail': 'help.screens.mail',
  '/admin/mail/letters': 'help.screens.emailPreviews',
  '/admin/messages': 'help.screens.messages',
  '/admin/messages/$id': 'help.screens.message',
  '/admin/pages': 'help.screens.pages',
  '/admin/pages/$id/$locale': 'help.screens.page',
  '/admin/pages/$id/$locale/history': 'help.screens.history',
  '/admin/pages/new': 'help.screens.newPage',
  '/admin/privacy': 'help.screens.privacy',
  '/admin/profile': 'help.screens.profile',
  '/admin/redirects': 'help.screens.redirects',
  '/admin/roles': 'help.screens.roles',
  '/admin/roles/$id': 'help.screens.role',
  '/admin/roles/new': 'help.screens.role',
  '/admin/sections': 'help.screens.sections',
  '/admin/sections/$section': 'help.screens.section',
  '/admin/sections/$section/$locale/history': 'help.screens.history',
  '/admin/users': 'help.screens.users',
  '/admin/users/$id': 'help.screens.user',
  '/admin/users/new': 'help.screens.user',
}

/** The help of the current screen, and a link to the API. */
export function HelpPanel() {
  const t = useText()
  const path = useMatches({ select: (matches) => matches.at(-1)?.fullPath }) as ScreenPath
  return (
    <>
      <p>{t(helpTexts[path])}</p>
      <a href="/api/docs">{t('help.api')}</a>
    </>
  )
}
