import { className, defineBlock } from './define-block.ts'

export const line = defineBlock({
  type: 'line',
  fields: { className },
  labels: {
    nl: { name: 'Lijn', fields: { className: 'Klassen' } },
    fa: { name: 'خط', fields: { className: 'کلاس‌ها' } },
  },
  defaults: { nl: { className: '' }, fa: { className: '' } },
  View: (block) => <hr className={`line ${block.className}`.trim()} />,
})
