import { addressesIn, type Picture } from '../../contract/pictures.ts'
import type { Context } from '../../platform/context.ts'
import { findFilesAt } from './file.queries.ts'
import { pictureOf } from './show-file.ts'

/** The pictures whose addresses stand in `content`, or once were theirs, by the part of the address that names them. */
export async function findPictures(ctx: Pick<Context, 'db'>, content: unknown): Promise<ReadonlyMap<string, Picture>> {
  const files = await findFilesAt(ctx.db, addressesIn(JSON.stringify(content)))
  return new Map(
    [...files].flatMap(([address, file]) => {
      const picture = pictureOf(file)
      return picture ? [[address, picture]] : []
    }),
  )
}
