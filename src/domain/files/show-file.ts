import { drawingType } from '../../contract/file-types.ts'
import type { StoredFile } from '../../contract/files.ts'
import { fileUrl, type Picture, sourcesOf, widthUrl } from '../../contract/pictures.ts'
import type { Actor } from '../../platform/context.ts'
import { canWriteFiles } from './file.policy.ts'
import type { FileRow } from './file.queries.ts'

export const shownFile = (file: FileRow, actor: Actor): StoredFile => ({
  id: file.id,
  name: file.name,
  kind: file.kind,
  type: file.type,
  bytes: file.bytes,
  url: fileUrl(file.address, file.name),
  folder: file.folder,
  alt: file.alt,
  width: file.width,
  height: file.height,
  animated: file.frames > 1,
  crop: file.crop,
  focal: file.focal,
  state: file.state,
  picture: pictureOf(file) ?? null,
  whole: wholeOf(file),
  addedBy: file.addedBy,
  version: file.version,
  createdAt: file.createdAt,
  updatedAt: file.updatedAt,
  can: { change: canWriteFiles(actor) },
})

/** How pages show it; undefined for what is no picture. Until its widths are made it has a place and no source. */
export function pictureOf(file: FileRow): Picture | undefined {
  const { alt, focal, width, height, pictures } = file
  if (file.kind !== 'picture' || width === null || height === null) return undefined
  if (file.type === drawingType) {
    return { src: fileUrl(file.address, file.name), width, height, sources: [], placeholder: null, focal, alt }
  }
  if (!pictures) {
    const { placeholder, crop } = file
    return {
      src: '',
      width: crop?.width ?? width,
      height: crop?.height ?? height,
      sources: [],
      placeholder,
      focal,
      alt,
    }
  }
  const sources = sourcesOf(pictures, file.name)
  const ending = pictures.widths[0]?.types.at(-1) ?? ''
  // The widest that most screens need: whoever knows `srcset` never asks for it.
  const usual = pictures.widths.findLast((one) => one.width <= 1_280) ?? pictures.widths[0]
  return {
    src: usual ? widthUrl(pictures.address, usual.width, file.name, ending) : '',
    width: pictures.width,
    height: pictures.height,
    sources,
    placeholder: pictures.placeholder,
    focal,
    alt,
  }
}

/** The address changes with the crop, so what a browser kept of another is not shown. */
const wholeOf = (file: FileRow): string | null => {
  if (file.pictures?.cropped) return `/api/files/${file.id}/whole?of=${file.pictures.address}`
  return pictureOf(file)?.src || null
}

/** What the log keeps of a file. */
export const auditedFile = (file: FileRow) => ({
  name: file.name,
  folder: file.folder,
  type: file.type,
  bytes: file.bytes,
  altNl: file.alt.nl,
  altFa: file.alt.fa,
  crop: file.crop && `${file.crop.width} × ${file.crop.height} (${file.crop.x}, ${file.crop.y})`,
  focal: `${file.focal.x} %, ${file.focal.y} %`,
  // The hash would be taken for a secret; its beginning tells one content from another.
  content: file.hash.slice(0, 12),
})

export const subjectOf = (file: { id: number; name: string }) => ({ type: 'file', id: file.id, name: file.name })
