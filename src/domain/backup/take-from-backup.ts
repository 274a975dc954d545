import {
  type BackupSearchResult,
  canManageBackups,
  type RestoreMessageResult,
  type RestorePageResult,
  type TakeOutProblem,
} from '../../contract/backups.ts'
import { Refusal } from '../../contract/errors.ts'
import { localizedPath } from '../../contract/locales.ts'
import { toLatinDigits } from '../../contract/text.ts'
import { reasonText } from '../../i18n/reason.ts'
import { type BackupTarget, TargetFailure } from '../../platform/archive/backup-target.ts'
import { NewerArchive, OtherKeyArchive, UnusableArchive } from '../../platform/archive/unusable-archive.ts'
import type { Context } from '../../platform/context.ts'
import { isDiskFull } from '../../platform/db/database.ts'
import { foldedText } from '../../platform/db/migrations/folded-text.ts'
import { searchTerms } from '../../platform/db/text-search.ts'
import { allow, requireConfirmed } from '../allow.ts'
import { record } from '../audit/record.ts'
import { lockUsersAndAuthorize } from '../roles/lock-users.ts'
import { findRun, type RunRow } from './backup-run.queries.ts'
import { BackupKeyMismatch, findBackupSettings, findOrCreateSiteKey } from './backup-settings.ts'
import { fetchArchive, LostArchive, sizeOfArchive } from './fetch-archive.ts'
import { UnusableJournal } from './journal.ts'
import { createErasedCheck, NotTaken, type OpenBackup, withOpenBackup } from './open-backup.ts'
import { withReadingLease } from './reading-lease.ts'
import { findMissingSpace, spaceToRestore } from './restore-to-temporary-copy.ts'
import { openTargetOf } from './run-backup.ts'
import { showBackupMessage, takeMessage } from './take-message.ts'
import { type ListedBackupMessage, readMessages, readPageTexts } from './take-out.queries.ts'
import { showBackupPage, takePageById } from './take-page.ts'

/** Of messages, and of pages. */
const foundAtMost = 20

/**
 * The messages and pages of a backup that a search finds, each with what would come back of it. The archive is fetched and
 * restored aside, which takes as long as a proof.
 * @param request.signal the client left: reading ends
 * @throws {Refusal} `password_needed`, `not_found`, `too_many`; `signed_out` or `not_allowed`, also when that happened meanwhile
 */
export async function searchBackup(
  ctx: Context,
  request: { id: number; text: string; signal: AbortSignal },
): Promise<BackupSearchResult> {
  const run = await getRun(ctx, request.id)
  return openFor(ctx, run, request.signal, { found: null }, async (backup) => {
    // A search shows what was deleted since.
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
    for (const row of messages.found) found.messages.push(await showBackupMessage(ctx, backup, row))
    for (const pageId of pages.found) found.pages.push(await showBackupPage(ctx, backup, pageId))
    return { found }
  })
}

/** Puts a message of a backup into the inbox again. @throws {Refusal} as `searchBackup`, `storage_full` */
export async function takeMessageOut(
  ctx: Context,
  { id, reference, signal }: { id: number; reference: number; signal: AbortSignal },
): Promise<RestoreMessageResult> {
  return openFor(ctx, await getRun(ctx, id), signal, { message: null }, async (backup) => {
    const { reference: number, files, replies, missingFiles } = await takeMessage(ctx, backup, reference)
    return { message: { reference: number, files, replies, missingFiles } }
  })
}

/** Adds a page of a backup as a new one, which is not published. @throws {Refusal} as `takeMessageOut` */
export async function takePageOut(
  ctx: Context,
  { id, pageId, signal }: { id: number; pageId: number; signal: AbortSignal },
): Promise<RestorePageResult> {
  return openFor(ctx, await getRun(ctx, id), signal, { page: null }, async (backup) => {
    const page = await takePageById(ctx, backup, pageId)
    ctx.wake.image()
    return { page }
  })
}

/** The run of a backup. Only for users with all rights: they may see everything in the backup. */
async function getRun(ctx: Context, id: number): Promise<RunRow> {
  allow(ctx, canManageBackups)
  requireConfirmed(ctx)
  const run = await findRun(ctx.db, id)
  if (run?.state !== 'done') throw new Refusal('not_found')
  return run
}

