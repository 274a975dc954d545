import { z } from 'zod'
import { linkUrl, safeUrl } from '../contract/url.ts'
import { className, defineBlock, type Scene, shortText } from './define-block.ts'
import { linkTo } from './links.ts'
import { orNothing, say } from './say.ts'

/** Stands for the site's mark with its name beside it. */
const logo = '[logo]'

export const image = defineBlock({
  type: 'image',
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
    const picture = isLogo ? (
      lockup(scene)
    ) : (
      <img src={block.src} alt={alt} className={orNothing(block.className)} loading="lazy" decoding="async" />
    )
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

function lockup(scene: Scene) {
  return (
    <>
      <img src={scene.logoUrl} alt="" width="40" height="40" />
      <bdi className="wordmark">{scene.site.brand}</bdi>
    </>
  )
}
