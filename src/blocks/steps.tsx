import { z } from 'zod'
import { localizeDigits } from '../contract/locales.ts'
import { defineBlock, longText, sectionFields, sectionLabels, shortText } from './define-block.ts'
import { renderSection, renderText } from './render-text.tsx'

const item = z.strictObject({ title: shortText, text: longText.default(''), when: shortText.default('') })

export const steps = defineBlock({
  type: 'steps',
  group: 'lists',
  fullWidth: true,
  stylesheets: ['section', 'steps'],
  fields: { ...sectionFields, items: z.array(item).max(12) },
  labels: {
    nl: {
      name: 'Stappen',
      hint: 'Hoe u werkt, stap voor stap, met datum of duur.',
      fields: { ...sectionLabels.nl, items: 'Stappen' },
      nestedFields: { 'items.title': 'Titel', 'items.text': 'Tekst', 'items.when': 'Wanneer of hoelang' },
    },
    fa: {
      name: 'گام‌ها',
      hint: 'شیوهٔ کار شما، گام‌به‌گام، با تاریخ یا مدت.',
      fields: { ...sectionLabels.fa, items: 'گام‌ها' },
      nestedFields: { 'items.title': 'عنوان', 'items.text': 'متن', 'items.when': 'زمان یا مدت' },
    },
    en: {
      name: 'Steps',
      hint: 'How you work, step by step, with a date or duration.',
      fields: { ...sectionLabels.en, items: 'Steps' },
      nestedFields: { 'items.title': 'Title', 'items.text': 'Text', 'items.when': 'When or how long' },
    },
  },
  defaults: {
    nl: {
      title: 'Zo werken wij',
      items: ['Kennismaken', 'Ontwerpen', 'Online'].map((title) => ({ title, text: 'Wat er dan gebeurt.' })),
    },
    fa: {
      title: 'شیوهٔ کار ما',
      items: ['آشنایی', 'طراحی', 'انتشار'].map((title) => ({ title, text: 'آنچه در این گام رخ می‌دهد.' })),
    },
    en: {
      title: 'How we work',
      items: ['Meet', 'Design', 'Online'].map((title) => ({ title, text: 'What happens then.' })),
    },
  },
  examples: ['items.text'],
  View(block, context) {
    const stages = block.items.map((item, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: entries have no id and may repeat
      <li key={index}>
        <h3>{renderText(item.title, context)}</h3>
        {item.text && <p>{renderText(item.text, context)}</p>}
        {item.when && <p className="when">{localizeDigits(context.contentLocale, renderText(item.when, context))}</p>}
      </li>
    ))
    return renderSection(block, 'steps', context, <ol className="stages">{stages}</ol>)
  },
})
