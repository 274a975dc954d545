import { anchor, defineBlock, richText as richTextField } from './define-block.ts'
import { rawHtml, renderHtml, undefinedIfEmpty } from './render-text.tsx'

export const richText = defineBlock({
  type: 'rich-text',
  group: 'text',
  fullWidth: true,
  fields: { anchor, content: richTextField },
  labels: {
    name: { nl: 'Lopende tekst', fa: 'متن پیوسته', en: 'Long text' },
    hint: {
      nl: 'Een heel stuk van de pagina: koppen, alinea’s, lijsten en tabellen.',
      fa: 'بخشی کامل از صفحه: سرتیتر، پاراگراف، فهرست و جدول.',
      en: 'A whole part of the page: headings, paragraphs, lists and tables.',
    },
    fields: {
      anchor: { nl: 'Anker', fa: 'لنگر', en: 'Anchor' },
      content: { nl: 'Inhoud', fa: 'محتوا', en: 'Content' },
    },
  },
  defaults: {
    nl: { anchor: '', content: '<h2>Kop</h2><p>Schrijf hier uw tekst.</p>' },
    fa: { anchor: '', content: '<h2>سرتیتر</h2><p>متن خود را اینجا بنویسید.</p>' },
    en: { anchor: '', content: '<h2>Heading</h2><p>Write your text here.</p>' },
  },
  sampleTextPaths: ['content'],
  View(block, context) {
    return (
      <div className="wrap" id={undefinedIfEmpty(block.anchor)}>
        {rawHtml('div', { className: 'prose' }, renderHtml(block.content, context))}
      </div>
    )
  },
})
