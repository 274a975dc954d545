import { z } from 'zod'
import { localizeDigits } from '../contract/locales.ts'
import { defineBlock, sectionFields, sectionLabels, shortText } from './define-block.ts'
import { renderSection, renderText } from './render-text.tsx'

const item = z.strictObject({ value: shortText, label: shortText, note: shortText.default('') })

export const figures = defineBlock({
  type: 'figures',
  group: 'proof',
  fullWidth: true,
  stylesheets: ['section', 'figures'],
  fields: { ...sectionFields, items: z.array(item).max(8) },
  labels: {
    name: { nl: 'Kerncijfers', fa: 'عددهای کلیدی', en: 'Key figures' },
    hint: {
      nl: 'Een paar grote getallen die overtuigen.',
      fa: 'چند عدد بزرگ که قانع می‌کنند.',
      en: 'A few large numbers that convince.',
    },
    fields: {
      ...sectionLabels,
      items: { nl: 'Cijfers', fa: 'عددها', en: 'Figures' },
    },
    nestedFields: {
      'items.value': { nl: 'Getal', fa: 'عدد', en: 'Number' },
      'items.label': { nl: 'Wat het is', fa: 'چیست', en: 'What it is' },
      'items.note': { nl: 'Toelichting', fa: 'یادداشت', en: 'Note' },
    },
  },
  defaults: {
    nl: { title: '', items: [{ value: '100', label: 'Wat u telt' }] },
    fa: { title: '', items: [{ value: '100', label: 'آنچه می‌شمارید' }] },
    en: { title: '', items: [{ value: '100', label: 'What you count' }] },
  },
  sampleTextPaths: ['items.label'],
  View(block, context) {
    const { contentLocale } = context
    const numbers = block.items.map((item, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: entries have no id and may repeat
      <div key={index}>
        <dt>{renderText(item.label, context)}</dt>
        <dd>
          <strong>{localizeDigits(contentLocale, renderText(item.value, context))}</strong>
          {item.note && <span className="note">{renderText(item.note, context)}</span>}
        </dd>
      </div>
    ))
    return renderSection(block, 'figures deep', context, <dl className="numbers">{numbers}</dl>)
  },
})
