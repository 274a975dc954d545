import { Refusal } from '../../contract/errors.ts'
import type { FileLibrary, FileQuery, FileUsage, FileWithUsages, StoredFile } from '../../contract/files.ts'
import { type ListOf, rangeOf, toListOf } from '../../contract/list.ts'
import type { Context } from '../../platform/context.ts'
import type { Db } from '../../platform/db/database.ts'
import { paginateIds } from '../../platform/db/long-list.ts'
import { searchTerms } from '../../platform/db/text-search.ts'
import { allow } from '../allow.ts'
import { sumStoredBytes } from './blob.queries.ts'
import { canSeeFiles } from './file.policy.ts'
import {
  type FileListFilter,
  type FileRow,
  fileList,
  findFileRow,
  findFilesByPublicId,
  findFolderId,
  listFileRows,
  listFolders,
  listPublicIds,
} from './file.queries.ts'
import { toStoredFile } from './show-file.ts'

/** Lists files, by default the newest first. `search` matches names, folders and alt texts. */
export async function listFiles(ctx: Context, query: FileQuery): Promise<ListOf<StoredFile>> {
  const actor = allow(ctx, canSeeFiles)
  const toListed = (row: FileRow) => toStoredFile(row, actor)
  if (query.publicId !== undefined) {
    const rows = [...(await findFilesByPublicId(ctx.db, [query.publicId])).values()]
    const page = { total: rows.length, more: false }
    return toListOf(rows.map(toListed), query, page)
  }
  const filter = await toFilter(ctx, query)
  const page = filter
    ? await paginateIds(ctx.db, ctx.dialect, fileList(filter), rangeOf(query))
    : { ids: [], total: 0, more: false }
  const byId = new Map((await listFileRows(ctx.db, page.ids)).map((row) => [row.id, row]))
  const rows = page.ids.flatMap((id) => byId.get(id) ?? [])
  return toListOf(rows.map(toListed), query, page)
}

/** Returns a file and its usages, also those by earlier public ids. @throws {Refusal} `not_found` */
export async function getFile(ctx: Context, id: number, sources: readonly ListFileUsages[]): Promise<FileWithUsages> {
  const actor = allow(ctx, canSeeFiles)
  const row = await getFileRow(ctx.db, id)
  return { ...toStoredFile(row, actor), places: await listFileUsages(ctx, await listPublicIds(ctx.db, id), sources) }
}

/** Returns the folders, the limits of an upload, and how full the storage is. */
export async function getFileLibrary(ctx: Context): Promise<FileLibrary> {
  allow(ctx, canSeeFiles)
  const { maxBytes, maxPixels, quotaBytes } = ctx.uploads
  const storage = quotaBytes === undefined ? null : { usedBytes: await sumStoredBytes(ctx.db), quotaBytes }
  return { folders: await listFolders(ctx.db), maxBytes, maxPixels, storage }
}

/** @throws {Refusal} `not_found` */
export async function getFileRow(db: Db, id: number): Promise<FileRow> {
  const row = await findFileRow(db, id)
  if (!row) throw new Refusal('not_found')
  return row
}

/** Makes the filter of a list; undefined when there is no such folder, and so no file. */
async function toFilter(ctx: Context, { sort, search, folder, kind }: FileQuery): Promise<FileListFilter | undefined> {
  const folderId = folder === undefined ? undefined : await findFolderId(ctx.db, folder)
  if (folder !== undefined && folderId === undefined) return undefined
  const descending = sort?.startsWith('-') ?? true
  const field = (sort?.replace('-', '') ?? 'createdAt') as FileListFilter['sort']
  return { terms: searchTerms(search), folderId, kind, sort: field, descending }
}

/** Lists usages of files. Each noun with content has such a function. A page that the actor may not read has no name and id. */
export type ListFileUsages = (ctx: FileUsageContext, publicIds: readonly string[]) => Promise<FileUsage[]>

type FileUsageContext = Pick<Context, 'actor' | 'db' | 'site' | 'publicDir'>

/** Lists the usages that all sources find. */
export async function listFileUsages(
  ctx: FileUsageContext,
  publicIds: readonly string[],
  sources: readonly ListFileUsages[],
): Promise<FileUsage[]> {
  return (await Promise.all(sources.map((list) => list(ctx, publicIds)))).flat()
}
