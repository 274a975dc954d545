import type { Database, Transaction } from '../../platform/db/database.ts'

/** A folder is made by the first file that is put in it. */
export async function folderColumns(
  tx: Transaction,
  name: string,
): Promise<{ folder_id: number | null; folder_name: string }> {
  if (name === '') return { folder_id: null, folder_name: '' }
  await tx
    .insertInto('file_folder')
    .values({ name })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  const { id } = await tx.selectFrom('file_folder').select('id').where('name', '=', name).executeTakeFirstOrThrow()
  return { folder_id: id, folder_name: name }
}

export async function findFolderId(db: Database, name: string): Promise<number | undefined> {
  const row = await db.selectFrom('file_folder').select('id').where('name', '=', name).executeTakeFirst()
  return row?.id
}

/** Every folder that has files, and how many. */
export async function listFolders(db: Database): Promise<{ name: string; files: number }[]> {
  const rows = await db
    .selectFrom('file_folder')
    .innerJoin('file_count', 'file_count.folder_id', 'file_folder.id')
    .select(['file_folder.name', (eb) => eb.fn.sum<string | number>('file_count.counted').as('files')])
    .groupBy(['file_folder.id', 'file_folder.name'])
    .having((eb) => eb(eb.fn.sum('file_count.counted'), '>', 0))
    .orderBy('file_folder.name')
    .execute()
  return rows.map(({ name, files }) => ({ name, files: Number(files) }))
}
