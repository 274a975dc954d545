import { z } from 'zod'
import { className, defineBlock, richText } from './define-block.ts'
import { rawHtml, renderHtml, undefinedIfEmpty } from './render-text.tsx'

export const content = defineBlock({
  type: 'content',
  group: 'text',
  fields: { selector: z.enum(['h1', 'div', 'p']).default('div'), className, content: richText },
  labels: {
    nl: {
      name: 'Tekst',
      hint: 'Een stukje tekst: ook in kolommen en in de kop en de voet.',
      fields: { selector: 'Element', className: 'Klassen', content: 'Inhoud' },
      choices: { 'selector.h1': 'Hoofdkop', 'selector.div': 'Tekst met opmaak', 'selector.p': 'Alinea' },
    },
    fa: {
      name: 'متن',
      hint: 'تکه‌ای متن: در ستون‌ها و در بالا و پایین سایت هم می‌آید.',
      fields: { selector: 'عنصر', className: 'کلاس‌ها', content: 'محتوا' },
      choices: { 'selector.h1': 'سرتیتر اصلی', 'selector.div': 'متن با قالب', 'selector.p': 'پاراگراف' },
    },
    en: {
      name: 'Text',
      hint: 'A short text, also for columns, the header and the footer.',
      fields: { selector: 'Element', className: 'Classes', content: 'Content' },
      choices: { 'selector.h1': 'Main heading', 'selector.div': 'Formatted text', 'selector.p': 'Paragraph' },
    },
  },
  defaults: {
    nl: { selector: 'div', className: '', content: '<p>Schrijf hier uw tekst.</p>' },
    fa: { selector: 'div', className: '', content: '<p>متن خود را اینجا بنویسید.</p>' },
    en: { selector: 'div', className: '', content: '<p>Write your text here.</p>' },
  },
  examples: ['content'],
  View(block, context) {
    const Element = block.selector
    const html = renderHtml(Element === 'div' ? block.content : inline(block.content), context)
    return rawHtml(Element, { className: undefinedIfEmpty(block.className) }, html)
  },
})

/** Unwraps block elements, which headings and paragraphs cannot contain. */
function inline(html: string): string {
  return html.replace(/<(?!\/?(?:strong|em|a|code|br)\b)[^>]*>/g, ' ').trim()
}
