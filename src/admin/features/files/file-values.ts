import type { Area, StoredFile } from '../../../contract/files.ts'

/** What stands in the form. */
export interface FileValues extends Record<string, unknown> {
  /** Without its ending, which belongs to what the file is. */
  name: string
  folder: string
  altNl: string
  altFa: string
  focalX: number
  focalY: number
  /** Null: the whole picture. */
  crop: Area | null
}

export const valuesOf = (file: StoredFile | undefined): FileValues => ({
  name: stemOf(file?.name ?? ''),
  folder: file?.folder ?? '',
  altNl: file?.alt.nl ?? '',
  altFa: file?.alt.fa ?? '',
  focalX: file?.focal.x ?? 50,
  focalY: file?.focal.y ?? 50,
  crop: file?.crop ?? null,
})

const stemOf = (name: string) => name.replace(/\.[^.]*$/, '')
export const endingOf = (name: string) => name.slice(stemOf(name).length)

/** As the API wants it. */
export const bodyOf = (values: FileValues, file: StoredFile, version: number | undefined) => ({
  name: `${values.name}${endingOf(file.name)}`,
  folder: values.folder,
  alt: { nl: values.altNl, fa: values.altFa },
  focal: { x: values.focalX, y: values.focalY },
  crop: values.crop,
  ...(version !== undefined && { version }),
})

export const fieldOf = (path: string): string => ({ 'alt.nl': 'altNl', 'alt.fa': 'altFa' })[path] ?? path
