import type { Context } from '../../platform/context.ts'
import { findLeftBlobs, forgetBlob } from './stored-blob.queries.ts'

/** Longer than any upload takes to be stored: what was announced before and is kept by nobody was cut off. */
const cutOffMs = 6 * 60 * 60_000
const batch = 100

type Ctx = Pick<Context, 'db' | 'transaction' | 'now' | 'uploads' | 'log'>

/** Removes from the storage what no file rests on: what was left, and what was cut off. @returns how many folders */
export async function sweepFiles(ctx: Ctx): Promise<number> {
  const now = ctx.now()
  const before = { arriving: new Date(now.getTime() - cutOffMs), leaving: now }
  let removed = 0
  for (;;) {
    const left = await ctx.transaction((tx) => findLeftBlobs(tx, before, batch))
    for (const blob of left) {
      await ctx.uploads.storage.remove(blob)
      await forgetBlob(ctx.db, blob)
    }
    removed += left.length
    if (left.length < batch) return removed
  }
}

/** The same at once, for who has just left something; what does not succeed now is done by the next sweep. */
export async function sweepNow(ctx: Ctx): Promise<void> {
  await sweepFiles(ctx).catch((error) => ctx.log.warn({ err: error }, 'the storage is swept later'))
}
