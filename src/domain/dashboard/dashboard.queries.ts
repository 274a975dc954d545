import type { Database, Transaction } from '../../platform/db/database.ts'

export async function isChecklistHidden(db: Database, userId: number): Promise<boolean> {
  const row = await db.selectFrom('user').where('id', '=', userId).select('start_list_hidden').executeTakeFirst()
  return row?.start_list_hidden === 1
}

export async function updateChecklistHidden(tx: Transaction, userId: number, hidden: boolean): Promise<void> {
  await tx
    .updateTable('user')
    .set({ start_list_hidden: hidden ? 1 : 0 })
    .where('id', '=', userId)
    .execute()
}
