import { className, defineBlock } from './define-block.ts'

export const line = defineBlock({
  type: 'line',
  group: 'text',
  fields: { className },
  labels: {
    nl: { name: 'Lijn', hint: 'Een dunne streep tussen twee stukken.', fields: { className: 'Klassen' } },
    fa: { name: 'خط', hint: 'خطی نازک میان دو بخش.', fields: { className: 'کلاس‌ها' } },
    en: { name: 'Line', hint: 'A thin line between two parts.', fields: { className: 'Classes' } },
  },
  defaults: { nl: { className: '' }, fa: { className: '' }, en: { className: '' } },
  View: (block) => <hr className={`line ${block.className}`.trim()} />,
})
