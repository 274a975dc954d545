import { type FieldProblem, Refusal, type ValidationKey } from '../../contract/errors.ts'
import type { ListOf } from '../../contract/list.ts'
import { splitLocale } from '../../contract/locales.ts'
import type { ChangedRedirect, NewRedirect, Redirect, RedirectQuery } from '../../contract/pages.ts'
import type { Actor, Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { searchParts } from '../../platform/db/text-search.ts'
import { allow } from '../allow.ts'
import { record } from '../audit/record.ts'
import { findLiveText } from './live-page.queries.ts'
import { canPublishPages, canSeePages } from './page.policy.ts'
import type { Db } from './page.queries.ts'
import {
  deleteRedirect,
  findRedirect,
  findRedirectFrom,
  foldRedirects,
  insertRedirect,
  listRedirects,
  type RedirectRow,
  updateRedirect,
} from './redirect.queries.ts'
import { isOwn, pathIn, splitTarget, targetIn, withRest } from './redirect-target.ts'
import { someone } from './show-page.ts'
import { byOf, lockPages } from './store-text.ts'

/** One page of what leads on, the newest first. Search looks at both addresses. */
export async function findRedirects(ctx: Context, query: RedirectQuery): Promise<ListOf<Redirect>> {
  const actor = allow(ctx, canSeePages)
  const { page, pageSize, sort = '-createdAt', search } = query
  const { rows, total, more } = await listRedirects(
    ctx.db,
    ctx.dialect,
    {
      parts: searchParts(search),
      sort: sort.replace('-', '') as 'createdAt' | 'from',
      descending: sort.startsWith('-'),
    },
    { offset: (page - 1) * pageSize, limit: pageSize },
  )
  return {
    data: rows.map((row) => shown(row, actor)),
    meta: { page, pageSize, total, ...(more && { more: true as const }) },
  }
}

/** @throws {Refusal} `invalid` at `from` or `to`: no address, a page is there, it leads on already, or it would lead to itself */
export async function createRedirect(ctx: Context, input: NewRedirect): Promise<Redirect> {
  const actor = allow(ctx, canPublishPages)
  return ctx.transaction(async (tx) => {
    await lockPages(tx, ctx)
    const paths = await judged(tx, input, { origin: ctx.origin })
    await foldRedirects(tx, { from: paths.from, to: paths.to })
    const id = await insertRedirect(tx, { ...paths, automatic: false, at: ctx.now(), by: byOf(ctx) })
    const row = await getRow(tx, id)
    await record(tx, ctx, { action: 'redirect.created', subject: subjectOf(row), after: paths })
    return shown(row, actor)
  })
}

/** @throws {Refusal} `not_found`, `stale`; `invalid` as for a new one */
export async function updateRedirectTo(ctx: Context, id: number, input: ChangedRedirect): Promise<Redirect> {
  const actor = allow(ctx, canPublishPages)
  return ctx.transaction(async (tx) => {
    await lockPages(tx, ctx)
    const before = await getRow(tx, id)
    if (input.version !== undefined && input.version !== before.version) {
      throw new Refusal('stale', { current: shown(before, actor) })
    }
    const paths = await judged(tx, input, { origin: ctx.origin, id })
    await foldRedirects(tx, { from: paths.from, to: paths.to })
    await updateRedirect(tx, id, paths)
    const row = await getRow(tx, id)
    await record(tx, ctx, {
      action: 'redirect.updated',
      subject: subjectOf(row),
      before: { from: before.from, to: before.to },
      after: paths,
    })
    return shown(row, actor)
  })
}

/** @throws {Refusal} `not_found` */
export async function removeRedirect(ctx: Context, id: number): Promise<void> {
  allow(ctx, canPublishPages)
  await ctx.transaction(async (tx) => {
    await lockPages(tx, ctx)
    const row = await getRow(tx, id)
    await deleteRedirect(tx, id)
    await record(tx, ctx, {
      action: 'redirect.deleted',
      subject: subjectOf(row),
      before: { from: row.from, to: row.to },
    })
  })
}

async function getRow(db: Db, id: number): Promise<RedirectRow> {
  const row = await findRedirect(db, id)
  if (!row) throw new Refusal('not_found')
  return row
}

const shown = ({ by, ...row }: RedirectRow, actor: Actor): Redirect => ({ ...row, by: someone(by, actor.locale) })

const subjectOf = (row: RedirectRow) => ({ type: 'redirect', id: row.id, name: row.from })

/** The two addresses as they are kept; what would lead on twice leads there at once. @throws {Refusal} `invalid` */
async function judged(
  tx: Transaction,
  input: NewRedirect,
  { origin, id }: { origin: string; id?: number },
): Promise<{ from: string; to: string }> {
  const from = pathIn(input.from)
  const wanted = targetIn(input.to, origin)
  const problems: FieldProblem[] = []
  const refuse = (path: string, key: ValidationKey) => problems.push({ path, key })
  if (from === undefined || isOwn(from)) refuse('from', 'redirectFrom')
  else {
    const there = splitLocale(from)
    const other = await findRedirectFrom(tx, from)
    if (await findLiveText(tx, there.locale, there.path.slice(1))) refuse('from', 'pageThere')
    else if (other && other.id !== id) refuse('from', 'redirectTaken')
  }
  if (wanted === undefined) refuse('to', 'redirectTo')
  const to = wanted === undefined ? undefined : await folded(tx, wanted, id)
  if (to !== undefined && splitTarget(to).path === from) refuse('to', 'redirectLoop')
  if (problems.length > 0) throw new Refusal('invalid', { problems })
  return { from: from as string, to: to as string }
}

async function folded(tx: Transaction, to: string, id: number | undefined): Promise<string> {
  const { path, rest } = splitTarget(to)
  const next = await findRedirectFrom(tx, path)
  return next && next.id !== id ? withRest(next.to, rest) : to
}
