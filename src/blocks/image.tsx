import { linkUrl } from '../contract/url.ts'
import { className, defineBlock, logo, pictureOrLogo, type Scene, shortText } from './define-block.ts'
import { linkTo } from './links.ts'
import { say } from './say.ts'
import { showPicture } from './show-picture.tsx'

export const image = defineBlock({
  type: 'image',
  sheets: ['picture'],
  fields: { src: pictureOrLogo, className, alt: shortText, url: linkUrl.optional() },
  labels: {
    nl: { name: 'Afbeelding', fields: { src: 'Bestand', className: 'Klassen', alt: 'Beschrijving', url: 'Link' } },
    fa: { name: 'تصویر', fields: { src: 'فایل', className: 'کلاس‌ها', alt: 'شرح', url: 'پیوند' } },
  },
  defaults: {
    nl: { src: logo, className: '', alt: '' },
    fa: { src: logo, className: '', alt: '' },
  },
  View(block, scene) {
    const alt = say(block.alt, scene)
    const isLogo = block.src === logo
    const picture = isLogo ? lockup(scene) : showPicture({ ...block, alt, sizes: '(width < 52em) 94vw, 48rem' }, scene)
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
