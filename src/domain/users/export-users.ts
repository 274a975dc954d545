import type { Locale } from '../../contract/locales.ts'
import type { ExportQuery } from '../../contract/users.ts'
import { translator } from '../../i18n/translate.ts'
import type { Context } from '../../platform/context.ts'
import { csvLine, csvMark } from '../../platform/csv.ts'
import { allow, requireConfirmed } from '../allow.ts'
import { record } from '../audit/record.ts'
import { usersInOrder, whichUsers } from './find-users.ts'
import type { RoledUser } from './show-users.ts'
import { canSeeUsers } from './user.policy.ts'
import { findAllUserIds } from './user-list.queries.ts'

const batch = 500

/**
 * The users that a list would show, all of them, as a CSV for a spreadsheet; it comes in pieces.
 * @throws {Refusal} `password_needed`
 */
export async function exportUsers(
  ctx: Context,
  query: ExportQuery,
  locale: Locale,
): Promise<AsyncGenerator<string, void, undefined>> {
  allow(ctx, canSeeUsers)
  requireConfirmed(ctx)

  const ids = await findAllUserIds(ctx.db, ctx.dialect, whichUsers(query))
  await recordExport(ctx, { users: ids.length, ...query })
  return lines(ctx, ids, locale)
}

/**
 * The users that were chosen, in that order; who is gone is left out.
 * @throws {Refusal} `password_needed`
 */
export async function exportChosenUsers(
  ctx: Context,
  { ids }: { ids: number[] },
  locale: Locale,
): Promise<AsyncGenerator<string, void, undefined>> {
  allow(ctx, canSeeUsers)
  requireConfirmed(ctx)
  await recordExport(ctx, { users: ids.length })
  return lines(ctx, ids, locale)
}

const recordExport = (ctx: Context, after: object) =>
  ctx.transaction((tx) => record(tx, ctx, { action: 'users.exported', subject: { type: 'users', name: '' }, after }))

async function* lines(ctx: Context, ids: number[], locale: Locale): AsyncGenerator<string, void, undefined> {
  const t = translator(locale)
  yield `${csvMark}${csvLine(columns.map((name) => t(`users.csv.${name}`)))}`
  for (let at = 0; at < ids.length; at += batch) {
    const users = await usersInOrder(ctx.db, ids.slice(at, at + batch))
    yield users.map((user) => csvLine(columns.map((name) => cellOf(name, user, locale)))).join('')
  }
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

function cellOf(name: (typeof columns)[number], user: RoledUser, locale: Locale): string {
  if (name === 'role') return user.userRole?.name ?? user.role.name
  const value = user[name]
  if (typeof value === 'boolean') return translator(locale)(value ? 'users.csv.yes' : 'users.csv.no')
  return value === null ? '' : String(value)
}
