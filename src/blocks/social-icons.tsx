import { z } from 'zod'
import { linkUrl } from '../contract/url.ts'
import { className, defineBlock, shortText } from './define-block.ts'
import { icon, socialName } from './icons.tsx'
import { renderText, resolveLink, undefinedIfEmpty } from './render-text.tsx'

const item = z.strictObject({ icon: socialName, title: shortText, url: linkUrl })

export const socialIcons = defineBlock({
  type: 'social-icons',
  group: 'contact',
  fields: { className, items: z.array(item).max(12) },
  labels: {
    nl: {
      name: 'Sociale media',
      hint: 'Tekens met links naar uw sociale media.',
      fields: { className: 'Klassen', items: 'Profielen' },
      nestedFields: { 'items.icon': 'Netwerk', 'items.title': 'Naam', 'items.url': 'Adres' },
      choices: {
        'items.icon.linkedin': 'LinkedIn',
        'items.icon.instagram': 'Instagram',
        'items.icon.facebook': 'Facebook',
        'items.icon.mastodon': 'Mastodon',
        'items.icon.github': 'GitHub',
      },
    },
    fa: {
      name: 'شبکه‌های اجتماعی',
      hint: 'نمادهایی با پیوند به شبکه‌های اجتماعی شما.',
      fields: { className: 'کلاس‌ها', items: 'نمایه‌ها' },
      nestedFields: { 'items.icon': 'شبکه', 'items.title': 'نام', 'items.url': 'نشانی' },
      choices: {
        'items.icon.linkedin': 'لینکدین',
        'items.icon.instagram': 'اینستاگرام',
        'items.icon.facebook': 'فیسبوک',
        'items.icon.mastodon': 'ماستودون',
        'items.icon.github': 'گیت‌هاب',
      },
    },
    en: {
      name: 'Social media',
      hint: 'Icons with links to your social media.',
      fields: { className: 'Classes', items: 'Profiles' },
      nestedFields: { 'items.icon': 'Network', 'items.title': 'Name', 'items.url': 'Address' },
      choices: {
        'items.icon.linkedin': 'LinkedIn',
        'items.icon.instagram': 'Instagram',
        'items.icon.facebook': 'Facebook',
        'items.icon.mastodon': 'Mastodon',
        'items.icon.github': 'GitHub',
      },
    },
  },
  defaults: {
    nl: { className: '', items: [{ icon: 'linkedin', title: 'LinkedIn', url: 'https://www.linkedin.com/' }] },
    fa: { className: '', items: [{ icon: 'linkedin', title: 'LinkedIn', url: 'https://www.linkedin.com/' }] },
    en: { className: '', items: [{ icon: 'linkedin', title: 'LinkedIn', url: 'https://www.linkedin.com/' }] },
  },
  View(block, context) {
    const items = block.items.map((item) => ({ ...item, address: resolveLink(item.url, context) }))
    return (
      <ul className={`social ${undefinedIfEmpty(block.className) ?? ''}`.trim()}>
        {items
          .filter(({ address }) => address !== undefined)
          .map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: entries have no id and may repeat
            <li key={index}>
              <a
                href={item.address}
                target="_blank"
                rel="noopener"
                aria-label={`${renderText(item.title, context)} (${context.t('site.opensInNewTab')})`}
              >
                {icon(item.icon)}
              </a>
            </li>
          ))}
      </ul>
    )
  },
})
