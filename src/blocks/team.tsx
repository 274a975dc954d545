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
    name: { nl: 'Team', fa: 'گروه ما', en: 'Team' },
    hint: {
      nl: 'De mensen achter uw bedrijf, met portret.',
      fa: 'آدم‌های پشت کسب‌وکار شما، با چهره.',
      en: 'The people behind your company, with a portrait.',
    },
    keywords: {
      nl: 'medewerkers collega’s personeel over ons',
      fa: 'کارکنان همکاران دربارهٔ ما',
      en: 'staff colleagues people about us',
    },
    fields: {
      ...sectionLabels,
      items: { nl: 'Mensen', fa: 'افراد', en: 'People' },
    },
    nestedFields: {
      'items.picture': { nl: 'Portret', fa: 'تصویر چهره', en: 'Portrait' },
      'items.name': { nl: 'Naam', fa: 'نام', en: 'Name' },
      'items.role': { nl: 'Functie', fa: 'سمت', en: 'Position' },
      'items.text': { nl: 'Korte tekst', fa: 'متن کوتاه', en: 'Short text' },
      'items.email': { nl: 'E-mailadres', fa: 'ایمیل', en: 'Email address' },
      'items.linkTitle': { nl: 'Tekst van de link', fa: 'متن پیوند', en: 'Text of the link' },
      'items.url': { nl: 'Link', fa: 'پیوند', en: 'Link' },
    },
  },
  defaults: {
    nl: { anchor: 'team', title: 'Ons team', items: [{ name: 'Voornaam Achternaam', role: 'Functie' }] },
    fa: { anchor: 'team', title: 'گروه ما', items: [{ name: 'نام و نام خانوادگی', role: 'سمت' }] },
    en: { anchor: 'team', title: 'Our team', items: [{ name: 'First name Last name', role: 'Position' }] },
  },
  sampleTextPaths: ['items.name', 'items.role'],
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
