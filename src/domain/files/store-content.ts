import { createHmac, randomUUID } from 'node:crypto'
import type { Area } from '../../contract/files.ts'
import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { isAddressOfAnother } from './file.queries.ts'
import { announceBlob, keepBlob, leaveBlobs } from './stored-blob.queries.ts'

/** The content of a file, in its folder of the storage. */
export const originalOf = (blob: string) => `${blob}/original`

type Ctx = Pick<Context, 'transaction' | 'now' | 'uploads' | 'log'>

/**
 * Puts files into a new folder of the storage and then lets `keep` write down, in one transaction, what rests on it.
 * When that fails the folder goes again; when the program ends before it, the next sweep takes it.
 * @param fill puts the files there
 */
export async function storeBlob<T>(
  ctx: Ctx,
  fill: (blob: string) => Promise<void>,
  keep: (tx: Transaction, blob: string) => Promise<T>,
): Promise<T> {
  const blob = randomUUID()
  await ctx.transaction((tx) => announceBlob(tx, blob, ctx.now()))
  try {
    await fill(blob)
    return await ctx.transaction(async (tx) => {
      const result = await keep(tx, blob)
      if (!(await keepBlob(tx, blob))) throw new Error('the storing took longer than the sweep waits')
      return result
    })
  } catch (error) {
    await ctx
      .transaction((tx) => leaveBlobs(tx, [blob], new Date(0)))
      .catch((failed) => ctx.log.warn({ err: failed }, 'a folder of the storage is left to the sweep'))
    throw error
  }
}

/**
 * What the address of a content begins with: the same content has the same one, unless another file had it first. Who
 * has the content cannot tell it without the secret, and so not whether it was uploaded.
 * @param fileId of the file that gets it; none when it is new
 */
export async function addressFor(
  tx: Transaction,
  { secret }: Pick<Context, 'secret'>,
  content: { hash: string; crop: Area | null },
  fileId: number | undefined,
): Promise<string> {
  for (let turn = 0; ; turn++) {
    const { hash, crop } = content
    const of = crop ? [hash, crop.x, crop.y, crop.width, crop.height, turn] : [hash, turn]
    const address = createHmac('sha256', secret)
      .update(`file\0${of.join(':')}`)
      .digest('hex')
      .slice(0, 32)
    if (!(await isAddressOfAnother(tx, address, fileId))) return address
  }
}
