import type { ReactNode } from 'react'
import { addressesIn } from '../contract/pictures.ts'
import type { Scene } from './define-block.ts'
import { FilePicture } from './file-picture.tsx'
import { orNothing } from './say.ts'

/**
 * A picture of a block. An upload is shown by what is known of it; every other picture by its address alone.
 * @param picture.sizes how wide it is shown, as in CSS
 */
export function showPicture(
  picture: { src: string; alt: string; sizes: string; className?: string },
  scene: Scene,
): ReactNode {
  const { src, alt, sizes, className = '' } = picture
  const upload = scene.pictures.get(addressesIn(src)[0] ?? '')
  if (!upload) {
    return <img src={src} alt={alt} className={orNothing(className)} loading="lazy" decoding="async" />
  }
  // What the block does not say, the file does.
  const own = upload.alt[scene.contentLocale] || upload.alt.nl
  return <FilePicture picture={upload} alt={alt || own} sizes={sizes} className={className} />
}
