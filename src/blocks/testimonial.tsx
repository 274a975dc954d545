import { imageUrl } from '../contract/url.ts'
import { defineBlock, longText, shortText } from './define-block.ts'
import { renderImage } from './render-image.tsx'
import { renderText } from './render-text.tsx'

export const testimonial = defineBlock({
  type: 'testimonial',
  group: 'proof',
  imageSide: 'start',
  stylesheets: ['testimonial', 'image'],
  fields: { quote: longText, name: shortText, role: shortText.default(''), picture: imageUrl.optional() },
  labels: {
    nl: {
      name: 'Klant aan het woord',
      hint: 'De woorden van één klant, met naam en portret.',
      words: 'review recensie referentie citaat quote',
      fields: { quote: 'Wat de klant zegt', name: 'Naam', role: 'Functie of bedrijf', picture: 'Portret' },
    },
    fa: {
      name: 'نظر مشتری',
      hint: 'سخن یک مشتری، با نام و چهره.',
      words: 'نظر بازخورد نقل قول',
      fields: { quote: 'گفتهٔ مشتری', name: 'نام', role: 'سمت یا شرکت', picture: 'تصویر چهره' },
    },
    en: {
      name: 'A customer’s words',
      hint: 'The words of one customer, with name and portrait.',
      words: 'review testimonial reference quote',
      fields: { quote: 'What the customer says', name: 'Name', role: 'Position or company', picture: 'Portrait' },
    },
  },
  defaults: {
    nl: { quote: 'Schrijf hier wat uw klant zegt, in diens eigen woorden.', name: 'Naam van de klant', role: '' },
    fa: { quote: 'گفتهٔ مشتری خود را اینجا با زبان خودش بنویسید.', name: 'نام مشتری', role: '' },
    en: { quote: 'Write here what your customer says, in their own words.', name: 'Name of the customer', role: '' },
  },
  examples: ['quote', 'name'],
  View(block, context) {
    return (
      <figure className="testimonial">
        <blockquote>
          <p>{renderText(block.quote, context)}</p>
        </blockquote>
        <figcaption>
          {block.picture && renderImage({ src: block.picture, alt: '', sizes: '5rem', className: 'portrait' }, context)}
          <span>
            <bdi className="who">{renderText(block.name, context)}</bdi>
            {block.role && <span className="note">{renderText(block.role, context)}</span>}
          </span>
        </figcaption>
      </figure>
    )
  },
})
