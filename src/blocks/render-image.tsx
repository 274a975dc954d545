import type { ReactNode } from 'react'
import { imageKey } from '../contract/file-urls.ts'
import { altIn, type ResponsiveImage } from '../contract/images.ts'
import { mainLocaleOf } from '../contract/locales.ts'
import type { RenderContext } from './define-block.ts'
import { undefinedIfEmpty } from './render-text.tsx'

interface BlockImage {
  src: string
  alt: string
  /** The displayed width, as in CSS: `(width < 40em) 100vw, 50vw`. */
  sizes: string
  /** `square` and `banner` crop the image around its focal point. */
  className?: string
  /** Visible when the page opens, so it is not lazy-loaded. */
  first?: boolean
}

/** Renders an image: responsive if it is an upload or a file of the site, otherwise by its URL alone. */
export function renderImage(image: BlockImage, context: RenderContext): ReactNode {
  const { src, alt, className = '', first } = image
  const file = context.images.get(imageKey(src))
  if (!file) return <img src={src} alt={alt} className={undefinedIfEmpty(className)} {...loadingOf(first)} />
  return renderFileImage(file, { ...image, alt: alt || fileAlt(src, context) })
}

/** The alt text of a file, in the content's language or else the main one; empty if there is none. */
export function fileAlt(src: string, { images, contentLocale, site }: RenderContext): string {
  const alt = images.get(imageKey(src))?.alt
  return alt ? altIn(alt, contentLocale) || altIn(alt, mainLocaleOf(site)) : ''
}

/** Renders an image, or without one a placeholder in the editor (only there is `renderNested` set). */
export function renderOptionalImage(
  image: Omit<BlockImage, 'src'> & { src: string | undefined },
  context: RenderContext,
): ReactNode {
  if (image.src !== undefined) return renderImage({ ...image, src: image.src }, context)
  return context.renderNested ? <span className={`image missing ${image.className ?? ''}`} /> : null
}

/** An image that is visible when the page opens is loaded first, the others when they are near the viewport. */
const loadingOf = (first: boolean | undefined) =>
  first ? ({ fetchPriority: 'high' } as const) : ({ loading: 'lazy', decoding: 'async' } as const)

/** The URL of an image where there can be only one, such as the poster of a video. */
export const resolveImageUrl = (src: string, { images }: RenderContext): string => images.get(imageKey(src))?.src || src

/** A transparent image, used where there is no placeholder. */
const emptyImage = 'data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22/%3E'

/** `src` is empty while an upload has neither a resized image nor a preview: then the placeholder is shown. */
const srcOf = ({ src, placeholder }: ResponsiveImage): string => src || (placeholder ?? emptyImage)

/** The `src` attribute that `renderImage` renders for an image. */
export function renderedSrc(src: string, { images }: Pick<RenderContext, 'images'>): string {
  const file = images.get(imageKey(src))
  return file ? srcOf(file) : src
}

/**
 * Renders an image in the smallest sufficient size and the first type that the browser supports. Its space is reserved,
 * with a blurred placeholder until it is loaded.
 */
function renderFileImage(file: ResponsiveImage, { alt, sizes, className = '', first }: BlockImage): ReactNode {
  const { src, sources, width, height, placeholder, focal } = file
  const img = (
    <img
      src={srcOf(file)}
      alt={alt}
      width={width}
      height={height}
      className={src ? undefined : 'blurred'}
      {...loadingOf(first)}
    />
  )
  return (
    <span className={`image ${focalClasses(focal)} ${className}`.replace(/\s+/g, ' ').trim()}>
      {src && placeholder && <img src={placeholder} alt="" className="blurred" width={width} height={height} />}
      {sources.length > 0 ? (
        <picture>
          {sources.map(({ type, srcSet }) => (
            <source key={type} type={type} srcSet={srcSet} sizes={sizes} />
          ))}
          {img}
        </picture>
      ) : (
        img
      )}
    </span>
  )
}

/**
 * The classes of a focal point in steps of ten percent, such as `fx3 fy7`: the Content-Security-Policy forbids style
 * attributes. The centre needs no class.
 */
function focalClasses({ x, y }: ResponsiveImage['focal']): string {
  const focalClass = (axis: string, percent: number) => {
    const tenths = Math.round(percent / 10)
    return tenths === 5 ? '' : `${axis}${tenths}`
  }
  return `${focalClass('fx', x)} ${focalClass('fy', y)}`
}
