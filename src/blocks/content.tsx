import { z } from 'zod'
import { className, defineBlock, richText } from './define-block.ts'
import { rawHtml, renderHtml, undefinedIfEmpty } from './render-text.tsx'

export const content = defineBlock({
  type: 'content',
  group: 'text',
  fields: { selector: z.enum(['h1', 'div', 'p']).default('div'), className, content: richText },
  labels: {
    name: { nl: 'Tekst', fa: 'متن', en: 'Text' },
    hint: {
      nl: 'Een stukje tekst: ook in kolommen en in de kop en de voet.',
      fa: 'تکه‌ای متن: در ستون‌ها و در بالا و پایین سایت هم می‌آید.',
      en: 'A short text, also for columns, the header and the footer.',
    },
    fields: {
      selector: { nl: 'Element', fa: 'عنصر', en: 'Element' },
      className: { nl: 'Klassen', fa: 'کلاس‌ها', en: 'Classes' },
      content: { nl: 'Inhoud', fa: 'محتوا', en: 'Content' },
    },
    choices: {
      'selector.h1': { nl: 'Hoofdkop', fa: 'سرتیتر اصلی', en: 'Main heading' },
      'selector.div': { nl: 'Tekst met opmaak', fa: 'متن با قالب', en: 'Formatted text' },
      'selector.p': { nl: 'Alinea', fa: 'پاراگراف', en: 'Paragraph' },
    },
  },
  defaults: {
    nl: { selector: 'div', className: '', content: '<p>Schrijf hier uw tekst.</p>' },
    fa: { selector: 'div', className: '', content: '<p>متن خود را اینجا بنویسید.</p>' },
    en: { selector: 'div', className: '', content: '<p>Write your text here.</p>' },
  },
  sampleTextPaths: ['content'],
  View(block, context) {
    const Element = block.selector
    const html = renderHtml(Element === 'div' ? block.content : unwrapBlockElements(block.content), context)
    return rawHtml(Element, { className: undefinedIfEmpty(block.className) }, html)
  },
})

/** Removes the tags of HTML's block elements, which headings and paragraphs cannot contain, but not their content. */
function unwrapBlockElements(html: string): string {
  return html.replace(/<(?!\/?(?:strong|em|a|code|br)\b)[^>]*>/g, ' ').trim()
}
