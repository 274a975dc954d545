import { z } from 'zod'
import { anchor, defineBlock, richText, shortText } from './define-block.ts'
import { rawHtml, renderHtml, renderText, sectionHead, undefinedIfEmpty } from './render-text.tsx'

const item = z.strictObject({ question: shortText, answer: richText })

export const faq = defineBlock({
  type: 'faq',
  group: 'lists',
  fullWidth: true,
  stylesheets: ['faq'],
  fields: { anchor, title: shortText, items: z.array(item).max(50) },
  labels: {
    nl: {
      name: 'Vragen',
      hint: 'Vragen die openklappen met hun antwoord.',
      fields: { anchor: 'Anker', title: 'Titel', items: 'Vragen en antwoorden' },
      nestedFields: { 'items.question': 'Vraag', 'items.answer': 'Antwoord' },
    },
    fa: {
      name: 'پرسش‌ها',
      hint: 'پرسش‌هایی که با پاسخشان باز می‌شوند.',
      fields: { anchor: 'لنگر', title: 'عنوان', items: 'پرسش‌ها و پاسخ‌ها' },
      nestedFields: { 'items.question': 'پرسش', 'items.answer': 'پاسخ' },
    },
    en: {
      name: 'Questions',
      hint: 'Questions that unfold to show their answer.',
      words: 'faq',
      fields: { anchor: 'Anchor', title: 'Title', items: 'Questions and answers' },
      nestedFields: { 'items.question': 'Question', 'items.answer': 'Answer' },
    },
  },
  defaults: {
    nl: {
      anchor: 'vragen',
      title: 'Veelgestelde vragen',
      items: [{ question: 'Hoelang duurt het?', answer: '<p>Twee weken.</p>' }],
    },
    fa: {
      anchor: 'vragen',
      title: 'پرسش‌های پرتکرار',
      items: [{ question: 'چقدر طول می‌کشد؟', answer: '<p>دو هفته.</p>' }],
    },
    en: {
      anchor: 'questions',
      title: 'Frequently asked questions',
      items: [{ question: 'How long does it take?', answer: '<p>Two weeks.</p>' }],
    },
  },
  examples: ['items.answer'],
  View(block, context) {
    return (
      <section className="faq" id={undefinedIfEmpty(block.anchor)}>
        <div className="wrap">
          {sectionHead(block.title, '', context)}
          <div className="questions">
            {block.items.map((item, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: questions have no id and may repeat
              <details key={index}>
                <summary>
                  <h3>{renderText(item.question, context)}</h3>
                </summary>
                {rawHtml('div', { className: 'answer' }, renderHtml(item.answer, context))}
              </details>
            ))}
          </div>
        </div>
      </section>
    )
  },
})
