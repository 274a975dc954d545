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
    name: { nl: 'Voetregel', fa: 'سطر پایانی', en: 'Footer line' },
    hint: {
      nl: 'Regel onderaan de site: copyright, links en eigenaar.',
      fa: 'سطر پایین سایت: حق نشر، پیوندها و صاحب سایت.',
      en: 'The line at the bottom of the site: copyright, links and owner.',
    },
    fields: {
      copyright: { nl: 'Copyright', fa: 'حق نشر', en: 'Copyright' },
      items: { nl: 'Links', fa: 'پیوندها', en: 'Links' },
    },
    nestedFields: {
      'items.title': { nl: 'Tekst', fa: 'متن', en: 'Text' },
      'items.url': { nl: 'Adres', fa: 'نشانی', en: 'Address' },
      'items.target': { nl: 'Openen', fa: 'باز شدن', en: 'Open' },
    },
    choices: { 'items.target._blank': { nl: 'In een nieuw tabblad', fa: 'در زبانهٔ تازه', en: 'In a new tab' } },
  },
  defaults: {
    nl: { copyright: '© [year] [legal.name]', items: [{ title: 'Privacyverklaring', url: '/privacy-verklaring' }] },
    fa: { copyright: '© [year] [legal.name]', items: [{ title: 'بیانیهٔ حریم خصوصی', url: '/privacy-verklaring' }] },
    en: { copyright: '© [year] [legal.name]', items: [{ title: 'Privacy statement', url: '/privacy-verklaring' }] },
  },
  View(block, context) {
    const items = block.items.map((item) => ({ ...item, href: resolveLink(item.url, context) }))
    return (
      <div className="footer-links">
        <p>{renderText(block.copyright, context)}</p>
        <ul>
          {items
            .filter(({ href }) => href !== undefined)
            .map((item, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: entries have no id and may repeat
              <li key={index}>
                {item.target ? (
                  <a href={item.href} target="_blank" rel="noopener">
                    {renderText(item.title, context)}
                    <span className="visually-hidden"> ({context.t('site.opensInNewTab')})</span>
                  </a>
                ) : (
                  <a href={item.href}>{renderText(item.title, context)}</a>
                )}
              </li>
            ))}
        </ul>
      </div>
    )
  },
})
