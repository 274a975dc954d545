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
    name: { nl: 'Klant aan het woord', fa: 'نظر مشتری', en: 'A customer’s words' },
    hint: {
      nl: 'De woorden van één klant, met naam en portret.',
      fa: 'سخن یک مشتری، با نام و چهره.',
      en: 'The words of one customer, with name and portrait.',
    },
    keywords: {
      nl: 'review recensie referentie citaat quote',
      fa: 'نظر بازخورد نقل قول',
      en: 'review testimonial reference quote',
    },
    fields: {
      quote: { nl: 'Wat de klant zegt', fa: 'گفتهٔ مشتری', en: 'What the customer says' },
      name: { nl: 'Naam', fa: 'نام', en: 'Name' },
      role: { nl: 'Functie of bedrijf', fa: 'سمت یا شرکت', en: 'Position or company' },
      picture: { nl: 'Portret', fa: 'تصویر چهره', en: 'Portrait' },
    },
  },
  defaults: {
    nl: { quote: 'Schrijf hier wat uw klant zegt, in diens eigen woorden.', name: 'Naam van de klant', role: '' },
    fa: { quote: 'گفتهٔ مشتری خود را اینجا با زبان خودش بنویسید.', name: 'نام مشتری', role: '' },
    en: { quote: 'Write here what your customer says, in their own words.', name: 'Name of the customer', role: '' },
  },
  sampleTextPaths: ['quote', 'name'],
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
