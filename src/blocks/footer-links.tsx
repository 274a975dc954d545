import { z } from 'zod'
import { linkUrl } from '../contract/url.ts'
import { defineBlock, shortText } from './define-block.ts'
import { renderText, resolveLink } from './render-text.tsx'

const item = z.strictObject({ title: shortText, url: linkUrl, target: z.enum(['_blank']).optional() })

export const footerLinks = defineBlock({
  type: 'footer-links',
  group: 'site',
  fields: { copyright: shortText, items: z.array(item).max(12) },
  labels: {
    nl: {
      name: 'Voetregel',
      hint: 'Regel onderaan de site: teken, links en eigenaar.',
      fields: { copyright: 'Copyright', items: 'Links' },
      nestedFields: { 'items.title': 'Tekst', 'items.url': 'Adres', 'items.target': 'Openen' },
      choices: { 'items.target._blank': 'In een nieuw tabblad' },
    },
    fa: {
      name: 'سطر پایانی',
      hint: 'سطر پایین سایت: نشان، پیوندها و صاحب سایت.',
      fields: { copyright: 'حق نشر', items: 'پیوندها' },
      nestedFields: { 'items.title': 'متن', 'items.url': 'نشانی', 'items.target': 'باز شدن' },
      choices: { 'items.target._blank': 'در زبانهٔ تازه' },
    },
    en: {
      name: 'Footer line',
      hint: 'The line at the bottom of the site: copyright, links and owner.',
      fields: { copyright: 'Copyright', items: 'Links' },
      nestedFields: { 'items.title': 'Text', 'items.url': 'Address', 'items.target': 'Open' },
      choices: { 'items.target._blank': 'In a new tab' },
    },
  },
  defaults: {
    nl: { copyright: '© [year] [legal.name]', items: [{ title: 'Privacyverklaring', url: '/privacy-verklaring' }] },
    fa: { copyright: '© [year] [legal.name]', items: [{ title: 'بیانیهٔ حریم خصوصی', url: '/privacy-verklaring' }] },
    en: { copyright: '© [year] [legal.name]', items: [{ title: 'Privacy statement', url: '/privacy-verklaring' }] },
  },
  View(block, context) {
    const items = block.items.map((item) => ({ ...item, address: resolveLink(item.url, context) }))
    return (
      <div className="footer-links">
        <p>{renderText(block.copyright, context)}</p>
        <ul>
          {items
            .filter(({ address }) => address !== undefined)
            .map((item, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: entries have no id and may repeat
              <li key={index}>
                {item.target ? (
                  <a href={item.address} target="_blank" rel="noopener">
                    {renderText(item.title, context)}
                    <span className="visually-hidden"> ({context.t('site.opensInNewTab')})</span>
                  </a>
                ) : (
                  <a href={item.address}>{renderText(item.title, context)}</a>
                )}
              </li>
            ))}
        </ul>
      </div>
    )
  },
})
