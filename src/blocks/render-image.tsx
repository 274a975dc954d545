import type { ReactNode } from 'react'
import { imageKey } from '../contract/file-urls.ts'
import { altIn, type ResponsiveImage } from '../contract/images.ts'
import { mainLocaleOf } from '../contract/locales.ts'
import type { RenderContext } from './define-block.ts'
import { undefinedIfEmpty } from './render-text.tsx'

/**
 * The image of a block: with its size for an upload or a file of the site, otherwise by its URL alone.
 * @param image.sizes its displayed width, as in CSS
 * @param image.first visible when the page opens, so it is not lazy-loaded
 */
export function renderImage(
  image: { src: string; alt: string; sizes: string; className?: string; first?: boolean },
  context: RenderContext,
): ReactNode {
  const { src, alt, sizes, className = '', first } = image
  const known = context.images.get(imageKey(src))
  if (!known) {
    return <img src={src} alt={alt} className={undefinedIfEmpty(className)} {...loadingOf(first)} />
  }
  return (
    <FileImage image={known} alt={alt || fileAlt(src, context)} sizes={sizes} className={className} first={first} />
  )
}

/** The alt text of a file, which applies when the block has none. */
export function fileAlt(src: string, { images, contentLocale, site }: RenderContext): string {
  const alt = images.get(imageKey(src))?.alt
  return alt ? altIn(alt, contentLocale) || altIn(alt, mainLocaleOf(site)) : ''
}

/** The optional image of a block. Without one the editor shows where it belongs, and the site nothing. */
export function renderOptionalImage(
  image: Omit<Parameters<typeof renderImage>[0], 'src'> & { src: string | undefined },
  context: RenderContext,
): ReactNode {
  if (image.src !== undefined) return renderImage({ ...image, src: image.src }, context)
  return context.renderNested ? <span className={`image missing ${image.className ?? ''}`} /> : null
}

/** An image that is visible when the page opens is loaded first; others wait until they are near. */
const loadingOf = (first: boolean | undefined) =>
  first ? ({ fetchPriority: 'high' } as const) : ({ loading: 'lazy', decoding: 'async' } as const)

/** The URL of an image where only one can stand, such as the poster of a film. */
export const resolveImageUrl = (src: string, { images }: RenderContext): string => images.get(imageKey(src))?.src || src

/** A transparent image, used where there is no placeholder. */
const emptyImage = 'data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22/%3E'

const srcOf = ({ src, placeholder }: ResponsiveImage): string => src || (placeholder ?? emptyImage)

/** The `src` with which `renderImage` shows an image. */
export function shownSrc(src: string, { images }: Pick<RenderContext, 'images'>): string {
  const known = images.get(imageKey(src))
  return known ? srcOf(known) : src
}

/**
 * An image on a page, in the smallest sufficient size and the first type that the browser supports. Its space is
 * reserved, with a blurred placeholder until it is loaded.
 * @param props.sizes its displayed width, as in CSS: `(width < 40em) 100vw, 50vw`
 * @param props.className `square` and `banner` crop it around its focal point
 */
function FileImage(props: {
  image: ResponsiveImage
  alt: string
  sizes: string
  className?: string | undefined
  /** Visible when the page opens, so it is not lazy-loaded. */
  first?: boolean | undefined
}) {
  const { image, alt, sizes, className = '', first } = props
  const { src, sources, width, height, placeholder, focal } = image
  const img = (
    <img
      src={srcOf(image)}
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
 * Classes in steps of ten percent, because the Content-Security-Policy forbids style attributes. The centre needs no
 * class.
 */
function focalClasses({ x, y }: ResponsiveImage['focal']): string {
  const tenth = (axis: string, at: number) => (Math.round(at / 10) === 5 ? '' : `${axis}${Math.round(at / 10)}`)
  return `${tenth('fx', x)} ${tenth('fy', y)}`
}
