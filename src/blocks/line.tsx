import { className, defineBlock } from './define-block.ts'

export const line = defineBlock({
  type: 'line',
  group: 'text',
  fields: { className },
  labels: {
    name: { nl: 'Lijn', fa: 'خط', en: 'Line' },
    hint: {
      nl: 'Een dunne streep tussen twee stukken.',
      fa: 'خطی نازک میان دو بخش.',
      en: 'A thin line between two parts.',
    },
    fields: { className: { nl: 'Klassen', fa: 'کلاس‌ها', en: 'Classes' } },
  },
  defaults: { nl: { className: '' }, fa: { className: '' }, en: { className: '' } },
  View: (block) => <hr className={`line ${block.className}`.trim()} />,
})
