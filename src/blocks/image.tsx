import { linkUrl } from '../contract/url.ts'
import { className, defineBlock, imageOrLogo, logoPlaceholder, type RenderContext, shortText } from './define-block.ts'
import { renderImage } from './render-image.tsx'
import { renderText, resolveLink } from './render-text.tsx'

export const image = defineBlock({
  type: 'image',
  group: 'text',
  stylesheets: ['image'],
  fields: { src: imageOrLogo, className, alt: shortText, url: linkUrl.optional() },
  labels: {
    name: { nl: 'Afbeelding', fa: 'تصویر', en: 'Image' },
    hint: {
      nl: 'Eén foto of tekening, desgewenst met een link.',
      fa: 'یک عکس یا نقاشی، در صورت نیاز با پیوند.',
      en: 'One photo or drawing, with a link if you like.',
    },
    fields: {
      src: { nl: 'Bestand', fa: 'فایل', en: 'File' },
      className: { nl: 'Klassen', fa: 'کلاس‌ها', en: 'Classes' },
      alt: { nl: 'Beschrijving', fa: 'شرح', en: 'Description' },
      url: { nl: 'Link', fa: 'پیوند', en: 'Link' },
    },
  },
  defaults: {
    nl: { src: logoPlaceholder, className: '', alt: '' },
    fa: { src: logoPlaceholder, className: '', alt: '' },
    en: { src: logoPlaceholder, className: '', alt: '' },
  },
  View(block, context) {
    const alt = renderText(block.alt, context)
    const isLogo = block.src === logoPlaceholder
    const { width } = block.style ?? {}
    const sizes = width === 'wide' || width === 'full' ? '100vw' : '(width < 52em) 94vw, 48rem'
    const image = isLogo ? renderLogo(context) : renderImage({ ...block, alt, sizes }, context)
    const className = isLogo ? `lockup ${block.className}`.trim() : undefined
    if (block.url === undefined) return isLogo ? <span className={className}>{image}</span> : image
    return (
      <a href={resolveLink(block.url, context)} className={className} aria-label={isLogo ? alt : undefined}>
        {image}
      </a>
    )
  },
})

/** Renders the logo with the name of the brand beside it. */
function renderLogo(context: RenderContext) {
  return (
    <>
      <img src={context.logoUrl} alt="" width={Math.round(40 * context.logoRatio)} height="40" />
      <bdi className="wordmark">{context.site.brand}</bdi>
    </>
  )
}
