import { pictureUrl } from '../contract/url.ts'
import { defineBlock, longText, shortText } from './define-block.ts'
import { say } from './say.ts'
import { showPicture } from './show-picture.tsx'

export const testimonial = defineBlock({
  type: 'testimonial',
  sheets: ['testimonial', 'picture'],
  fields: { quote: longText, name: shortText, role: shortText.default(''), picture: pictureUrl.optional() },
  labels: {
    nl: {
      name: 'Klant aan het woord',
      fields: { quote: 'Wat de klant zegt', name: 'Naam', role: 'Functie of bedrijf', picture: 'Portret' },
    },
    fa: {
      name: 'نظر مشتری',
      fields: { quote: 'گفتهٔ مشتری', name: 'نام', role: 'سمت یا شرکت', picture: 'تصویر چهره' },
    },
  },
  defaults: {
    nl: { quote: 'Schrijf hier wat uw klant zegt, in diens eigen woorden.', name: 'Naam van de klant', role: '' },
    fa: { quote: 'گفتهٔ مشتری خود را اینجا با زبان خودش بنویسید.', name: 'نام مشتری', role: '' },
  },
  examples: ['quote', 'name'],
  View(block, scene) {
    return (
      <figure className="testimonial">
        <blockquote>
          <p>{say(block.quote, scene)}</p>
        </blockquote>
        <figcaption>
          {block.picture && showPicture({ src: block.picture, alt: '', sizes: '5rem', className: 'portrait' }, scene)}
          <span>
            <bdi className="who">{say(block.name, scene)}</bdi>
            {block.role && <span className="note">{say(block.role, scene)}</span>}
          </span>
        </figcaption>
      </figure>
    )
  },
})
