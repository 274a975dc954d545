import { z } from 'zod'
import { imageUrl, linkUrl } from '../contract/url.ts'
import { defineBlock, sectionFields, sectionLabels, shortText } from './define-block.ts'
import { renderImage } from './render-image.tsx'
import { renderSection, renderText, resolveLink } from './render-text.tsx'

const item = z.strictObject({ picture: imageUrl, name: shortText, url: linkUrl.optional() })

export const logos = defineBlock({
  type: 'logos',
  group: 'proof',
  fullWidth: true,
  stylesheets: ['section', 'image', 'logos'],
  fields: { ...sectionFields, items: z.array(item).max(24) },
  labels: {
    name: { nl: 'Logo’s', fa: 'لوگوها', en: 'Logos' },
    hint: {
      nl: 'Een rij logo’s van klanten of keurmerken.',
      fa: 'ردیفی از لوگوی مشتریان یا گواهی‌ها.',
      en: 'A row of logos of customers or quality marks.',
    },
    fields: {
      ...sectionLabels,
      items: { nl: 'Logo’s', fa: 'لوگوها', en: 'Logos' },
    },
    nestedFields: {
      'items.picture': { nl: 'Afbeelding', fa: 'تصویر', en: 'Image' },
      'items.name': { nl: 'Naam', fa: 'نام', en: 'Name' },
      'items.url': { nl: 'Link', fa: 'پیوند', en: 'Link' },
    },
  },
  defaults: {
    nl: { title: 'Zij gingen u voor', items: [] },
    fa: { title: 'پیش از شما همراه ما بوده‌اند', items: [] },
    en: { title: 'They went before you', items: [] },
  },
  View(block, context) {
    const listItems = block.items.map((item, index) => {
      const logo = renderImage({ src: item.picture, alt: renderText(item.name, context), sizes: '12rem' }, context)
      return (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries have no id and may repeat
        <li key={index}>{item.url === undefined ? logo : <a href={resolveLink(item.url, context)}>{logo}</a>}</li>
      )
    })
    return renderSection(block, 'logos', context, <ul className="marks">{listItems}</ul>)
  },
})
