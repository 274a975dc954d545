import { z } from 'zod'
import { addressesIn } from '../contract/pictures.ts'
import { linkUrl, safeUrl } from '../contract/url.ts'
import { className, defineBlock, type Scene, shortText } from './define-block.ts'
import { FilePicture } from './file-picture.tsx'
import { linkTo } from './links.ts'
import { orNothing, say } from './say.ts'

/** Stands for the site's mark with its name beside it. */
const logo = '[logo]'

export const image = defineBlock({
  type: 'image',
  sheet: 'picture',
  fields: { src: z.union([z.literal(logo), safeUrl]), className, alt: shortText, url: linkUrl.optional() },
  labels: {
    nl: { name: 'Afbeelding', fields: { src: 'Bestand', className: 'Klassen', alt: 'Beschrijving', url: 'Link' } },
    fa: { name: 'تصویر', fields: { src: 'فایل', className: 'کلاس‌ها', alt: 'شرح', url: 'پیوند' } },
  },
  defaults: {
    nl: { src: logo, className: '', alt: '[brand]', url: '/' },
    fa: { src: logo, className: '', alt: '[brand]', url: '/' },
  },
  View(block, scene) {
    const alt = say(block.alt, scene)
    const isLogo = block.src === logo
    const picture = isLogo ? lockup(scene) : shown(block, alt, scene)
    if (block.url === undefined) return isLogo ? <span className="lockup">{picture}</span> : picture
    return (
      <a
        href={linkTo(block.url, scene)}
        className={isLogo ? `lockup ${block.className}`.trim() : undefined}
        aria-label={isLogo ? alt : undefined}
      >
        {picture}
      </a>
    )
  },
})

/** An upload is shown by what is known of it; every other picture by its address alone. */
function shown(block: { src: string; className: string }, alt: string, scene: Scene) {
  const upload = scene.pictures.get(addressesIn(block.src)[0] ?? '')
  if (!upload) {
    return <img src={block.src} alt={alt} className={orNothing(block.className)} loading="lazy" decoding="async" />
  }
  // What the block does not say, the file does.
  const own = upload.alt[scene.contentLocale] || upload.alt.nl
  return (
    <FilePicture picture={upload} alt={alt || own} sizes="(width < 52em) 94vw, 48rem" className={block.className} />
  )
}

function lockup(scene: Scene) {
  return (
    <>
      <img src={scene.logoUrl} alt="" width="40" height="40" />
      <bdi className="wordmark">{scene.site.brand}</bdi>
    </>
  )
}
