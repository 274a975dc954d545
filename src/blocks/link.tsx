import { linkUrl } from '../contract/url.ts'
import { className, defineBlock, shortText } from './define-block.ts'
import { icon, iconName } from './icons.tsx'
import { renderText, resolveLink } from './render-text.tsx'

export const link = defineBlock({
  type: 'link',
  group: 'text',
  fields: { title: shortText, url: linkUrl, className, icon: iconName.optional() },
  labels: {
    nl: {
      name: 'Knop',
      hint: 'Een knop of link naar een andere plek.',
      words: 'button',
      fields: { title: 'Tekst', url: 'Adres', className: 'Klassen', icon: 'Icoon' },
    },
    fa: {
      name: 'دکمه',
      hint: 'دکمه یا پیوندی به جایی دیگر.',
      words: 'لینک',
      fields: { title: 'متن', url: 'نشانی', className: 'کلاس‌ها', icon: 'نماد' },
    },
    en: {
      name: 'Button',
      hint: 'A button or link to another place.',
      words: 'link',
      fields: { title: 'Text', url: 'Address', className: 'Classes', icon: 'Icon' },
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
        {block.icon && icon(block.icon)}
        {renderText(block.title, context)}
      </a>
    )
  },
})
