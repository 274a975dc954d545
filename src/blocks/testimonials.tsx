import { z } from 'zod'
import { isPersian } from '../contract/locales.ts'
import { imageUrl } from '../contract/url.ts'
import { defineBlock, longText, sectionFields, sectionLabels, shortText } from './define-block.ts'
import { renderImage } from './render-image.tsx'
import { renderSection, renderText } from './render-text.tsx'

const item = z.strictObject({
  quote: longText,
  name: shortText,
  role: shortText.default(''),
  company: shortText.default(''),
  picture: imageUrl.optional(),
})

export const testimonials = defineBlock({
  type: 'testimonials',
  group: 'proof',
  fullWidth: true,
  stylesheets: ['section', 'image', 'testimonials'],
  fields: { ...sectionFields, items: z.array(item).max(24) },
  labels: {
    name: { nl: 'Klanten aan het woord', fa: 'نظر مشتریان', en: 'Customers’ words' },
    hint: {
      nl: 'De woorden van meer klanten, met portret en bedrijf.',
      fa: 'سخن چند مشتری، با چهره و شرکت.',
      en: 'The words of several customers, with portrait and company.',
    },
    keywords: {
      nl: 'reviews recensies referenties beoordelingen ervaringen',
      fa: 'نظر بازخورد دیدگاه',
      en: 'reviews testimonials references quotes',
    },
    fields: {
      ...sectionLabels,
      items: { nl: 'Klanten', fa: 'مشتریان', en: 'Customers' },
    },
    nestedFields: {
      'items.quote': { nl: 'Wat de klant zegt', fa: 'گفتهٔ مشتری', en: 'What the customer says' },
      'items.name': { nl: 'Naam', fa: 'نام', en: 'Name' },
      'items.role': { nl: 'Functie', fa: 'سمت', en: 'Position' },
      'items.company': { nl: 'Bedrijf', fa: 'شرکت', en: 'Company' },
      'items.picture': { nl: 'Portret', fa: 'تصویر چهره', en: 'Portrait' },
    },
  },
  defaults: {
    nl: {
      title: 'Wat klanten zeggen',
      items: [{ quote: 'Schrijf hier wat uw klant zegt.', name: 'Naam van de klant' }],
    },
    fa: { title: 'مشتریان چه می‌گویند', items: [{ quote: 'گفتهٔ مشتری خود را اینجا بنویسید.', name: 'نام مشتری' }] },
    en: {
      title: 'What customers say',
      items: [{ quote: 'Write here what your customer says.', name: 'Name of the customer' }],
    },
  },
  sampleTextPaths: ['items.quote', 'items.name'],
  View(block, context) {
    const listItems = block.items.map((item, index) => {
      const roleAndCompany = [item.role, item.company].filter(Boolean).map((text) => renderText(text, context))
      return (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries have no id and may repeat
        <li key={index}>
          <figure>
            <blockquote>
              <p>{renderText(item.quote, context)}</p>
            </blockquote>
            <figcaption>
              {item.picture &&
                renderImage({ src: item.picture, alt: '', sizes: '4rem', className: 'portrait' }, context)}
              <span>
                <bdi className="who">{renderText(item.name, context)}</bdi>
                {roleAndCompany.length > 0 && (
                  <bdi className="note">{roleAndCompany.join(isPersian(context.contentLocale) ? '، ' : ', ')}</bdi>
                )}
              </span>
            </figcaption>
          </figure>
        </li>
      )
    })
    return renderSection(block, 'testimonials', context, <ul className="voices">{listItems}</ul>)
  },
})
