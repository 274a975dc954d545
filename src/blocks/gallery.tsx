import { z } from 'zod'
import { imageUrl } from '../contract/url.ts'
import { defineBlock, shortText } from './define-block.ts'
import { fileAlt, renderImage, renderOptionalImage } from './render-image.tsx'
import { renderText } from './render-text.tsx'

const item = z.strictObject({ src: imageUrl, alt: shortText.default(''), caption: shortText.default('') })

export const gallery = defineBlock({
  type: 'gallery',
  group: 'text',
  stylesheets: ['gallery', 'image'],
  fields: { items: z.array(item).max(48) },
  labels: {
    name: { nl: 'Galerij', fa: 'نگارخانه', en: 'Gallery' },
    hint: { nl: 'Meer foto’s bij elkaar.', fa: 'چند عکس کنار هم.', en: 'Several photos together.' },
    keywords: { nl: 'album slider carrousel fotogalerij', fa: 'آلبوم گالری', en: 'album slider carousel photos' },
    fields: { items: { nl: 'Afbeeldingen', fa: 'تصویرها', en: 'Images' } },
    nestedFields: {
      'items.src': { nl: 'Bestand', fa: 'فایل', en: 'File' },
      'items.alt': {
        nl: 'Beschrijving voor wie de afbeelding niet ziet',
        fa: 'شرح برای کسی که تصویر را نمی‌بیند',
        en: 'Description for people who cannot see the image',
      },
      'items.caption': { nl: 'Bijschrift', fa: 'زیرنویس', en: 'Caption' },
    },
  },
  defaults: { nl: { items: [] }, fa: { items: [] }, en: { items: [] } },
  View(block, context) {
    if (block.items.length === 0 && !context.renderNested) return null
    const nameOf = (index: number) => {
      const { src = '', alt = '', caption = '' } = block.items[index] ?? {}
      const name = renderText(alt || caption, context) || fileAlt(src, context)
      return name || context.t('site.image', { number: index + 1 })
    }
    return (
      <ul
        className="gallery"
        data-close={context.t('site.closeImage')}
        data-previous={context.t('site.previousImage')}
        data-next={context.t('site.nextImage')}
      >
        {block.items.length === 0 && <li>{renderOptionalImage({ src: undefined, alt: '', sizes: '' }, context)}</li>}
        {block.items.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an image may be in it twice
          <li key={index}>
            <figure>
              <a href={item.src} aria-label={context.t('site.enlarge', { name: nameOf(index) })}>
                {renderImage(
                  { ...item, alt: renderText(item.alt, context), sizes: '(width < 44em) 94vw, 48rem' },
                  context,
                )}
              </a>
              {item.caption && <figcaption>{renderText(item.caption, context)}</figcaption>}
            </figure>
          </li>
        ))}
      </ul>
    )
  },
})
