import type { AuditRow } from '../../../contract/audit.ts'
import { isLanguageTag, type Locale } from '../../../contract/locales.ts'
import { hasRight, type Right } from '../../../contract/rights.ts'
import { TextLink } from '../../components/buttons.tsx'
import { Translated } from '../../components/translated.tsx'
import { useText } from '../../i18n.ts'
import { useMainLocale } from '../../site-languages.ts'
import { configReadRights } from '../config/config.ts'
import { fileReadRights } from '../files/files.ts'
import { messageReadRights } from '../messages/messages.ts'
import { pageReadRights } from '../pages/pages.ts'
import { roleReadRights } from '../roles/roles.ts'
import { useMe } from '../sign-in/me.ts'
import { userReadRights } from '../users/users.ts'

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
  user: { to: '/admin/users/$id', rights: userReadRights },
  role: { to: '/admin/roles/$id', rights: roleReadRights },
  message: { to: '/admin/messages/$id', rights: messageReadRights },
  configuration: { to: '/admin/config/revisions/$id', rights: configReadRights },
  file: { to: '/admin/files/$id', rights: fileReadRights },
}

/** The subject under its name at that time, linked if the user may see it and it was not deleted by this action. */
export function AuditSubject({ row }: { row: AuditRow }) {
  const t = useText()
  const me = useMe()
  const mainLocale = useMainLocale()
  const { type, id } = row.subject
  const name = type === 'configuration' && id !== null ? t('audit.version', { id: Number(id) }) : row.subject.name
  const page = type === 'page' && hasRight(me, pageReadRights) ? pageOf(row, mainLocale) : undefined
  if (page) {
    return (
      <>
        <TextLink to="/admin/pages/$id/$locale" params={page}>
          <bdi>{name}</bdi>
        </TextLink>
        {row.subject.now && (
          <span className="quiet small">
            {' '}
            <Translated text="audit.calledNow" name={<bdi>{row.subject.now}</bdi>} />
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

/** Links a save of a page to its word-by-word difference. */
export function DifferenceLink({ row }: { row: AuditRow }) {
  const t = useText()
  const me = useMe()
  const page = pageOf(row, useMainLocale())
  const revision = row.after?.revision
  if (row.subject.type !== 'page' || !page || typeof revision !== 'number' || !hasRight(me, pageReadRights)) return null
  return (
    <TextLink to="/admin/pages/$id/$locale/history" params={page} search={{ revision }}>
      {t('audit.difference')}
    </TextLink>
  )
}

/** The page and the language that was changed; the main one when the change was of no single language. */
function pageOf(
  { subject, action, before, after }: AuditRow,
  mainLocale: Locale,
): { id: string; locale: Locale } | undefined {
  if (subject.id === null || action === 'page.deleted') return undefined
  const language = after?.language ?? before?.language
  return { id: subject.id, locale: typeof language === 'string' && isLanguageTag(language) ? language : mainLocale }
}
