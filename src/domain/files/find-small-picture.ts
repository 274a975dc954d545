import { buffer } from 'node:stream/consumers'
import { drawingType, pictureTypes } from '../../contract/file-types.ts'
import { addressesIn, fileUrl, widthUrl } from '../../contract/pictures.ts'
import type { Context } from '../../platform/context.ts'
import { drawnName } from '../../platform/pictures/job.ts'
import { findFilesAt } from './file.queries.ts'
import { originalOf } from './store-content.ts'

export interface SmallPicture {
  /** Where everyone gets it. What stands there never changes: another picture has another address. */
  url: string
  type: string
  /** Its bytes; undefined when it was replaced just now. */
  read(): Promise<Buffer | undefined>
}

/**
 * An upload for where it is shown small, such as the mark of the site: a drawing as it is, a photo in the width that is
 * enough. Undefined when it is gone, or its widths are still being made.
 */
export async function findSmallPicture(
  { db, uploads }: Pick<Context, 'db' | 'uploads'>,
  src: string,
  atLeast: number,
): Promise<SmallPicture | undefined> {
  const [address] = addressesIn(src)
  const file = address === undefined ? undefined : (await findFilesAt(db, [address])).get(address)
  if (file?.kind !== 'picture') return undefined
  const read = (key: string) => async () => {
    const stored = await uploads.storage.read(key)
    return stored && buffer(stored)
  }
  if (file.type === drawingType) {
    return { url: fileUrl(file.address, file.name), type: file.type, read: read(originalOf(file.blob)) }
  }
  const { pictures, picturesBlob, name } = file
  const width = pictures?.widths.find((one) => one.width >= atLeast) ?? pictures?.widths.at(-1)
  // The last type is the one that it came in, which everything can draw.
  const ending = width?.types.at(-1)
  if (!pictures || !picturesBlob || !width || !ending) return undefined
  return {
    url: widthUrl(pictures.address, width.width, name, ending),
    type: pictureTypes[ending] ?? '',
    read: read(`${picturesBlob}/${drawnName(width.width, ending)}`),
  }
}
