import { z } from 'zod'
import { anchor, defineBlock, richText, shortText } from './define-block.ts'
import { sectionHead } from './heading.tsx'
import { rawHtml } from './raw-html.ts'
import { orNothing, richHtml, say } from './say.ts'

const item = z.strictObject({ question: shortText, answer: richText })

export const faq = defineBlock({
  type: 'faq',
  band: true,
  sheets: ['questions'],
  fields: { anchor, title: shortText, items: z.array(item).max(50) },
  labels: {
    nl: {
      name: 'Vragen',
      fields: { anchor: 'Anker', title: 'Titel', items: 'Vragen en antwoorden' },
      parts: { 'items.question': 'Vraag', 'items.answer': 'Antwoord' },
    },
    fa: {
      name: 'پرسش‌ها',
      fields: { anchor: 'لنگر', title: 'عنوان', items: 'پرسش‌ها و پاسخ‌ها' },
      parts: { 'items.question': 'پرسش', 'items.answer': 'پاسخ' },
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
  },
  examples: ['items.answer'],
  View(block, scene) {
    return (
      <section className="faq" id={orNothing(block.anchor)}>
        <div className="wrap">
          {sectionHead(block.title, '', scene)}
          <div className="questions">
            {block.items.map((item, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: what it says changes while somebody types, and may stand in it twice
              <details key={index}>
                <summary>
                  <h3>{say(item.question, scene)}</h3>
                </summary>
                {rawHtml('div', { className: 'answer' }, richHtml(item.answer, scene))}
              </details>
            ))}
          </div>
        </div>
      </section>
    )
  },
})
