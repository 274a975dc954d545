import type { Transaction } from '../../platform/db/database.ts'

/** False when it is in that folder already: of two who move it at once, one does. */
export async function updateFolder(
  tx: Transaction,
  id: number,
  to: { folder: 'inbox' | 'spam'; reason: string | null },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('message')
    .set((eb) => ({ folder: to.folder, spam_reason: to.reason, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .where('folder', '!=', to.folder)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Marks those that are not marked so yet. */
export async function updateRead(tx: Transaction, ids: readonly number[], at: Date | null): Promise<void> {
  await tx
    .updateTable('message')
    .set({ read_at: at?.toISOString() ?? null })
    .where('id', 'in', ids)
    .where('read_at', at ? 'is' : 'is not', null)
    .execute()
}

/** @returns those that were not marked so before */
export async function updateAnswered(tx: Transaction, ids: readonly number[], at: Date | null): Promise<number[]> {
  const rows = await tx
    .updateTable('message')
    .set((eb) => ({ answered_at: at?.toISOString() ?? null, version: eb('version', '+', 1) }))
    .where('id', 'in', ids)
    .where('answered_at', at ? 'is' : 'is not', null)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Answered from here: also when it was answered before. */
export async function updateReplied(tx: Transaction, id: number, at: Date): Promise<void> {
  await tx
    .updateTable('message')
    .set((eb) => ({
      answered_at: at.toISOString(),
      read_at: eb.fn.coalesce('read_at', eb.val(at.toISOString())),
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .execute()
}

export async function updateNote(tx: Transaction, id: number, note: string): Promise<void> {
  await tx
    .updateTable('message')
    .set((eb) => ({ note, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

/** Keeps which letters brought a message to the company. */
export async function updateThread(tx: Transaction, id: number, mailIds: readonly string[]): Promise<void> {
  await tx
    .updateTable('message')
    .set({ thread: mailIds.join(' ') })
    .where('id', '=', id)
    .execute()
}
