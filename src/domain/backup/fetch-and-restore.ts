import {
  type BackupSearchResult,
  canManageBackups,
  type RestoreMessageResult,
  type RestoreOneProblem,
  type RestorePageResult,
} from '../../contract/backups.ts'
import { Refusal } from '../../contract/errors.ts'
import { localizedPath } from '../../contract/locales.ts'
import { toLatinDigits } from '../../contract/text.ts'
import { type BackupTarget, TargetFailure } from '../../platform/archive/backup-target.ts'
import { NewerArchive, OtherKeyArchive, UnusableArchive } from '../../platform/archive/unusable-archive.ts'
import type { Context } from '../../platform/context.ts'
import { isDiskFull } from '../../platform/db/database.ts'
import { foldedText } from '../../platform/db/migrations/folded-text.ts'
import { searchTerms } from '../../platform/db/text-search.ts'
import { allow, requireConfirmed } from '../allow.ts'
import { record } from '../audit/record.ts'
import { lockUsersAndAuthorize } from '../roles/lock-users.ts'
import { type ListedBackupMessage, readMessages, readPageTexts } from './backup-rows.queries.ts'
import { findRun, type RunRow } from './backup-run.queries.ts'
import { BackupKeyMismatch, findBackupSettings, findOrCreateSiteKey } from './backup-settings.ts'
import { fetchArchive, LostArchive, sizeOfArchive } from './fetch-archive.ts'
import { UnusableJournal } from './journal.ts'
import { createErasedCheck, NotRestored, type OpenBackup, requireSpace, withOpenBackup } from './open-backup.ts'
import { withReadingLease } from './reading-lease.ts'
import { previewBackupMessage, restoreBackupMessage } from './restore-message.ts'
import { previewBackupPage, restoreBackupPageById } from './restore-page.ts'
import { spaceToRestore } from './restore-to-temporary-copy.ts'
import { openTargetOf } from './run-backup.ts'

/** Of messages and of pages each. */
const maxResults = 20

/**
 * Searches the messages and pages of a backup, and previews what a restore of each would bring back. It fetches the archive and
 * restores it into a temporary copy, which takes as long as a test restore (a "proof").
 * @param request.id of the backup run
 * @param request.signal aborted when the client disconnects
 * @returns the cause in `problem` if the backup cannot be read
 * @throws {Refusal} `password_needed`, `not_found`, `too_many`, `unavailable` when aborted; `signed_out` or
 * `not_allowed`, also when the actor lost the right meanwhile
 */
export async function searchBackup(
  ctx: Context,
  request: { id: number; text: string; signal: AbortSignal },
): Promise<BackupSearchResult> {
  const run = await getRun(ctx, request.id)
  return fetchAndOpen(ctx, run, request.signal, { found: null }, async (backup) => {
    // Searches are audited, because they show data that was deleted since.
    await ctx.transaction((tx) =>
      record(tx, ctx, { action: 'backup.searched', subject: { type: 'backup', id: run.id, name: run.name } }),
    )
    const isErased = await createErasedCheck(ctx, ctx.db, backup)
    const messages = await findMessages(backup, request, isErased)
    const pages = await searchPages(ctx, backup, request)
    const found: NonNullable<BackupSearchResult['found']> = {
      messages: [],
      pages: [],
      more: messages.more || pages.more,
    }
    for (const row of messages.results) found.messages.push(await previewBackupMessage(ctx, backup, row))
    for (const pageId of pages.results) found.pages.push(await previewBackupPage(ctx, backup, pageId))
    return { found }
  })
}

/** Restores a message of a backup to the inbox. @throws {Refusal} as `searchBackup`, `storage_full` */
export async function fetchAndRestoreMessage(
  ctx: Context,
  { id, reference, signal }: { id: number; reference: number; signal: AbortSignal },
): Promise<RestoreMessageResult> {
  return fetchAndOpen(ctx, await getRun(ctx, id), signal, { message: null }, async (backup) => {
    const { reference: number, files, replies, missingFiles } = await restoreBackupMessage(ctx, backup, reference)
    return { message: { reference: number, files, replies, missingFiles } }
  })
}

/** Restores a page of a backup as a new, unpublished one. @throws {Refusal} as `fetchAndRestoreMessage` */
export async function fetchAndRestorePage(
  ctx: Context,
  { id, pageId, signal }: { id: number; pageId: number; signal: AbortSignal },
): Promise<RestorePageResult> {
  return fetchAndOpen(ctx, await getRun(ctx, id), signal, { page: null }, async (backup) => {
    const page = await restoreBackupPageById(ctx, backup, pageId)
    ctx.wake.image()
    return { page }
  })
}

/** Returns the run of a finished backup. Allowed to users with all rights only, as a backup contains everything. */
async function getRun(ctx: Context, id: number): Promise<RunRow> {
  allow(ctx, canManageBackups)
  requireConfirmed(ctx)
  const run = await findRun(ctx.db, id)
  if (run?.state !== 'done') throw new Refusal('not_found')
  return run
}

