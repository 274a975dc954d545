import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * Repeats work on rows until `signal` is aborted.
 * @param atLeast it is repeated while it handled this many rows or more
 * @param work returns how many rows it handled
 * @returns the number of rows of all batches
 */
export async function inBatches(
  atLeast: number,
  signal: AbortSignal | undefined,
  work: () => Promise<number>,
): Promise<number> {
  let total = 0
  for (let rows = atLeast; rows >= atLeast && !signal?.aborted; total += rows) {
    rows = await work()
    // SQLite queries are synchronous, so without this no other request would run in between.
    await nextTurn()
  }
  return total
}
