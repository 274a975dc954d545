import { svgType } from '../../contract/file-types.ts'
import { fileUrl, publicFileIdsIn, resizedImageUrl } from '../../contract/file-urls.ts'
import type { StoredFile } from '../../contract/files.ts'
import { type FileFacts, imageSources, type ResponsiveImage } from '../../contract/images.ts'
import type { Actor, Context } from '../../platform/context.ts'
import { canWriteFiles } from './file.policy.ts'
import { type FileRow, findFilesByPublicId } from './file.queries.ts'

export const toStoredFile = (file: FileRow, actor: Actor): StoredFile => ({
  id: file.id,
  name: file.name,
  kind: file.kind,
  type: file.type,
  bytes: file.bytes,
  url: fileUrl(file.publicId, file.name),
  folder: file.folder,
  alt: file.alt,
  width: file.width,
  height: file.height,
  animated: file.frames > 1,
  crop: file.crop,
  focal: file.focal,
  state: file.state,
  picture: toResponsiveImage(file) ?? null,
  whole: uncroppedUrl(file),
  addedBy: file.addedBy,
  version: file.version,
  createdAt: file.createdAt,
  updatedAt: file.updatedAt,
  can: { change: canWriteFiles(actor) },
})

/** What pages need to show images and files. */
interface ShownFiles {
  /** By public id; images of the public folder by path. */
  images: ReadonlyMap<string, ResponsiveImage>
  /** Files that are not images, by public id. */
  files: ReadonlyMap<string, FileFacts>
}

/** Finds the images of the public folder, and the uploads whose current or earlier URLs occur in any of the contents. */
export async function findShownFiles(
  ctx: Pick<Context, 'db' | 'publicImages'>,
  contents: readonly (object | string)[],
): Promise<ShownFiles> {
  const ids = [...new Set(contents.flatMap(publicFileIdsOf))]
  if (ids.length === 0) return { images: ctx.publicImages, files: new Map() }
  const images = new Map(ctx.publicImages)
  const files = new Map<string, FileFacts>()
  for (const [publicId, file] of await findFilesByPublicId(ctx.db, ids)) {
    const image = toResponsiveImage(file)
    if (image) images.set(publicId, image)
    else files.set(publicId, { bytes: file.bytes })
  }
  return { images, files }
}

/** The public ids by content. Contents are never mutated: a changed content is a new object. */
const cachedIds = new WeakMap<object, string[]>()

function publicFileIdsOf(content: object | string): string[] {
  if (typeof content === 'string') return publicFileIdsIn(content)
  const ids = cachedIds.get(content) ?? publicFileIdsIn(JSON.stringify(content))
  cachedIds.set(content, ids)
  return ids
}

/** How pages show an image; undefined for other kinds of files. Until the resized images are made, `src` is the preview. */
function toResponsiveImage(file: FileRow): ResponsiveImage | undefined {
  const { alt, focal, width, height, resizedImages: images, crop, publicId, name } = file
  if (file.kind !== 'picture' || width === null || height === null) return undefined
  if (file.type === svgType) {
    return { src: fileUrl(publicId, name), width, height, sources: [], placeholder: null, focal, alt }
  }
  if (!images) {
    return {
      src: file.previewBytes === null ? '' : fileUrl(publicId, name),
      width: crop?.width ?? width,
      height: crop?.height ?? height,
      sources: [],
      placeholder: file.placeholder,
      focal,
      alt,
    }
  }
  const extension = images.widths[0]?.types.at(-1) ?? ''
  // Wide enough for most screens; browsers that support `srcset` use the sources instead.
  const fallback = images.widths.findLast((resized) => resized.width <= 1_280) ?? images.widths[0]
  return {
    src: fallback ? resizedImageUrl(images.publicId, fallback.width, name, extension) : '',
    width: images.width,
    height: images.height,
    sources: imageSources(images, name),
    placeholder: images.placeholder,
    focal,
    alt,
    ...(images.publicId !== publicId && file.state === 'waiting' && { outdated: true }),
  }
}

/** The URL of the uncropped image. It changes with the crop, so that browsers do not use a cached image of an earlier crop. */
const uncroppedUrl = (file: FileRow): string | null => {
  if (file.resizedImages?.cropped) return `/api/files/${file.id}/whole?of=${file.resizedImages.publicId}`
  return toResponsiveImage(file)?.src || null
}

/** The properties of a file that the audit log stores. */
export const fileAuditFields = ({ alt: { nl, fa, ...others }, ...file }: FileRow) => ({
  name: file.name,
  folder: file.folder,
  type: file.type,
  bytes: file.bytes,
  altNl: nl,
  altFa: fa,
  altOther: Object.entries(others)
    .map(([locale, text]) => `${locale}: ${text}`)
    .join(' · '),
  crop: file.crop && `${file.crop.width} × ${file.crop.height} (${file.crop.x}, ${file.crop.y})`,
  focal: `${file.focal.x} %, ${file.focal.y} %`,
  // Identifies the content; the audit log would mask a whole hash as a secret.
  content: file.contentHash.slice(0, 12),
})

export const fileSubject = (file: { id: number; name: string }) => ({ type: 'file', id: file.id, name: file.name })
