import { z } from 'zod'
import { linkUrl } from '../contract/url.ts'
import { defineBlock, shortText } from './define-block.ts'
import { linkTo } from './links.ts'
import { say } from './say.ts'

const item = z.strictObject({ title: shortText, url: linkUrl, target: z.enum(['_blank']).optional() })

export const footerLinks = defineBlock({
  type: 'footer-links',
  fields: { copyright: shortText, items: z.array(item).max(12) },
  labels: {
    nl: {
      name: 'Voetregel',
      fields: { copyright: 'Copyright', items: 'Links' },
      parts: { 'items.title': 'Tekst', 'items.url': 'Adres', 'items.target': 'Openen' },
      choices: { 'items.target._blank': 'In een nieuw tabblad' },
    },
    fa: {
      name: 'سطر پایانی',
      fields: { copyright: 'حق نشر', items: 'پیوندها' },
      parts: { 'items.title': 'متن', 'items.url': 'نشانی', 'items.target': 'باز شدن' },
      choices: { 'items.target._blank': 'در زبانهٔ تازه' },
    },
  },
  defaults: {
    nl: { copyright: '© [year] [legal.name]', items: [{ title: 'Privacyverklaring', url: '/privacy-verklaring' }] },
    fa: { copyright: '© [year] [legal.name]', items: [{ title: 'بیانیهٔ حریم خصوصی', url: '/privacy-verklaring' }] },
  },
  View(block, scene) {
    const items = block.items.map((item) => ({ ...item, address: linkTo(item.url, scene) }))
    return (
      <div className="footer-links">
        <p>{say(block.copyright, scene)}</p>
        <ul>
          {items
            .filter(({ address }) => address !== undefined)
            .map((item, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: what it says changes while somebody types, and may stand in it twice
              <li key={index}>
                {item.target ? (
                  <a href={item.address} target="_blank" rel="noopener">
                    {say(item.title, scene)}
                    <span className="unseen"> ({scene.t('site.opensInNewTab')})</span>
                  </a>
                ) : (
                  <a href={item.address}>{say(item.title, scene)}</a>
                )}
              </li>
            ))}
        </ul>
      </div>
    )
  },
})
