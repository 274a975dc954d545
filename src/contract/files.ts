import { z } from 'zod'
import { fileKinds } from './file-types.ts'
import { imageAlt, responsiveImage } from './images.ts'
import { languageTag } from './language-tag.ts'
import { limits } from './limits.ts'
import { counter, counterText, listQuery } from './list.ts'
import { comparedText, optionalLine, singleLine } from './text.ts'

/** The area of a crop, in pixels of the uncropped image, from its left and top. */
const cropArea = z.strictObject({
  x: z.int().min(0),
  y: z.int().min(0),
  width: z.int().min(limits.minCropPixels),
  height: z.int().min(limits.minCropPixels),
})
export type CropArea = z.infer<typeof cropArea>

const percent = z.int().min(0).max(100)
/** The point that stays visible when the image is cropped to another shape, from the left and the top. */
const focal = z.strictObject({ x: percent, y: percent })

export const file = z
  .object({
    id: z.int(),
    name: z.string(),
    kind: z.enum(fileKinds),
    /** The media type, detected from the content. */
    type: z.string(),
    bytes: z.int(),
    /** The URL for use in content. It keeps working when the file is replaced or renamed. */
    url: z.string(),
    /** The name of the folder; empty: none. */
    folder: z.string(),
    alt: imageAlt,
    /** The size of the uploaded image in pixels; null for other files. */
    width: z.int().nullable(),
    height: z.int().nullable(),
    /** An animation cannot be cropped. */
    animated: z.boolean(),
    /** The visible part of the image; null: all of it. */
    crop: cropArea.nullable(),
    focal,
    /** `waiting`: the image is being resized; `failed`: resizing failed. */
    state: z.enum(['ready', 'waiting', 'failed']),
    picture: responsiveImage.nullable(),
    /** URL of the uncropped image, for the crop tool. */
    whole: z.string().nullable(),
    addedBy: z.string(),
    version: z.int(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    can: z.object({ change: z.boolean() }),
  })
  .meta({ id: 'File' })
export type StoredFile = z.infer<typeof file>

export const uploadedFile = file
  .extend({
    /** Whether the same content was uploaded before: then this is that file. */
    already: z.boolean(),
  })
  .meta({ id: 'UploadedFile' })
export type UploadedFile = z.infer<typeof uploadedFile>

/** Where a file is used. */
const fileUsage = z
  .object({
    type: z.enum(['configuration', 'page', 'section']),
    /**
     * A page's title, a section's name, or a part of the configuration such as `footer.left`; null for a page that the
     * actor may not read.
     */
    name: z.string().nullable(),
    /** The id of the page or section; null for the configuration, and for a page that the actor may not read. */
    id: z.union([z.int(), z.string()]).nullable(),
  })
  .meta({ id: 'FileUsage' })
export type FileUsage = z.infer<typeof fileUsage>

export const fileWithUsages = file.extend({ places: z.array(fileUsage) }).meta({ id: 'FileWithUsages' })
export type FileWithUsages = z.infer<typeof fileWithUsages>

/** The name of the uploaded file. Unsafe characters are removed; the extension becomes that of the content. */
const originalFileName = z.string().min(1).max(1_000)
const folder = optionalLine(limits.fileFolderChars)

export const uploadQuery = z.strictObject({ name: originalFileName, folder: folder.optional() })
export const replaceQuery = z.strictObject({
  name: originalFileName.optional(),
  version: counterText.optional(),
})

/** `of` is not read: it makes the URL, and so the cached response, differ for each crop. */
export const uncroppedImageQuery = z.strictObject({ of: z.string().max(32).optional() })

export const changedFile = z
  .strictObject({
    name: singleLine(limits.fileNameChars).optional(),
    folder: folder.optional(),
    /** The alternative text by language; omitted languages stay unchanged. */
    alt: z.record(languageTag, optionalLine(limits.fileAltChars)).optional(),
    focal: focal.optional(),
    /** `null`: the whole image. */
    crop: cropArea.nullable().optional(),
    version: counter.optional(),
  })
  .meta({ id: 'ChangedFile' })
export type ChangedFile = z.infer<typeof changedFile>

export const fileSorts = ['createdAt', 'name', 'bytes'] as const
export const fileQuery = listQuery(fileSorts).extend({
  kind: z.enum(fileKinds).optional(),
  /** The name of a folder. */
  folder: comparedText(limits.fileFolderChars).optional(),
  /** Only the file with this public id in its current or a previous URL. */
  publicId: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .optional(),
})
export type FileQuery = z.infer<typeof fileQuery>

/** The folders with files, the upload limits, and the storage used. */
export const fileLibrary = z
  .object({
    folders: z.array(z.object({ name: z.string(), files: z.int() })),
    maxBytes: z.int(),
    maxPixels: z.int(),
    /** Null where no quota is set. */
    storage: z.object({ usedBytes: z.int(), quotaBytes: z.int() }).nullable(),
  })
  .meta({ id: 'FileLibrary' })
export type FileLibrary = z.infer<typeof fileLibrary>
