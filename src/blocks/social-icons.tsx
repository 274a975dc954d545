import { z } from 'zod'
import { linkUrl } from '../contract/url.ts'
import { className, defineBlock, shortText } from './define-block.ts'
import { icon, socialName } from './icons.tsx'
import { linkTo } from './links.ts'
import { orNothing, say } from './say.ts'

const item = z.strictObject({ icon: socialName, title: shortText, url: linkUrl })

export const socialIcons = defineBlock({
  type: 'social-icons',
  fields: { className, items: z.array(item).max(12) },
  labels: {
    nl: { name: 'Sociale media', fields: { className: 'Klassen', items: 'Profielen' } },
    fa: { name: 'شبکه‌های اجتماعی', fields: { className: 'کلاس‌ها', items: 'نمایه‌ها' } },
  },
  defaults: {
    nl: { className: '', items: [{ icon: 'linkedin', title: 'LinkedIn', url: 'https://www.linkedin.com/' }] },
    fa: { className: '', items: [{ icon: 'linkedin', title: 'LinkedIn', url: 'https://www.linkedin.com/' }] },
  },
  View(block, scene) {
    const items = block.items.map((item) => ({ ...item, address: linkTo(item.url, scene) }))
    return (
      <ul className={`social ${orNothing(block.className) ?? ''}`.trim()}>
        {items
          .filter(({ address }) => address !== undefined)
          .map((item) => (
            <li key={item.url}>
              <a
                href={item.address}
                target="_blank"
                rel="noopener"
                aria-label={`${say(item.title, scene)} (${scene.t('site.opensInNewTab')})`}
              >
                {icon(item.icon)}
              </a>
            </li>
          ))}
      </ul>
    )
  },
})
