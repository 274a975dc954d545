import { className, defineBlock } from './define-block.ts'

export const line = defineBlock({
  type: 'line',
  group: 'text',
  fields: { className },
  labels: {
    nl: { name: 'Lijn', hint: 'Een dunne streep tussen twee stukken.', fields: { className: 'Klassen' } },
    fa: { name: 'خط', hint: 'خطی نازک میان دو بخش.', fields: { className: 'کلاس‌ها' } },
  },
  defaults: { nl: { className: '' }, fa: { className: '' } },
  View: (block) => <hr className={`line ${block.className}`.trim()} />,
})
