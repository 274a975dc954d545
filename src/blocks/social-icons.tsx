import { z } from 'zod'
import { linkUrl } from '../contract/url.ts'
import { className, defineBlock, shortText } from './define-block.ts'
import { renderIcon, socialName } from './icons.tsx'
import { renderText, resolveLink, undefinedIfEmpty } from './render-text.tsx'

const item = z.strictObject({ icon: socialName, title: shortText, url: linkUrl })

export const socialIcons = defineBlock({
  type: 'social-icons',
  group: 'contact',
  fields: { className, items: z.array(item).max(12) },
  labels: {
    name: { nl: 'Sociale media', fa: 'شبکه‌های اجتماعی', en: 'Social media' },
    hint: {
      nl: 'Tekens met links naar uw sociale media.',
      fa: 'نمادهایی با پیوند به شبکه‌های اجتماعی شما.',
      en: 'Icons with links to your social media.',
    },
    fields: {
      className: { nl: 'Klassen', fa: 'کلاس‌ها', en: 'Classes' },
      items: { nl: 'Profielen', fa: 'نمایه‌ها', en: 'Profiles' },
    },
    nestedFields: {
      'items.icon': { nl: 'Netwerk', fa: 'شبکه', en: 'Network' },
      'items.title': { nl: 'Naam', fa: 'نام', en: 'Name' },
      'items.url': { nl: 'Adres', fa: 'نشانی', en: 'Address' },
    },
    choices: {
      'items.icon.linkedin': { nl: 'LinkedIn', fa: 'لینکدین', en: 'LinkedIn' },
      'items.icon.instagram': { nl: 'Instagram', fa: 'اینستاگرام', en: 'Instagram' },
      'items.icon.facebook': { nl: 'Facebook', fa: 'فیسبوک', en: 'Facebook' },
      'items.icon.mastodon': { nl: 'Mastodon', fa: 'ماستودون', en: 'Mastodon' },
      'items.icon.github': { nl: 'GitHub', fa: 'گیت‌هاب', en: 'GitHub' },
    },
  },
  defaults: {
    nl: { className: '', items: [{ icon: 'linkedin', title: 'LinkedIn', url: 'https://www.linkedin.com/' }] },
    fa: { className: '', items: [{ icon: 'linkedin', title: 'LinkedIn', url: 'https://www.linkedin.com/' }] },
    en: { className: '', items: [{ icon: 'linkedin', title: 'LinkedIn', url: 'https://www.linkedin.com/' }] },
  },
  View(block, context) {
    const items = block.items.map((item) => ({ ...item, href: resolveLink(item.url, context) }))
    return (
      <ul className={`social ${undefinedIfEmpty(block.className) ?? ''}`.trim()}>
        {items
          .filter(({ href }) => href !== undefined)
          .map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: entries have no id and may repeat
            <li key={index}>
              <a
                href={item.href}
                target="_blank"
                rel="noopener"
                aria-label={`${renderText(item.title, context)} (${context.t('site.opensInNewTab')})`}
              >
                {renderIcon(item.icon)}
              </a>
            </li>
          ))}
      </ul>
    )
  },
})
