import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * Repeats work on rows until it finds fewer than a batch, or `signal` is aborted.
 * @param work handles at most `size` rows, and returns how many
 * @returns the number of rows of all batches
 */
export async function inBatches(
  size: number,
  signal: AbortSignal | undefined,
  work: () => Promise<number>,
): Promise<number> {
  let total = 0
  for (let rows = size; rows >= size && !signal?.aborted; total += rows) {
    rows = await work()
    // SQLite queries are synchronous, so without this no other request would run in between.
    await nextTurn()
  }
  return total
}
