import type { StoredFile } from '../../contract/files.ts'
import type { Context } from '../../platform/context.ts'
import { allow } from '../allow.ts'
import { canWriteFiles } from './file.policy.ts'
import { waitAgain } from './file-write.queries.ts'
import { findRow } from './find-files.ts'
import { shownFile } from './show-file.ts'

/** Lets the widths of a picture be made once more that could not be made. One that has them stays as it is. */
export async function drawAgain(ctx: Context, id: number): Promise<StoredFile> {
  const actor = allow(ctx, canWriteFiles)
  const file = await ctx.transaction(async (tx) => {
    const before = await findRow(tx, id)
    if (before.state === 'failed') await waitAgain(tx, id, ctx.now())
    return findRow(tx, id)
  })
  ctx.signal.picture()
  return shownFile(file, actor)
}
