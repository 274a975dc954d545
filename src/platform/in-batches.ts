import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * Repeats work on batches of rows, until a batch is not full or `signal` is aborted.
 * @param batchSize the number of rows of a full batch
 * @param work handles one batch, and returns its number of rows
 * @returns the number of rows of all batches
 */
export async function inBatches(
  batchSize: number,
  signal: AbortSignal | undefined,
  work: () => Promise<number>,
): Promise<number> {
  let total = 0
  for (let rows = batchSize; rows >= batchSize && !signal?.aborted; total += rows) {
    rows = await work()
    // SQLite queries are synchronous: this lets other requests run between the batches.
    await nextTurn()
  }
  return total
}