/** Fetches an archive and restores it aside for `work`; a failure is returned as `problem`. */
async function openFor<Result, Nothing>(
  ctx: Context,
  run: RunRow,
  signal: AbortSignal,
  nothing: Nothing,
  work: (backup: OpenBackup) => Promise<Result>,
): Promise<(Result | Nothing) & { problem: TakeOutProblem | null; detail: string }> {
  let target: BackupTarget | undefined
  try {
    const { settings } = await findBackupSettings(ctx, ctx.db)
    const from = await openTargetOf(ctx, settings, run)
    target = from
    const fetchAndOpen = async (folder: string) => {
      const { identity } = await findOrCreateSiteKey(ctx)
      const stored = { target: from, name: run.name, bytes: run.bytes, hash: run.hash }
      const bytes = await sizeOfArchive(stored)
      const lack = await findMissingSpace(folder, bytes + spaceToRestore(bytes))
      if (lack !== undefined) throw new NotTaken('noRoom', `In ${folder} ${reasonText(lack, 'en')}.`)
      const path = await fetchArchive(stored, { bytes, folder, signal })
      return withOpenBackup(ctx, { path, identity, target: from, signal }, async (backup) => {
        // Reading it takes minutes, in which the actor may have been blocked or lost rights.
        await ctx.transaction((tx) => lockUsersAndAuthorize(tx, ctx, canManageBackups))
        return work(backup)
      })
    }
    const done = await withReadingLease(ctx, run.id, () => ctx.uploads.temporaryFiles.withFolder(fetchAndOpen))
    return { problem: null, detail: '', ...done }
  } catch (error) {
    const problem = signal.aborted ? undefined : problemOf(error)
    if (problem === undefined) throw signal.aborted ? new Refusal('unavailable') : error
    return { problem, detail: (error as Error).message, ...nothing }
  } finally {
    target?.close()
  }
}

/** Undefined for errors that are not about the backup or this machine. */
function problemOf(error: unknown): TakeOutProblem | undefined {
  if (error instanceof NotTaken) return error.problem
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

/** The newest that match by name, address or number, read some at a time. Erased people are found by a number only, without names. */
async function findMessages(
  { db }: OpenBackup,
  { text, signal }: Search,
  isErased: (row: ListedBackupMessage) => boolean,
): Promise<{ found: (ListedBackupMessage & { isErased: boolean })[]; more: boolean }> {
  const matches = createMatch(text)
  const number = toLatinDigits(text)
  const found: (ListedBackupMessage & { isErased: boolean })[] = []
  let more = false
  for await (const rows of readMessages(db)) {
    signal.throwIfAborted()
    for (const row of rows) {
      const isNumbered = numbersOf(row).includes(number)
      if (!isNumbered && !matches(`${row.name} ${row.email}`)) continue
      const erased = isErased(row)
      if (erased && !isNumbered) continue
      found.push({ ...row, ...(erased && { name: '', email: '' }), isErased: erased })
      if (found.length > foundAtMost) more = found.shift() !== undefined
    }
  }
  return { found: found.reverse(), more }
}

/** The pages with a title or address that matches, in any language. */
async function searchPages(
  { site }: Pick<Context, 'site'>,
  { db }: OpenBackup,
  { text, signal }: Search,
): Promise<{ found: number[]; more: boolean }> {
  const matches = createMatch(pathIn(text))
  const found = new Set<number>()
  for await (const texts of readPageTexts(db)) {
    signal.throwIfAborted()
    for (const { pageId, locale, title, slug } of texts) {
      if (matches(`${title} ${localizedPath(`/${slug}`, locale, site)}`)) found.add(pageId)
    }
  }
  return { found: [...found].slice(0, foundAtMost), more: found.size > foundAtMost }
}

/** The path of an address as browsers copy it: without the host, and decoded. Another text stays as it is. */
function pathIn(typed: string): string {
  const [, pathname] = /^https?:\/\/[^/?#]+([^?#]*)/i.exec(typed) ?? []
  const path = pathname === '' ? '/' : (pathname ?? typed).replace(/(?<=.)\/$/, '')
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Whether a text has each word that was typed. */
function createMatch(typed: string): (text: string) => boolean {
  const terms = searchTerms(typed)
  return (text) => {
    const folded = foldedText(text)
    return terms.length > 0 && terms.every((term) => folded.includes(term))
  }
}
