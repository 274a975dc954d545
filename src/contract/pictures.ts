import { z } from 'zod'
import { pictureTypes } from './file-types.ts'

/** A picture as pages show it: everything that a `<picture>` needs, and no more. */
export const picture = z
  .object({
    /** For a browser that knows none of the sources. Empty while the picture is being made. */
    src: z.string(),
    /** Of the whole, in pixels; they keep its place on the page before it comes. */
    width: z.int(),
    height: z.int(),
    sources: z.array(z.object({ type: z.string(), srcSet: z.string() })),
    /** A few blurred pixels as a data URL, to see until it comes. */
    placeholder: z.string().nullable(),
    /** In hundredths from the left and the top: what stays in sight when edges are cut off. */
    focal: z.object({ x: z.int(), y: z.int() }),
    alt: z.object({ nl: z.string(), fa: z.string() }),
  })
  .meta({ id: 'Picture' })
export type Picture = z.infer<typeof picture>

/** Where the widths of a picture lie; it stands in the database as JSON. */
export interface MadePictures {
  /** What their addresses begin with. */
  address: string
  width: number
  height: number
  placeholder: string | null
  /** Cropped: all of it lies beside them. */
  cropped: boolean
  widths: { width: number; height: number; types: string[]; bytes: number[] }[]
}

export const fileUrl = (address: string, name: string) => `/files/${address}/${encodeURIComponent(name)}`

/** What a file is called, by the address that a text holds of it; another address is told as it is. */
export function fileNameIn(url: string): string {
  const [, name] = /^\/files\/[0-9a-f]{32}\/(?:[^/]+\/)?([^/?#]+)/.exec(url) ?? []
  if (name === undefined) return url
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** One width in one type; the name is the file's, with the ending of the type. */
export const widthUrl = (address: string, width: number, name: string, ending: string) =>
  `/files/${address}/${width}/${encodeURIComponent(withEnding(name, ending))}`

export const withEnding = (name: string, ending: string) => `${name.replace(/\.[^.]*$/, '')}.${ending}`

/** What stands between `/files/` and the name, in every address of an upload that a text holds. */
export const addressesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/\/files\/([0-9a-f]{32})\//g)].map((found) => found[1] as string)),
]

/** The sources of a picture, the smallest type first: browsers take the first that they know. */
export function sourcesOf(made: MadePictures, name: string): Picture['sources'] {
  const endings = made.widths[0]?.types ?? []
  return endings.map((ending) => ({
    type: pictureTypes[ending] ?? '',
    srcSet: made.widths.map(({ width }) => `${widthUrl(made.address, width, name, ending)} ${width}w`).join(', '),
  }))
}
