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
    nl: {
      name: 'Kerncijfers',
      hint: 'Een paar grote getallen die overtuigen.',
      fields: { ...sectionLabels.nl, items: 'Cijfers' },
      nestedFields: { 'items.value': 'Getal', 'items.label': 'Wat het is', 'items.note': 'Toelichting' },
    },
    fa: {
      name: 'عددهای کلیدی',
      hint: 'چند عدد بزرگ که قانع می‌کنند.',
      fields: { ...sectionLabels.fa, items: 'عددها' },
      nestedFields: { 'items.value': 'عدد', 'items.label': 'چیست', 'items.note': 'یادداشت' },
    },
    en: {
      name: 'Key figures',
      hint: 'A few large numbers that convince.',
      fields: { ...sectionLabels.en, items: 'Figures' },
      nestedFields: { 'items.value': 'Number', 'items.label': 'What it is', 'items.note': 'Note' },
    },
  },
  defaults: {
    nl: { title: '', items: [{ value: '100', label: 'Wat u telt' }] },
    fa: { title: '', items: [{ value: '100', label: 'آنچه می‌شمارید' }] },
    en: { title: '', items: [{ value: '100', label: 'What you count' }] },
  },
  examples: ['items.label'],
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
