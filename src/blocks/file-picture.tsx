import type { Picture } from '../contract/pictures.ts'

/** Nothing to see, where there is no placeholder to see either. */
const nothing = 'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22/%3E'

/**
 * An upload on a page: the smallest file that is sharp enough in the smallest type that the browser knows. Its place is
 * kept before it comes, with a few blurred pixels in it.
 * @param props.sizes how wide it is shown, as in CSS: `(width < 40em) 100vw, 50vw`
 * @param props.className `square` and `banner` cut it, around the point that stays in sight
 */
export function FilePicture(props: {
  picture: Picture
  alt: string
  sizes: string
  className?: string | undefined
  /** In sight when the page opens: it is not waited with. */
  first?: boolean
}) {
  const { picture, alt, sizes, className = '', first } = props
  const { src, sources, width, height, placeholder } = picture
  const image = (
    <img
      src={src || (placeholder ?? nothing)}
      alt={alt}
      width={width}
      height={height}
      className={src ? undefined : 'blurred'}
      {...(first ? { fetchPriority: 'high' as const } : { loading: 'lazy' as const, decoding: 'async' as const })}
    />
  )
  return (
    <span className={`picture ${focalClasses(picture.focal)} ${className}`.replace(/\s+/g, ' ').trim()}>
      {src && placeholder && <img src={placeholder} alt="" className="blurred" width={width} height={height} />}
      {sources.length > 0 ? (
        <picture>
          {sources.map(({ type, srcSet }) => (
            <source key={type} type={type} srcSet={srcSet} sizes={sizes} />
          ))}
          {image}
        </picture>
      ) : (
        image
      )}
    </span>
  )
}

/** In tenths: a page's policy lets no style attribute through. The middle needs no class. */
function focalClasses({ x, y }: Picture['focal']): string {
  const tenth = (letter: string, at: number) => (Math.round(at / 10) === 5 ? '' : `${letter}${Math.round(at / 10)}`)
  return `${tenth('fx', x)} ${tenth('fy', y)}`
}
