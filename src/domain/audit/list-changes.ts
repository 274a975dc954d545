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
 * One page of audit entries, newest first by default. Search covers the names of actor and subject.
 * @param options.seesUsers whether an actor may see the email addresses of colleagues; they are redacted for others
 */
export async function listChanges(
  ctx: Context,
  query: AuditQuery,
  options: { locale: Locale; titlesOf: FindPageTitles; seesUsers: (actor: Actor) => boolean },
): Promise<ListOf<AuditRow>> {
  const { locale, titlesOf } = options
  const seesEmails = options.seesUsers(allow(ctx, ['audit.read']))
  const { sort = '-at', search, action, from, until } = query
  const { rows, ...range } = await listAudit(
    ctx.db,
    ctx.dialect,
    {
      terms: searchTerms(search),
      // A search must not find by an address what the actor sees redacted.
      ...(!seesEmails && { typesWithHiddenEmails: staffSubjectTypes }),
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
  const visibleRow = (row: (typeof rows)[number]) =>
    seesEmails || !isAboutStaff(row)
      ? row
      : {
          ...row,
          subject_name: redactEmails(row.subject_name),
          before: row.before && redactEmails(row.before),
          after: row.after && redactEmails(row.after),
        }
  const pages = rows.filter((row) => row.subject_type === 'page' && row.subject_id !== null)
  const titles = await titlesOf(ctx, [...new Set(pages.map((row) => Number(row.subject_id)))])
  return toListOf(
    rows.map(visibleRow).map((row) => ({
      id: row.id,
      at: row.at,
      actor: { id: row.actor_id, name: row.actor_name || t('audit.program') },
      action: row.action,
      label: labelOf(row.action, locale),
      subject: subjectOf(row, titles),
      before: row.before && JSON.parse(row.before),
      after: row.after && JSON.parse(row.after),
    })),
    query,
    range,
  )
}

/** Subjects with email addresses of staff: users, the recipients of alerts, and mail accounts, which may be of one person. */
const staffSubjectTypes = ['user', 'health', 'mailbox', 'mail_server']
const isAboutStaff = ({ subject_type: type }: Pick<AuditTable, 'subject_type'>) => staffSubjectTypes.includes(type)

function subjectOf(
  { subject_type: type, subject_id: id, subject_name: name }: Pick<AuditTable, `subject_${'type' | 'id' | 'name'}`>,
  titles: ReadonlyMap<number, string>,
): AuditRow['subject'] {
  const currentTitle = type === 'page' ? titles.get(Number(id)) : undefined
  return { type, id, name, ...(currentTitle !== undefined && currentTitle !== name && { now: currentTitle }) }
}

/** An action that this version does not know is shown by its name. */
function labelOf(action: string, locale: Locale): string {
  const known = auditActions.find((name) => name === action)
  return known ? translator(locale)(`audit.actions.${known}`) : action
}
