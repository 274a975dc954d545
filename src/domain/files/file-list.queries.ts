import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { FileKind } from '../../contract/file-types.ts'
import type { fileSorts } from '../../contract/files.ts'
import type { Database } from '../../platform/db/database.ts'
import { type FoundIds, findPart } from '../../platform/db/long-list.ts'
import type { LongList, Search } from '../../platform/db/long-list-rows.ts'
import { kindNumber } from './file-write.queries.ts'

export interface WhichFiles {
  /** Of `searchParts`. */
  parts: string[]
  folderId: number | undefined
  kind: FileKind | undefined
  sort: (typeof fileSorts)[number]
  descending: boolean
}

/** What each order is read by: an index that also holds id, folder and kind. */
const orders: Record<WhichFiles['sort'], RawBuilder<unknown>> = {
  createdAt: sql`created_at`,
  name: sql`search_text`,
  bytes: sql`bytes`,
}

/** The ids of one page, in order, and how many there are. */
export const findFileIds = (
  db: Database,
  search: Search,
  which: WhichFiles,
  page: { offset: number; limit: number },
): Promise<FoundIds> => findPart(db, search, listOf(which), page)

function listOf({ parts, folderId, kind, sort, descending }: WhichFiles): LongList {
  const filter: LongList['filter'] = (column) => [
    ...(folderId === undefined ? [] : [sql<SqlBool>`${column('folder_id')} = ${folderId}`]),
    ...(kind === undefined ? [] : [sql<SqlBool>`${column('kind')} = ${kindNumber(kind)}`]),
  ]
  return {
    table: 'file',
    parts,
    filter,
    filtered: ['folder_id', 'kind'],
    order: orders[sort],
    descending,
    kept: 'file_count',
    walked: [2_000],
  }
}
