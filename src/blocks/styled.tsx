import type { ReactElement, ReactNode } from 'react'
import type { BlockStyle } from './block-style.ts'
import type { RenderContext } from './define-block.ts'
import { renderImage } from './render-image.tsx'

/**
 * Wraps a view in an element with the classes of `styles/block-style.css`; undefined for a block without a style.
 * @param options.fullWidth whether the view is a full-width section
 * @param options.first whether the block is the first of the page, so that its background image is not lazy-loaded
 */
export function wrapInStyle(
  style: BlockStyle | undefined,
  view: ReactNode,
  context: RenderContext,
  options: { fullWidth: boolean; first: boolean },
): ReactElement<{ className: string }> | undefined {
  const classes = style && classesOf(style, options.fullWidth)
  if (!classes) return undefined
  return (
    <div className={classes}>
      {style.background === 'picture' && style.picture && (
        <div className="backdrop" aria-hidden>
          {renderImage({ src: style.picture, alt: '', sizes: '100vw', first: options.first }, context)}
        </div>
      )}
      {view}
    </div>
  )
}

/** Undefined for an empty style. */
function classesOf(style: BlockStyle, fullWidth: boolean): string | undefined {
  const { space, width, align, side, edge } = style
  // An edge needs a background to be visible; a full-width section has one.
  const background = style.background ?? (edge && !fullWidth ? 'plain' : undefined)
  const classes = [
    background && `on on-${background}`,
    ...Object.entries({ space, width, align, side, edge }).map(([name, value]) => value && `${name}-${value}`),
  ].filter((className) => className !== undefined)
  return classes.length > 0 ? `styled ${classes.join(' ')}` : undefined
}
