import { z } from 'zod'
import { mailtoOf } from '../contract/contact.ts'
import { imageUrl } from '../contract/url.ts'
import {
  defineBlock,
  linkFields,
  longText,
  optionalEmail,
  sectionFields,
  sectionLabels,
  shortText,
} from './define-block.ts'
import { renderOptionalImage } from './render-image.tsx'
import { renderLink, renderSection, renderText } from './render-text.tsx'

const item = z.strictObject({
  picture: imageUrl.optional(),
  name: shortText,
  role: shortText.default(''),
  text: longText.default(''),
  email: optionalEmail,
  ...linkFields,
})

export const team = defineBlock({
  type: 'team',
  group: 'proof',
  fullWidth: true,
  stylesheets: ['section', 'image', 'team'],
  fields: { ...sectionFields, items: z.array(item).max(48) },
  labels: {
    nl: {
      name: 'Team',
      hint: 'De mensen achter uw bedrijf, met portret.',
      words: 'medewerkers collega’s personeel over ons',
      fields: { ...sectionLabels.nl, items: 'Mensen' },
      nestedFields: {
        'items.picture': 'Portret',
        'items.name': 'Naam',
        'items.role': 'Functie',
        'items.text': 'Korte tekst',
        'items.email': 'E-mailadres',
        'items.linkTitle': 'Tekst van de link',
        'items.url': 'Link',
      },
    },
    fa: {
      name: 'گروه ما',
      hint: 'آدم‌های پشت کسب‌وکار شما، با چهره.',
      words: 'کارکنان همکاران دربارهٔ ما',
      fields: { ...sectionLabels.fa, items: 'افراد' },
      nestedFields: {
        'items.picture': 'تصویر چهره',
        'items.name': 'نام',
        'items.role': 'سمت',
        'items.text': 'متن کوتاه',
        'items.email': 'ایمیل',
        'items.linkTitle': 'متن پیوند',
        'items.url': 'پیوند',
      },
    },
    en: {
      name: 'Team',
      hint: 'The people behind your company, with a portrait.',
      words: 'staff colleagues people about us',
      fields: { ...sectionLabels.en, items: 'People' },
      nestedFields: {
        'items.picture': 'Portrait',
        'items.name': 'Name',
        'items.role': 'Position',
        'items.text': 'Short text',
        'items.email': 'Email address',
        'items.linkTitle': 'Text of the link',
        'items.url': 'Link',
      },
    },
  },
  defaults: {
    nl: { anchor: 'team', title: 'Ons team', items: [{ name: 'Voornaam Achternaam', role: 'Functie' }] },
    fa: { anchor: 'team', title: 'گروه ما', items: [{ name: 'نام و نام خانوادگی', role: 'سمت' }] },
    en: { anchor: 'team', title: 'Our team', items: [{ name: 'First name Last name', role: 'Position' }] },
  },
  examples: ['items.name', 'items.role'],
  View(block, context) {
    const people = block.items.map((item, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: entries have no id and may repeat
      <li key={index}>
        {renderOptionalImage(
          { src: item.picture, alt: '', sizes: '(width < 44rem) 45vw, 22vw', className: 'portrait' },
          context,
        )}
        <h3>{renderText(item.name, context)}</h3>
        {item.role && <p className="note">{renderText(item.role, context)}</p>}
        {item.text && <p>{renderText(item.text, context)}</p>}
        {item.email && <a href={mailtoOf(item.email)}>{item.email}</a>}
        {renderLink(item, '', context)}
      </li>
    ))
    return renderSection(block, 'team', context, <ul className="people">{people}</ul>)
  },
})
