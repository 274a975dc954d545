import { z } from 'zod'
import { defineBlock, linkFields, linkLabels, longText } from './define-block.ts'
import { renderLink, renderText } from './render-text.tsx'

export const banner = defineBlock({
  type: 'banner',
  group: 'opening',
  fullWidth: true,
  stylesheets: ['banner'],
  fields: { text: longText, tone: z.enum(['calm', 'important']).default('calm'), ...linkFields },
  labels: {
    name: { nl: 'Melding', fa: 'اعلان', en: 'Notice' },
    hint: {
      nl: 'Een kort bericht over de hele breedte.',
      fa: 'پیامی کوتاه در تمام پهنای صفحه.',
      en: 'A short message across the full width.',
    },
    fields: {
      text: { nl: 'Tekst', fa: 'متن', en: 'Text' },
      tone: { nl: 'Toon', fa: 'لحن', en: 'Tone' },
      ...linkLabels,
    },
    choices: {
      'tone.calm': { nl: 'Rustig', fa: 'آرام', en: 'Calm' },
      'tone.important': { nl: 'Belangrijk', fa: 'مهم', en: 'Important' },
    },
  },
  defaults: {
    nl: { text: 'Schrijf hier uw bericht.' },
    fa: { text: 'پیام خود را اینجا بنویسید.' },
    en: { text: 'Write your message here.' },
  },
  sampleTextPaths: ['text'],
  View(block, context) {
    return (
      <div className={`banner ${block.tone}`} role="note">
        <div className="wrap">
          <p>{renderText(block.text, context)}</p>
          {renderLink(block, '', context)}
        </div>
      </div>
    )
  },
})
