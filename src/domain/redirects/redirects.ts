import { collectionAt } from '../../contract/collections.ts'
import { type FieldProblem, Refusal, type ValidationKey } from '../../contract/errors.ts'
import { type ListOf, rangeOf, toListOf } from '../../contract/list.ts'
import { splitLocale } from '../../contract/locales.ts'
import type { ChangedRedirect, NewRedirect, Redirect, RedirectQuery } from '../../contract/redirects.ts'
import { invalidate } from '../../platform/cache-invalidation.ts'
import type { Actor, Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { searchTerms } from '../../platform/db/text-search.ts'
import { allow, isStale } from '../allow.ts'
import { type Author, authorOf, record, shownAuthor } from '../audit/record.ts'
import {
  deleteRedirectFrom,
  deleteRedirectRow,
  findRedirect,
  findRedirectFrom,
  insertRedirect,
  isPageAt,
  listRedirectRows,
  type RedirectRow,
  retargetRedirects,
  updateRedirectRow,
} from './redirect.queries.ts'
import {
  appendRest,
  isReservedPath,
  normalizePath,
  normalizeTarget,
  splitTarget,
  toStoredAddress,
  toTypedAddress,
} from './redirect-target.ts'

/** A range of the redirects, by default the newest first. Search covers both addresses. */
export async function listRedirects(ctx: Context, query: RedirectQuery): Promise<ListOf<Redirect>> {
  const actor = allow(ctx, ['pages.write', 'pages.publish'])
  const { sort = '-createdAt', search } = query
  const { rows, ...counts } = await listRedirectRows(
    ctx.db,
    ctx.dialect,
    {
      terms: searchTerms(search && toStoredAddress(search)),
      sort: sort.replace('-', '') as 'createdAt' | 'from',
      descending: sort.startsWith('-'),
    },
    rangeOf(query),
  )
  const data = rows.map((row) => toRedirect(row, actor))
  return toListOf(data, query, counts)
}

/**
 * Adds a redirect. Redirects to `from` then lead to `to`.
 * @throws {Refusal} `invalid` at `from` or `to`: no address, a page is there, already redirected, or a circle
 */
export async function createRedirect(ctx: Context, input: NewRedirect): Promise<Redirect> {
  const actor = allow(ctx, ['pages.publish'])
  return ctx.transaction(async (tx) => {
    await lockPaths(tx, ctx)
    const paths = await validateRedirect(tx, input, ctx)
    await retargetRedirects(tx, { from: paths.from, to: paths.to })
    const id = await insertRedirect(tx, { ...paths, automatic: false, at: ctx.now(), by: authorOf(ctx) })
    await invalidateLinksTo(tx, ctx, paths.from)
    const row = await getRow(tx, id)
    await record(tx, ctx, { action: 'redirect.created', subject: subjectOf(row), after: typedAddresses(paths) })
    return toRedirect(row, actor)
  })
}

/** Replaces both addresses of a redirect. @throws {Refusal} `not_found`, `stale`; `invalid` as for a new redirect */
export async function updateRedirect(ctx: Context, id: number, input: ChangedRedirect): Promise<Redirect> {
  const actor = allow(ctx, ['pages.publish'])
  return ctx.transaction(async (tx) => {
    await lockPaths(tx, ctx)
    const before = await getRow(tx, id)
    if (isStale(input, before)) throw new Refusal('stale', { current: toRedirect(before, actor) })
    const paths = await validateRedirect(tx, input, { origin: ctx.origin, site: ctx.site, id })
    await retargetRedirects(tx, { from: paths.from, to: paths.to })
    await updateRedirectRow(tx, id, paths)
    await invalidateLinksTo(tx, ctx, before.from, paths.from)
    const row = await getRow(tx, id)
    await record(tx, ctx, {
      action: 'redirect.updated',
      subject: subjectOf(row),
      before: typedAddresses(before),
      after: typedAddresses(paths),
    })
    return toRedirect(row, actor)
  })
}

/** @throws {Refusal} `not_found` */
export async function deleteRedirect(ctx: Context, id: number): Promise<void> {
  allow(ctx, ['pages.publish'])
  await ctx.transaction(async (tx) => {
    await lockPaths(tx, ctx)
    const row = await getRow(tx, id)
    await deleteRedirectRow(tx, id)
    await invalidateLinksTo(tx, ctx, row.from)
    await record(tx, ctx, {
      action: 'redirect.deleted',
      subject: subjectOf(row),
      before: typedAddresses(row),
    })
  })
}

/** Invalidates cached pages that show the title of what is at these paths: entries, and lists that link there. */
const invalidateLinksTo = (tx: Transaction, { site }: Pick<Context, 'site'>, ...paths: string[]): Promise<void> =>
  invalidate(
    tx,
    paths.map((path) => `page:${splitLocale(path, site).path}`),
  )

/** Serializes changes of pages and redirects across instances, until the transaction ends. */
export const lockPaths = (tx: Transaction, ctx: Pick<Context, 'dialect'>): Promise<void> =>
  ctx.dialect.lock(tx, 'pages')

/**
 * Redirects the old path of a page to its new one, along with all redirects to the old one, and deletes any redirect
 * from the new one. Needs `lockPaths`.
 * @param from null: the page was not live
 */
export async function redirectOldPath(
  tx: Transaction,
  { from, to, at, by }: { from: string | null; to: string; at: Date; by: Author },
): Promise<void> {
  await deleteRedirectFrom(tx, to)
  if (from === null || from === to) return
  await retargetRedirects(tx, { from, to })
  await deleteRedirectFrom(tx, from)
  await insertRedirect(tx, { from, to, automatic: true, at, by })
}

/** Makes the path of a deleted page answer 410 (gone), unless it is redirected. Needs `lockPaths`. */
export async function markGone(tx: Transaction, from: string, { at, by }: { at: Date; by: Author }): Promise<void> {
  if (await findRedirectFrom(tx, from)) return
  await retargetRedirects(tx, { from, to: null })
  await insertRedirect(tx, { from, to: null, automatic: true, at, by })
}

async function getRow(db: Transaction, id: number): Promise<RedirectRow> {
  const row = await findRedirect(db, id)
  if (!row) throw new Refusal('not_found')
  return row
}

/** Both addresses as a user may type them. */
const typedAddresses = ({ from, to }: Pick<RedirectRow, 'from' | 'to'>) => ({
  from: toTypedAddress(from),
  to: to === null ? null : toTypedAddress(to),
})

const toRedirect = ({ from, to, by, ...row }: RedirectRow, actor: Actor): Redirect => ({
  ...row,
  ...typedAddresses({ from, to }),
  by: shownAuthor(by, actor.locale),
})

const subjectOf = (row: RedirectRow) => ({ type: 'redirect', id: row.id, name: toTypedAddress(row.from) })

/**
 * Validates and normalises both addresses; a target that is itself redirected is replaced by its final target.
 * @throws {Refusal} `invalid`
 */
async function validateRedirect(
  tx: Transaction,
  input: NewRedirect,
  { origin, site, id }: Pick<Context, 'origin' | 'site'> & { id?: number },
): Promise<{ from: string; to: string | null }> {
  const from = normalizePath(input.from)
  const target = input.to === null ? null : normalizeTarget(input.to, origin)
  const problems: FieldProblem[] = []
  const addProblem = (path: string, key: ValidationKey) => problems.push({ path, key })
  if (from === undefined || isReservedPath(from, site)) addProblem('from', 'redirectFrom')
  else {
    const { path, locale } = splitLocale(from, site)
    const existing = await findRedirectFrom(tx, from)
    const slug = path.slice(1)
    if (collectionAt(site, slug, locale) || (await isPageAt(tx, locale, slug))) addProblem('from', 'pageThere')
    else if (existing && existing.id !== id) addProblem('from', 'redirectTaken')
  }
  const to = target ? await followRedirect(tx, target, id) : target
  if (to === undefined) addProblem('to', 'redirectTo')
  if (to && splitTarget(to).path === from) addProblem('to', 'redirectLoop')
  if (problems.length > 0) throw new Refusal('invalid', { problems })
  return { from: from as string, to: to as string | null }
}

/** The target, or that of the redirect from it, except of the redirect `id`; undefined when the target is gone. */
async function followRedirect(tx: Transaction, to: string, id: number | undefined): Promise<string | undefined> {
  const { path, rest } = splitTarget(to)
  const next = await findRedirectFrom(tx, path)
  if (!next || next.id === id) return to
  return next.to === null ? undefined : appendRest(next.to, rest)
}
