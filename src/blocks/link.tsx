import { linkUrl } from '../contract/url.ts'
import { className, defineBlock, shortText } from './define-block.ts'
import { iconName, renderIcon } from './icons.tsx'
import { renderText, resolveLink } from './render-text.tsx'

export const link = defineBlock({
  type: 'link',
  group: 'text',
  fields: { title: shortText, url: linkUrl, className, icon: iconName.optional() },
  labels: {
    name: { nl: 'Knop', fa: 'دکمه', en: 'Button' },
    hint: {
      nl: 'Een knop of link naar een andere plek.',
      fa: 'دکمه یا پیوندی به جایی دیگر.',
      en: 'A button or link to another place.',
    },
    keywords: { nl: 'button', fa: 'لینک', en: 'link' },
    fields: {
      title: { nl: 'Tekst', fa: 'متن', en: 'Text' },
      url: { nl: 'Adres', fa: 'نشانی', en: 'Address' },
      className: { nl: 'Klassen', fa: 'کلاس‌ها', en: 'Classes' },
      icon: { nl: 'Icoon', fa: 'نماد', en: 'Icon' },
    },
  },
  defaults: {
    nl: { title: 'Neem contact op', url: '/#contact', className: 'button' },
    fa: { title: 'با ما تماس بگیرید', url: '/#contact', className: 'button' },
    en: { title: 'Contact us', url: '/#contact', className: 'button' },
  },
  View(block, context) {
    return (
      <a href={resolveLink(block.url, context)} className={`link ${block.className}`.trim()}>
        {block.icon && renderIcon(block.icon)}
        {renderText(block.title, context)}
      </a>
    )
  },
})
