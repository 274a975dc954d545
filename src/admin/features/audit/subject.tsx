import type { AuditRow } from '../../../contract/audit.ts'
import { type AdminLocale, isLanguageTag, type Locale } from '../../../contract/locales.ts'
import { hasRight, type Right, roleName } from '../../../contract/rights.ts'
import { TextLink } from '../../components/buttons.tsx'
import { numberText } from '../../components/dates.tsx'
import { Translated } from '../../components/translated.tsx'
import { type TFunction, useLocale, useText } from '../../i18n.ts'
import { useMainLocale } from '../../site-languages.ts'
import { configReadRights } from '../config/config.ts'
import { fileReadRights } from '../files/files.ts'
import { messageReadRights } from '../messages/messages.ts'
import { pageReadRights } from '../pages/pages.ts'
import { roleReadRights } from '../roles/roles.ts'
import { useMe } from '../sign-in/me.ts'
import { userReadRights } from '../users/users.ts'

interface RecordScreen {
  to:
    | '/admin/config/revisions/$id'
    | '/admin/users/$id'
    | '/admin/roles/$id'
    | '/admin/messages/$id'
    | '/admin/files/$id'
  rights: readonly Right[]
}

/** The screen of a record of each type, and the rights to view it (any of them). */
const screens: Record<string, RecordScreen> = {
  user: { to: '/admin/users/$id', rights: userReadRights },
  role: { to: '/admin/roles/$id', rights: roleReadRights },
  message: { to: '/admin/messages/$id', rights: messageReadRights },
  configuration: { to: '/admin/config/revisions/$id', rights: configReadRights },
  file: { to: '/admin/files/$id', rights: fileReadRights },
}

/** The subject's name at the time of the action; a link unless this action deleted it or the user may not see it. */
export function AuditSubject({ row }: { row: AuditRow }) {
  const t = useText()
  const me = useMe()
  const mainLocale = useMainLocale()
  const locale = useLocale()
  const { type, id } = row.subject
  const name = subjectName(row.subject, t, locale)
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

function subjectName({ type, id, name }: AuditRow['subject'], t: TFunction, locale: AdminLocale): string {
  if (type === 'configuration' && id !== null) return t('audit.version', { id: Number(id) })
  if (type === 'role') return roleName({ id: Number(id), name }, t)
  // Older entries name a message by its id, like `#12`.
  if (type !== 'message' || !/^\d+$/.test(name)) return name
  return t('outbox.message', { number: numberText(Number(name), locale, { grouped: false }) })
}

/** For a saved page: a link to the word-by-word difference of this save. */
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

/** The page of an action, with the changed language: the main one if the change was not in one language. */
function pageOf(
  { subject, action, before, after }: AuditRow,
  mainLocale: Locale,
): { id: string; locale: Locale } | undefined {
  if (subject.id === null || action === 'page.deleted') return undefined
  const language = after?.language ?? before?.language
  return { id: subject.id, locale: typeof language === 'string' && isLanguageTag(language) ? language : mainLocale }
}
