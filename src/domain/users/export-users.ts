import type { Locale } from '../../contract/locales.ts'
import { roleName } from '../../contract/rights.ts'
import type { ExportQuery } from '../../contract/users.ts'
import { translator } from '../../i18n/translate.ts'
import type { Context } from '../../platform/context.ts'
import { csvFile } from '../../platform/csv.ts'
import { listAllIds } from '../../platform/db/long-list.ts'
import { allow, requireConfirmed } from '../allow.ts'
import { record } from '../audit/record.ts'
import { listUsersById, toUserFilter, type UserWithRoles } from './list-users.ts'
import { canSeeUsers } from './user.policy.ts'
import { userList } from './user-list.queries.ts'

/**
 * All users that match the list's filters, as a streamed CSV. The audit log records that a search was used but not its
 * text, which may be a name.
 * @throws {Refusal} `password_needed`
 */
export async function exportUsers(
  ctx: Context,
  query: ExportQuery,
  locale: Locale,
): Promise<AsyncGenerator<string, void, undefined>> {
  allow(ctx, canSeeUsers)
  requireConfirmed(ctx)

  const ids = await listAllIds(ctx.db, ctx.dialect, userList(toUserFilter(query)))
  const { search, ...filters } = query
  await recordExport(ctx, { users: ids.length, ...filters, ...(search && { searched: true }) })
  return csvOf(ctx, ids, locale)
}

/** The selected users, in that order; deleted ones are left out. @throws {Refusal} `password_needed` */
export async function exportChosenUsers(
  ctx: Context,
  { ids }: { ids: number[] },
  locale: Locale,
): Promise<AsyncGenerator<string, void, undefined>> {
  allow(ctx, canSeeUsers)
  requireConfirmed(ctx)
  await recordExport(ctx, { users: ids.length })
  return csvOf(ctx, ids, locale)
}

const recordExport = (ctx: Context, after: object) =>
  ctx.transaction((tx) => record(tx, ctx, { action: 'users.exported', subject: { type: 'users', name: '' }, after }))

const csvOf = (ctx: Context, ids: number[], locale: Locale) => {
  const t = translator(locale)
  const headings = columns.map((name) => t(`users.csv.${name}`))
  return csvFile(headings, ids, async (some) =>
    (await listUsersById(ctx.db, some)).map((user) => columns.map((name) => cellOf(name, user, locale))),
  )
}

const columns = [
  'id',
  'name',
  'email',
  'role',
  'blocked',
  'locale',
  'twoFactor',
  'lastSignedInAt',
  'createdAt',
] as const

function cellOf(name: (typeof columns)[number], user: UserWithRoles, locale: Locale): string {
  if (name === 'role') return roleName(user.userRole ?? user.role, translator(locale))
  const value = user[name]
  if (typeof value === 'boolean') return translator(locale)(value ? 'users.csv.yes' : 'users.csv.no')
  return value === null ? '' : String(value)
}
