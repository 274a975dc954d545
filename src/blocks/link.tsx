import { linkUrl } from '../contract/url.ts'
import { className, defineBlock, shortText } from './define-block.ts'
import { icon, iconName } from './icons.tsx'
import { linkTo } from './links.ts'
import { say } from './say.ts'

export const link = defineBlock({
  type: 'link',
  fields: { title: shortText, url: linkUrl, className, icon: iconName.optional() },
  labels: {
    nl: { name: 'Link', fields: { title: 'Tekst', url: 'Adres', className: 'Klassen', icon: 'Icoon' } },
    fa: { name: 'پیوند', fields: { title: 'متن', url: 'نشانی', className: 'کلاس‌ها', icon: 'نماد' } },
  },
  defaults: {
    nl: { title: 'Neem contact op', url: '/#contact', className: 'button' },
    fa: { title: 'با ما تماس بگیرید', url: '/#contact', className: 'button' },
  },
  View(block, scene) {
    return (
      <a href={linkTo(block.url, scene)} className={`link ${block.className}`.trim()}>
        {block.icon && icon(block.icon)}
        {say(block.title, scene)}
      </a>
    )
  },
})
