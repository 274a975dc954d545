import { z } from 'zod'
import { imageTypesByExtension } from './file-types.ts'
import { resizedImageUrl } from './file-urls.ts'
import type { Locale } from './locales.ts'

/** The alternative text of a file by language; empty or absent in languages without one. */
export const imageAlt = z.object({ nl: z.string(), fa: z.string() }).catchall(z.string())
type ImageAlt = z.infer<typeof imageAlt>

/** An image as pages show it: everything that a `<picture>` element needs. */
export const responsiveImage = z
  .object({
    /** The fallback for browsers that support none of the sources; a preview while the image is being resized. */
    src: z.string(),
    /** The size in pixels, which reserves the space on the page before the image is loaded. */
    width: z.int(),
    height: z.int(),
    sources: z.array(z.object({ type: z.string(), srcSet: z.string() })),
    /** A blurred image of a few pixels as a data URL, shown until the image is loaded. */
    placeholder: z.string().nullable(),
    /** The point that stays visible when the image is cropped, in percent from the left and the top. */
    focal: z.object({ x: z.int(), y: z.int() }),
    alt: imageAlt,
    /** Whether the crop of the file has changed, and the image must still be resized with the new one. */
    outdated: z.boolean().optional(),
  })
  .meta({ id: 'ResponsiveImage' })
export type ResponsiveImage = z.infer<typeof responsiveImage>

/** The details of an upload that is no image, as pages show them. */
export const fileFacts = z.object({ bytes: z.int() })
export type FileFacts = z.infer<typeof fileFacts>

/** The resized versions of an image, as the database stores them in JSON. */
export interface ResizedImages {
  /** The public id of the file when the image was resized; part of the URLs. */
  publicId: string
  width: number
  height: number
  placeholder: string | null
  /** Whether the image is cropped; then the uncropped one is stored too. */
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

/** The sources of a `<picture>`, in the order of `types`: browsers take the first type that they support. */
export function imageSources(resized: ResizedImages, name: string): ResponsiveImage['sources'] {
  const extensions = resized.widths[0]?.types ?? []
  return extensions.map((extension) => ({
    type: imageTypesByExtension[extension] ?? '',
    srcSet: resized.widths
      .map(({ width }) => `${resizedImageUrl(resized.publicId, width, name, extension)} ${width}w`)
      .join(', '),
  }))
}

/** The alternative text in a language; empty when there is none. */
export const altIn = (alt: ImageAlt, locale: Locale): string => (Object.hasOwn(alt, locale) ? (alt[locale] ?? '') : '')
