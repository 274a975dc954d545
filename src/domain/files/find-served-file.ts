import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { Refusal } from '../../contract/errors.ts'
import { type FileKind, imageTypesByExtension, svgType } from '../../contract/file-types.ts'
import { fileUrl, publicFileIdsIn, resizedImageUrl, withExtension } from '../../contract/file-urls.ts'
import type { Context } from '../../platform/context.ts'
import { resizedFileName, uncroppedFileName } from '../../platform/images/image-tasks.ts'
import { allow } from '../allow.ts'
import { canSeeFiles } from './file.policy.ts'
import { type FileRow, findFilesByPublicId } from './file.queries.ts'
import { getFileRow } from './list-files.ts'
import { needsResizing } from './receive-upload.ts'
import { originalKey, previewKey } from './store-blob.ts'

/** The response to a file's URL: an object in the storage, or a redirect to the current URL. */
export type ServedFile =
  | {
      storageKey: string
      name: string
      type: string
      kind: FileKind
      bytes: number
      etag: string
      /** The content of this URL will change, when the resized images are made. */
      temporary: boolean
    }
  | { redirectTo: string }

/** The cache tag of the files served under a public id. */
export const fileTag = (publicId: string): string => `file:${publicId}`

interface RequestedFile {
  publicId: string
  /** Set for a resized image. */
  width?: number | undefined
  /** The file name in the URL. Of a resized image, its extension is the requested type. */
  name: string
}

/**
 * Finds what to serve under a URL; undefined when there is none. Needs no right: anyone who knows the URL of a file may
 * read it.
 */
export async function findServedFile(
  ctx: Pick<Context, 'db'>,
  requested: RequestedFile,
): Promise<ServedFile | undefined> {
  const file = (await findFilesByPublicId(ctx.db, [requested.publicId])).get(requested.publicId)
  if (!file) return undefined
  if (!needsResizing(file)) return findOriginal(file, requested)
  return file.resizedImages ? findResized(file, requested) : toImagePreview(file)
}

function findOriginal(file: FileRow, requested: RequestedFile): ServedFile {
  const { publicId, name, type, kind, bytes } = file
  if (requested.publicId !== publicId || requested.name !== name) return { redirectTo: fileUrl(publicId, name) }
  return { storageKey: originalKey(file.blobId), name, type, kind, bytes, etag: publicId, temporary: false }
}

function toImagePreview({ blobId, publicId, name, kind, previewBytes }: FileRow): ServedFile | undefined {
  if (previewBytes === null) return undefined
  return {
    storageKey: previewKey(blobId),
    name: withExtension(name, 'webp'),
    type: 'image/webp',
    kind,
    bytes: previewBytes,
    etag: `${publicId}-preview`,
    temporary: true,
  }
}

/** Finds a resized image, by default the widest. The original is never served: its metadata may reveal where it was taken. */
function findResized(file: FileRow, requested: RequestedFile): ServedFile | undefined {
  const { resizedImages: images, resizedBlobId, kind } = file
  const widest = images?.widths.at(-1)
  if (!images || !widest) return undefined
  const requestedWidth = requested.width ?? widest.width
  // A cached page may request widths of an earlier crop.
  const image = images.widths.find(({ width }) => width >= requestedWidth) ?? widest
  const requestedType = requested.name.slice(requested.name.lastIndexOf('.') + 1)
  const originalExtension = image.types.at(-1) ?? ''
  const extension =
    requested.width !== undefined && image.types.includes(requestedType) ? requestedType : originalExtension
  const name = withExtension(file.name, extension)
  const [url, requestedUrl] =
    requested.width === undefined
      ? [fileUrl(images.publicId, name), fileUrl(requested.publicId, requested.name)]
      : [
          resizedImageUrl(images.publicId, image.width, name, extension),
          resizedImageUrl(requested.publicId, requestedWidth, requested.name, requestedType),
        ]
  if (url !== requestedUrl) return { redirectTo: url }
  return {
    storageKey: `${resizedBlobId}/${resizedFileName(image.width, extension)}`,
    name,
    type: imageTypesByExtension[extension] ?? '',
    kind,
    bytes: image.bytes[image.types.indexOf(extension)] ?? 0,
    etag: `${images.publicId}-${image.width}-${extension}`,
    // After a quick pass, a wider image may become the widest.
    temporary: file.state !== 'ready' && requested.width === undefined,
  }
}

/** Reads the uncropped image, for the crop tool. @throws {Refusal} `not_found` */
export async function readUncroppedImage(ctx: Context, id: number): Promise<Readable> {
  allow(ctx, canSeeFiles)
  const { resizedImages, resizedBlobId } = await getFileRow(ctx.db, id)
  const stored = resizedImages?.cropped && (await ctx.uploads.storage.read(`${resizedBlobId}/${uncroppedFileName}`))
  if (!stored) throw new Refusal('not_found')
  return stored
}

interface SmallImage {
  /** Its content never changes, except while it is a preview. */
  url: string
  type: string
  /** The width divided by the height. */
  ratio: number
  /** Returns undefined when the object is gone, because the file was just replaced. */
  read(): Promise<Buffer | undefined>
}

/**
 * Finds the smallest version of an uploaded image with at least this width, or the widest; the preview until it is
 * resized, and an SVG as it is. Undefined for other files.
 */
export async function findSmallImage(
  { db, uploads }: Pick<Context, 'db' | 'uploads'>,
  src: string,
  minWidth: number,
): Promise<SmallImage | undefined> {
  const [publicId] = publicFileIdsIn(src)
  const file = publicId === undefined ? undefined : (await findFilesByPublicId(db, [publicId])).get(publicId)
  if (file?.kind !== 'picture') return undefined
  const read = (key: string) => async () => {
    const stored = await uploads.storage.read(key)
    return stored && buffer(stored)
  }
  const { width, height } = file.crop ?? file
  const ratio = width && height ? width / height : 1
  if (file.type === svgType) {
    return { url: fileUrl(file.publicId, file.name), type: file.type, ratio, read: read(originalKey(file.blobId)) }
  }
  const { resizedImages: images, resizedBlobId, name } = file
  if (!images) {
    const preview = toImagePreview(file)
    const url = fileUrl(file.publicId, name)
    return preview && { url, type: 'image/webp', ratio, read: read(previewKey(file.blobId)) }
  }
  const image = images.widths.find(({ width }) => width >= minWidth) ?? images.widths.at(-1)
  // The last type is that of the original, which all browsers and the image worker can decode.
  const extension = image?.types.at(-1)
  if (!image || !extension) return undefined
  return {
    url: resizedImageUrl(images.publicId, image.width, name, extension),
    type: imageTypesByExtension[extension] ?? '',
    ratio,
    read: read(`${resizedBlobId}/${resizedFileName(image.width, extension)}`),
  }
}
