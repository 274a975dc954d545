import { z } from 'zod'
import { anchor, defineBlock, richText, shortText } from './define-block.ts'
import { rawHtml, renderHtml, renderSectionHead, renderText, undefinedIfEmpty } from './render-text.tsx'

const item = z.strictObject({ question: shortText, answer: richText })

export const faq = defineBlock({
  type: 'faq',
  group: 'lists',
  fullWidth: true,
  stylesheets: ['faq'],
  fields: { anchor, title: shortText, items: z.array(item).max(50) },
  labels: {
    name: { nl: 'Vragen', fa: 'پرسش‌ها', en: 'Questions' },
    hint: {
      nl: 'Vragen die openklappen met hun antwoord.',
      fa: 'پرسش‌هایی که با پاسخشان باز می‌شوند.',
      en: 'Questions that unfold to show their answer.',
    },
    fields: {
      anchor: { nl: 'Anker', fa: 'لنگر', en: 'Anchor' },
      title: { nl: 'Titel', fa: 'عنوان', en: 'Title' },
      items: { nl: 'Vragen en antwoorden', fa: 'پرسش‌ها و پاسخ‌ها', en: 'Questions and answers' },
    },
    nestedFields: {
      'items.question': { nl: 'Vraag', fa: 'پرسش', en: 'Question' },
      'items.answer': { nl: 'Antwoord', fa: 'پاسخ', en: 'Answer' },
    },
    keywords: { en: 'faq' },
  },
  defaults: {
    nl: {
      anchor: 'vragen',
      title: 'Veelgestelde vragen',
      items: [{ question: 'Hoelang duurt het?', answer: '<p>Schrijf hier hoelang het duurt.</p>' }],
    },
    fa: {
      anchor: 'vragen',
      title: 'پرسش‌های پرتکرار',
      items: [{ question: 'چقدر طول می‌کشد؟', answer: '<p>اینجا بنویسید چقدر طول می‌کشد.</p>' }],
    },
    en: {
      anchor: 'questions',
      title: 'Frequently asked questions',
      items: [{ question: 'How long does it take?', answer: '<p>Write here how long it takes.</p>' }],
    },
  },
  sampleTextPaths: ['items.answer'],
  View(block, context) {
    return (
      <section className="faq" id={undefinedIfEmpty(block.anchor)}>
        <div className="wrap">
          {renderSectionHead(block.title, '', context)}
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
