import type { AuditQuery, AuditRow } from '../../contract/audit.ts'
import { auditActions } from '../../contract/audit-actions.ts'
import { type ListOf, rangeOf, toListOf } from '../../contract/list.ts'
import type { Locale } from '../../contract/locales.ts'
import { translator } from '../../i18n/translate.ts'
import type { Actor, Context } from '../../platform/context.ts'
import type { AuditTable } from '../../platform/db/tables/audit.ts'
import { redactEmails, searchTerms } from '../../platform/db/text-search.ts'
import { allow } from '../allow.ts'
import { listAudit } from './audit.queries.ts'

/** Current page titles by page id. */
export type FindPageTitles = (
  ctx: Pick<Context, 'db' | 'site'>,
  ids: readonly number[],
) => Promise<ReadonlyMap<number, string>>

/**
 * One page of audit entries, newest first. Search covers the names of actor and subject.
 * @param options.seesUsers who may see the addresses of colleagues
 */
export async function listChanges(
  ctx: Context,
  query: AuditQuery,
  options: { locale: Locale; titlesOf: FindPageTitles; seesUsers: (actor: Actor) => boolean },
): Promise<ListOf<AuditRow>> {
  const { locale, titlesOf } = options
  const actor = allow(ctx, ['audit.read'])
  const { sort = '-at', search, action, from, until } = query
  const { rows, ...found } = await listAudit(
    ctx.db,
    ctx.dialect,
    {
      terms: searchTerms(search),
      ...(!options.seesUsers(actor) && { typesWithHiddenEmails: staffSubjectTypes }),
      actorId: query.actorId,
      actions: action,
      subjectType: query.subjectType,
      subjectId: query.subjectId,
      from: from && new Date(from).toISOString(),
      until: until && new Date(until).toISOString(),
    },
    { ...rangeOf(query), descending: sort === '-at' },
  )
  const t = translator(locale)
  const shown = (text: string) => (options.seesUsers(actor) ? text : redactEmails(text))
  const pages = rows.filter((row) => row.subject_type === 'page' && row.subject_id !== null)
  const titles = await titlesOf(ctx, [...new Set(pages.map((row) => Number(row.subject_id)))])
  return toListOf(
    rows.map((row) => ({
      id: row.id,
      at: row.at,
      actor: { id: row.actor_id, name: row.actor_name || t('audit.program') },
      action: row.action,
      label: labelOf(row.action, locale),
      subject: subjectOf(isAboutStaff(row) ? { ...row, subject_name: shown(row.subject_name) } : row, titles),
      before: row.before && JSON.parse(isAboutStaff(row) ? shown(row.before) : row.before),
      after: row.after && JSON.parse(isAboutStaff(row) ? shown(row.after) : row.after),
    })),
    query,
    found,
  )
}

/** Users, the recipients of alarms and reports, and mail accounts, which may belong to one person. */
const staffSubjectTypes = ['user', 'health', 'mailbox', 'mail_server']
const isAboutStaff = ({ subject_type: type }: Pick<AuditTable, 'subject_type'>) => staffSubjectTypes.includes(type)

function subjectOf(
  { subject_type: type, subject_id: id, subject_name: name }: Pick<AuditTable, `subject_${'type' | 'id' | 'name'}`>,
  titles: ReadonlyMap<number, string>,
): AuditRow['subject'] {
  const now = type === 'page' ? titles.get(Number(id)) : undefined
  return { type, id, name, ...(now !== undefined && now !== name && { now }) }
}

function labelOf(action: string, locale: Locale): string {
  const known = auditActions.find((one) => one === action)
  return known ? translator(locale)(`audit.actions.${known}`) : action
}
