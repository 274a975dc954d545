import { Refusal } from '../../contract/errors.ts'
import type { FileChoices, FileQuery, FileWithPlaces, StoredFile } from '../../contract/files.ts'
import type { ListOf } from '../../contract/list.ts'
import type { Context } from '../../platform/context.ts'
import type { Database, Transaction } from '../../platform/db/database.ts'
import { searchParts } from '../../platform/db/text-search.ts'
import { allow } from '../allow.ts'
import { canSeeFiles } from './file.policy.ts'
import { type FileRow, findFileRow, findFileRows, listAddresses } from './file.queries.ts'
import { findFileIds, type WhichFiles } from './file-list.queries.ts'
import { findFolderId, listFolders } from './folder.queries.ts'
import { type FindPlaces, findPlaces } from './places.ts'
import { shownFile } from './show-file.ts'

/** One page of files, the newest first. Search looks at names, folders and descriptions. */
export async function findFiles(ctx: Context, query: FileQuery): Promise<ListOf<StoredFile>> {
  const actor = allow(ctx, canSeeFiles)
  const { page, pageSize } = query
  const which = await whichFiles(ctx, query)
  const found =
    which && (await findFileIds(ctx.db, ctx.dialect, which, { offset: (page - 1) * pageSize, limit: pageSize }))
  const byId = new Map((await findFileRows(ctx.db, found?.ids ?? [])).map((row) => [row.id, row]))
  const rows = (found?.ids ?? []).flatMap((id) => byId.get(id) ?? [])
  return {
    data: rows.map((row) => shownFile(row, actor)),
    meta: { page, pageSize, total: found?.total ?? 0, ...(found?.more && { more: true as const }) },
  }
}

/** A file, and where it stands. @throws {Refusal} `not_found` */
export async function getFile(ctx: Context, id: number, finders: readonly FindPlaces[]): Promise<FileWithPlaces> {
  const actor = allow(ctx, canSeeFiles)
  const row = await findRow(ctx.db, id)
  return { ...shownFile(row, actor), places: await findPlaces(ctx, await listAddresses(ctx.db, id), finders) }
}

/** What one chooses from when one uploads. */
export async function listFileChoices(ctx: Context): Promise<FileChoices> {
  allow(ctx, canSeeFiles)
  const { maxBytes, maxPixels } = ctx.uploads
  return { folders: await listFolders(ctx.db), maxBytes, maxPixels }
}

/** @throws {Refusal} `not_found` */
export async function findRow(db: Database | Transaction, id: number): Promise<FileRow> {
  const row = await findFileRow(db, id)
  if (!row) throw new Refusal('not_found')
  return row
}

/** Undefined when there is no such folder, and so nothing in it. */
async function whichFiles(ctx: Context, { sort, search, folder, kind }: FileQuery): Promise<WhichFiles | undefined> {
  const folderId = folder === undefined ? undefined : await findFolderId(ctx.db, folder)
  if (folder !== undefined && folderId === undefined) return undefined
  const descending = sort?.startsWith('-') ?? true
  const field = (sort?.replace('-', '') ?? 'createdAt') as WhichFiles['sort']
  return { parts: searchParts(search), folderId, kind, sort: field, descending }
}
