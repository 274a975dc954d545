import type { AuditRow } from '../../../contract/audit.ts'
import { hasRight, type Right } from '../../../contract/rights.ts'
import { TextLink } from '../../components/link-button.tsx'
import { toSeeConfig } from '../config/config.ts'
import { toSeeFiles } from '../files/files.ts'
import { toSeeMessages } from '../messages/messages.ts'
import { toSeeRoles } from '../roles/roles.ts'
import { useMe } from '../sign-in/me.ts'
import { toSeeUsers } from '../users/users.ts'

interface Screen {
  to:
    | '/admin/config/revisions/$id'
    | '/admin/users/$id'
    | '/admin/roles/$id'
    | '/admin/messages/$id'
    | '/admin/files/$id'
  rights: readonly Right[]
}

const screens: Record<string, Screen> = {
  user: { to: '/admin/users/$id', rights: toSeeUsers },
  role: { to: '/admin/roles/$id', rights: toSeeRoles },
  message: { to: '/admin/messages/$id', rights: toSeeMessages },
  configuration: { to: '/admin/config/revisions/$id', rights: toSeeConfig },
  file: { to: '/admin/files/$id', rights: toSeeFiles },
}

/** What was changed, as it was called then; a link for who may see it, unless it was deleted just then. */
export function Subject({ row }: { row: AuditRow }) {
  const me = useMe()
  const { type, id, name } = row.subject
  const screen = screens[type]
  if (!screen || id === null || row.action.endsWith('.deleted') || !hasRight(me, screen.rights)) {
    return <bdi>{name}</bdi>
  }
  return (
    <TextLink to={screen.to} params={{ id }}>
      <bdi>{name}</bdi>
    </TextLink>
  )
}
