import { z } from 'zod'
import { pictureUrl } from '../contract/url.ts'
import { defineBlock, shortText } from './define-block.ts'
import { say } from './say.ts'
import { showPicture } from './show-picture.tsx'

const item = z.strictObject({ src: pictureUrl, alt: shortText.default(''), caption: shortText.default('') })

export const gallery = defineBlock({
  type: 'gallery',
  sheets: ['gallery', 'picture'],
  fields: { items: z.array(item).max(48) },
  labels: {
    nl: {
      name: 'Galerij',
      fields: { items: 'Afbeeldingen' },
      parts: {
        'items.src': 'Bestand',
        'items.alt': 'Beschrijving voor wie de afbeelding niet ziet',
        'items.caption': 'Bijschrift',
      },
    },
    fa: {
      name: 'نگارخانه',
      fields: { items: 'تصویرها' },
      parts: {
        'items.src': 'فایل',
        'items.alt': 'شرح برای کسی که تصویر را نمی‌بیند',
        'items.caption': 'زیرنویس',
      },
    },
  },
  defaults: { nl: { items: [] }, fa: { items: [] } },
  View(block, scene) {
    return (
      <ul className="gallery">
        {block.items.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a picture may stand in it twice
          <li key={index}>
            <figure>
              {showPicture({ ...item, alt: say(item.alt, scene), sizes: '(width < 44em) 94vw, 48rem' }, scene)}
              {item.caption && <figcaption>{say(item.caption, scene)}</figcaption>}
            </figure>
          </li>
        ))}
      </ul>
    )
  },
})