/** Fetches an archive and opens it for `work`. @returns `emptyResult` with a `problem` of the backup or this machine */
async function fetchAndOpen<Result, Empty>(
  ctx: Context,
  run: RunRow,
  signal: AbortSignal,
  emptyResult: Empty,
  work: (backup: OpenBackup) => Promise<Result>,
): Promise<(Result | Empty) & { problem: RestoreOneProblem | null; detail: string }> {
  let target: BackupTarget | undefined
  try {
    const { settings } = await findBackupSettings(ctx, ctx.db)
    const opened = await openTargetOf(ctx, settings, run)
    target = opened
    const workInFolder = async (folder: string) => {
      const { identity } = await findOrCreateSiteKey(ctx)
      const stored = { target: opened, name: run.name, bytes: run.bytes, hash: run.hash }
      const bytes = await sizeOfArchive(stored)
      await requireSpace(folder, bytes + spaceToRestore(bytes))
      const path = await fetchArchive(stored, { bytes, folder, signal })
      return withOpenBackup(ctx, { path, identity, target: opened, signal }, async (backup) => {
        // Opening the backup takes minutes, in which the actor may have been blocked or lost rights.
        await ctx.transaction((tx) => lockUsersAndAuthorize(tx, ctx, canManageBackups))
        return work(backup)
      })
    }
    const result = await withReadingLease(ctx, run.id, () => ctx.uploads.temporaryFiles.withFolder(workInFolder))
    return { problem: null, detail: '', ...result }
  } catch (error) {
    const problem = signal.aborted ? undefined : problemOf(error)
    if (problem === undefined) throw signal.aborted ? new Refusal('unavailable') : error
    return { problem, detail: (error as Error).message, ...emptyResult }
  } finally {
    target?.close()
  }
}

/** Undefined for errors that are not about the backup or this machine. */
function problemOf(error: unknown): RestoreOneProblem | undefined {
  if (error instanceof NotRestored) return error.problem
  if (error instanceof LostArchive) return 'missing'
  if (error instanceof NewerArchive) return 'newer'
  if (error instanceof OtherKeyArchive || error instanceof BackupKeyMismatch) return 'otherKey'
  if (error instanceof UnusableJournal) return 'journal'
  if (error instanceof UnusableArchive) return 'damaged'
  if (error instanceof TargetFailure) return 'unreachable'
  return isDiskFull(error) ? 'noRoom' : undefined
}

interface Search {
  text: string
  signal: AbortSignal
}

const numbersOf = ({ id, reference }: ListedBackupMessage) => [String(id), ...(reference ? [String(reference)] : [])]

/**
 * The newest messages that match by name, address or number. Those of erased people match by number only, without name
 * and address.
 */
async function findMessages(
  { db }: OpenBackup,
  { text, signal }: Search,
  isErased: (row: ListedBackupMessage) => boolean,
): Promise<{ results: (ListedBackupMessage & { isErased: boolean })[]; more: boolean }> {
  const matches = createMatcher(text)
  const number = toLatinDigits(text)
  const results: (ListedBackupMessage & { isErased: boolean })[] = []
  let more = false
  for await (const rows of readMessages(db)) {
    signal.throwIfAborted()
    for (const row of rows) {
      const hasNumber = numbersOf(row).includes(number)
      if (!hasNumber && !matches(`${row.name} ${row.email}`)) continue
      const erased = isErased(row)
      if (erased && !hasNumber) continue
      results.push({ ...row, ...(erased && { name: '', email: '' }), isErased: erased })
      if (results.length > maxResults) {
        results.shift()
        more = true
      }
    }
  }
  return { results: results.reverse(), more }
}

/** The ids of pages whose title and path together have all words, in any one language. */
async function searchPages(
  { site }: Pick<Context, 'site'>,
  { db }: OpenBackup,
  { text, signal }: Search,
): Promise<{ results: number[]; more: boolean }> {
  const matches = createMatcher(pathIn(text))
  const pageIds = new Set<number>()
  for await (const texts of readPageTexts(db)) {
    signal.throwIfAborted()
    for (const { pageId, locale, title, slug } of texts) {
      if (matches(`${title} ${localizedPath(`/${slug}`, locale, site)}`)) pageIds.add(pageId)
    }
  }
  return { results: [...pageIds].slice(0, maxResults), more: pageIds.size > maxResults }
}

/**
 * Reduces an address that was copied from a browser to its decoded path, without a `/` at the end. Another text is
 * decoded in the same way.
 */
function pathIn(text: string): string {
  const [, pathname] = /^https?:\/\/[^/?#]+([^?#]*)/i.exec(text) ?? []
  const path = pathname === '' ? '/' : (pathname ?? text).replace(/(?<=.)\/$/, '')
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** @returns whether a text contains every word of `query`; false if it has none */
function createMatcher(query: string): (text: string) => boolean {
  const terms = searchTerms(query)
  return (text) => {
    const folded = foldedText(text)
    return terms.length > 0 && terms.every((term) => folded.includes(term))
  }
}
