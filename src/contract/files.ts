import { z } from 'zod'
import { fileKinds } from './file-types.ts'
import { limits } from './limits.ts'
import { counter, counterText, listQuery } from './list.ts'
import { picture } from './pictures.ts'
import { line } from './text.ts'

/** In pixels of the whole picture, from its left and its top. */
export const area = z.strictObject({
  x: z.int().min(0),
  y: z.int().min(0),
  width: z.int().min(limits.cropPixels),
  height: z.int().min(limits.cropPixels),
})
export type Area = z.infer<typeof area>

const hundredth = z.int().min(0).max(100)
const focal = z.strictObject({ x: hundredth, y: hundredth })

export const file = z
  .object({
    id: z.int(),
    name: z.string(),
    kind: z.enum(fileKinds),
    /** By what is in it. */
    type: z.string(),
    bytes: z.int(),
    /** The address that content holds. It stays good when the file is replaced or gets another name. */
    url: z.string(),
    /** Empty: in none. */
    folder: z.string(),
    alt: z.object({ nl: z.string(), fa: z.string() }),
    /** Of a picture as it was uploaded, in pixels. */
    width: z.int().nullable(),
    height: z.int().nullable(),
    /** More than one picture, one after the other: it cannot be cropped. */
    animated: z.boolean(),
    /** What is shown of the picture; all of it without one. */
    crop: area.nullable(),
    focal,
    /** `waiting`: the widths of a picture are being made; `failed`: they could not be made. */
    state: z.enum(['ready', 'waiting', 'failed']),
    picture: picture.nullable(),
    /** Where all of a picture is seen, for who crops it. */
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
    /** The same content was there: this is the file that has it, as it is. */
    already: z.boolean(),
  })
  .meta({ id: 'UploadedFile' })
export type UploadedFile = z.infer<typeof uploadedFile>

/** Where a file stands. */
export const place = z
  .object({
    /** What kind of place it is. */
    type: z.enum(['configuration', 'page']),
    /** What the place is called: a page's title, or a part of the configuration like `footer.left`. */
    name: z.string(),
    /** The page's number. */
    id: z.int().nullable(),
  })
  .meta({ id: 'FilePlace' })
export type Place = z.infer<typeof place>

export const fileWithPlaces = file.extend({ places: z.array(place) }).meta({ id: 'FileWithPlaces' })
export type FileWithPlaces = z.infer<typeof fileWithPlaces>

const optionalLine = (max: number) => z.union([z.literal(''), line(max)])

/** Any name: what cannot stand in one is taken out, and the ending becomes that of the content. */
const givenName = z.string().min(1).max(1_000)
const folder = optionalLine(limits.fileFolderChars)

export const uploadQuery = z.strictObject({ name: givenName, folder: folder.optional() })
export const replaceQuery = z.strictObject({
  name: givenName.optional(),
  version: counterText.optional(),
})

export const wholeQuery = z.strictObject({ of: z.string().max(32).optional() })

export const changedFile = z
  .strictObject({
    name: line(limits.fileNameChars).optional(),
    folder: folder.optional(),
    alt: z.strictObject({ nl: optionalLine(limits.fileAltChars), fa: optionalLine(limits.fileAltChars) }).optional(),
    focal: focal.optional(),
    /** `null`: the whole picture. */
    crop: area.nullable().optional(),
    version: counter.optional(),
  })
  .meta({ id: 'ChangedFile' })
export type ChangedFile = z.infer<typeof changedFile>

export const fileSorts = ['createdAt', 'name', 'bytes'] as const
export const fileQuery = listQuery(fileSorts).extend({
  kind: z.enum(fileKinds).optional(),
  /** The name of a folder. */
  folder: z.string().max(limits.fileFolderChars).optional(),
})
export type FileQuery = z.infer<typeof fileQuery>

/** The folders that have files, and what one upload may hold. */
export const fileChoices = z
  .object({
    folders: z.array(z.object({ name: z.string(), files: z.int() })),
    maxBytes: z.int(),
    maxPixels: z.int(),
  })
  .meta({ id: 'FileChoices' })
export type FileChoices = z.infer<typeof fileChoices>
