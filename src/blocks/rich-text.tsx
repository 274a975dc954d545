import { anchor, defineBlock, richText as richTextField } from './define-block.ts'
import { rawHtml, renderHtml, undefinedIfEmpty } from './render-text.tsx'

export const richText = defineBlock({
  type: 'rich-text',
  group: 'text',
  fullWidth: true,
  fields: { anchor, content: richTextField },
  labels: {
    nl: {
      name: 'Lopende tekst',
      hint: 'Een heel stuk van de pagina: koppen, alinea’s, lijsten en tabellen.',
      fields: { anchor: 'Anker', content: 'Inhoud' },
    },
    fa: {
      name: 'متن پیوسته',
      hint: 'بخشی کامل از صفحه: سرتیتر، پاراگراف، فهرست و جدول.',
      fields: { anchor: 'لنگر', content: 'محتوا' },
    },
    en: {
      name: 'Long text',
      hint: 'A whole part of the page: headings, paragraphs, lists and tables.',
      fields: { anchor: 'Anchor', content: 'Content' },
    },
  },
  defaults: {
    nl: { anchor: '', content: '<h2>Kop</h2><p>Schrijf hier uw tekst.</p>' },
    fa: { anchor: '', content: '<h2>سرتیتر</h2><p>متن خود را اینجا بنویسید.</p>' },
    en: { anchor: '', content: '<h2>Heading</h2><p>Write your text here.</p>' },
  },
  examples: ['content'],
  View(block, context) {
    return (
      <div className="wrap" id={undefinedIfEmpty(block.anchor)}>
        {rawHtml('div', { className: 'prose' }, renderHtml(block.content, context))}
      </div>
    )
  },
})
