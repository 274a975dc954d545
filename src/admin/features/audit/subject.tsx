import type { AuditRow } from '../../../contract/audit.ts'
import { defaultLocale, type Locale, locales } from '../../../contract/locales.ts'
import { hasRight, type Right } from '../../../contract/rights.ts'
import { TextLink } from '../../components/link-button.tsx'
import { Said } from '../../components/said.tsx'
import { useText } from '../../i18n.ts'
import { toSeeConfig } from '../config/config.ts'
import { toSeeFiles } from '../files/files.ts'
import { toSeeMessages } from '../messages/messages.ts'
import { toSeePages } from '../pages/pages.ts'
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
  const t = useText()
  const me = useMe()
  const { type, id } = row.subject
  const name = type === 'configuration' && id !== null ? t('audit.version', { id: Number(id) }) : row.subject.name
  const page = type === 'page' && hasRight(me, toSeePages) ? pageOf(row) : undefined
  if (page) {
    return (
      <>
        <TextLink to="/admin/pages/$id/$locale" params={page}>
          <bdi>{name}</bdi>
        </TextLink>
        {row.subject.now && (
          <span className="quiet small">
            {' '}
            <Said text="audit.calledNow" name={<bdi>{row.subject.now}</bdi>} />
          </span>
        )}
      </>
    )
  }
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

/** From a save of a page to what it changed, word by word. */
export function ToDifference({ row }: { row: AuditRow }) {
  const t = useText()
  const me = useMe()
  const page = pageOf(row)
  const revision = row.after?.revision
  if (row.subject.type !== 'page' || !page || typeof revision !== 'number' || !hasRight(me, toSeePages)) return null
  return (
    <TextLink to="/admin/pages/$id/$locale/history" params={page} search={{ revision }}>
      {t('audit.difference')}
    </TextLink>
  )
}

/** The page in the language in which it was changed. */
function pageOf({ subject, action, before, after }: AuditRow): { id: string; locale: Locale } | undefined {
  if (subject.id === null || action === 'page.deleted') return undefined
  const language = after?.language ?? before?.language
  return { id: subject.id, locale: locales.find((one) => one === language) ?? defaultLocale }
}
