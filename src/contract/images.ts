import { z } from 'zod'
import { imageTypesByExtension } from './file-types.ts'
import { resizedImageUrl } from './file-urls.ts'
import type { Locale } from './locales.ts'

/** The alternative text of a file, by language; empty or left out where it has none. */
export const imageAlt = z.object({ nl: z.string(), fa: z.string() }).catchall(z.string())
export type ImageAlt = z.infer<typeof imageAlt>

/** An image as pages show it: everything that a `<picture>` element needs. */
export const responsiveImage = z
  .object({
    /** For a browser that supports none of the sources. A preview while the image is being resized. */
    src: z.string(),
    /** In pixels; they reserve its space on the page before it is loaded. */
    width: z.int(),
    height: z.int(),
    sources: z.array(z.object({ type: z.string(), srcSet: z.string() })),
    /** A few blurred pixels as a data URL, shown until it is loaded. */
    placeholder: z.string().nullable(),
    /** In percent from the left and the top: the point that stays visible when the image is cropped. */
    focal: z.object({ x: z.int(), y: z.int() }),
    alt: imageAlt,
    /** Whether the file has another crop now, with which it is still to be resized. */
    outdated: z.boolean().optional(),
  })
  .meta({ id: 'ResponsiveImage' })
export type ResponsiveImage = z.infer<typeof responsiveImage>

/** The details of an upload that is no image, as pages show them. */
export const fileFacts = z.object({ bytes: z.int() })
export type FileFacts = z.infer<typeof fileFacts>

/** The widths of an image, as stored in the database in JSON. */
export interface ResizedImages {
  /** The file's public id when they were made. */
  publicId: string
  width: number
  height: number
  placeholder: string | null
  /** The uncropped image is stored beside them. */
  cropped: boolean
  widths: ResizedWidth[]
}

/** One width of an image, in each of the types. */
export interface ResizedWidth {
  width: number
  height: number
  /** File extensions: `avif`, `webp`, and that of the original's type. */
  types: string[]
  /** File sizes, in the order of `types`. */
  bytes: number[]
}

/** The smallest type first: browsers take the first one that they support. */
export function imageSources(made: ResizedImages, name: string): ResponsiveImage['sources'] {
  const extensions = made.widths[0]?.types ?? []
  return extensions.map((extension) => ({
    type: imageTypesByExtension[extension] ?? '',
    srcSet: made.widths
      .map(({ width }) => `${resizedImageUrl(made.publicId, width, name, extension)} ${width}w`)
      .join(', '),
  }))
}

/** The alternative text of a file in a language; empty where it has none. */
export const altIn = (alt: ImageAlt, locale: Locale): string => (Object.hasOwn(alt, locale) ? (alt[locale] ?? '') : '')
