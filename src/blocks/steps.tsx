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
    name: { nl: 'Stappen', fa: 'گام‌ها', en: 'Steps' },
    hint: {
      nl: 'Hoe u werkt, stap voor stap, met datum of duur.',
      fa: 'شیوهٔ کار شما، گام‌به‌گام، با تاریخ یا مدت.',
      en: 'How you work, step by step, with a date or duration.',
    },
    fields: {
      ...sectionLabels,
      items: { nl: 'Stappen', fa: 'گام‌ها', en: 'Steps' },
    },
    nestedFields: {
      'items.title': { nl: 'Titel', fa: 'عنوان', en: 'Title' },
      'items.text': { nl: 'Tekst', fa: 'متن', en: 'Text' },
      'items.when': { nl: 'Wanneer of hoelang', fa: 'زمان یا مدت', en: 'When or how long' },
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
  sampleTextPaths: ['items.text'],
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
