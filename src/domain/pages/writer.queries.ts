import { baseRoleId, isRight, type Right } from '../../contract/rights.ts'
import type { Database, Transaction } from '../../platform/db/database.ts'

/** What somebody is called wherever they wrote something. */
export async function renameWriter(tx: Transaction, id: number, name: string): Promise<void> {
  await tx.updateTable('page_revision').set({ by_name: name }).where('by_id', '=', id).execute()
  await tx.updateTable('page_text').set({ saved_by_name: name }).where('saved_by_id', '=', id).execute()
  await tx.updateTable('page').set({ updated_by_name: name }).where('updated_by_id', '=', id).execute()
  await tx.updateTable('redirect').set({ by_name: name }).where('by_id', '=', id).execute()
}

/** The rights of both roles; none for who is blocked or gone. */
export async function findWriterRights(db: Database, userId: number): Promise<Right[]> {
  const rows = await db
    .selectFrom('user')
    .innerJoin('role_right', (join) =>
      join.on((eb) =>
        eb.or([eb('role_right.role_id', '=', baseRoleId), eb('role_right.role_id', '=', eb.ref('user.role_id'))]),
      ),
    )
    .select('role_right.right_name')
    .where('user.id', '=', userId)
    .where('user.blocked', '=', 0)
    .execute()
  return rows.map((row) => row.right_name).filter(isRight)
}
