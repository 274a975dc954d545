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
    nl: {
      name: 'Melding',
      hint: 'Een kort bericht over de hele breedte.',
      fields: { text: 'Tekst', tone: 'Toon', ...linkLabels.nl },
      choices: { 'tone.calm': 'Rustig', 'tone.important': 'Belangrijk' },
    },
    fa: {
      name: 'اعلان',
      hint: 'پیامی کوتاه در تمام پهنای صفحه.',
      fields: { text: 'متن', tone: 'لحن', ...linkLabels.fa },
      choices: { 'tone.calm': 'آرام', 'tone.important': 'مهم' },
    },
    en: {
      name: 'Notice',
      hint: 'A short message across the full width.',
      fields: { text: 'Text', tone: 'Tone', ...linkLabels.en },
      choices: { 'tone.calm': 'Calm', 'tone.important': 'Important' },
    },
  },
  defaults: {
    nl: { text: 'Schrijf hier uw bericht.' },
    fa: { text: 'پیام خود را اینجا بنویسید.' },
    en: { text: 'Write your message here.' },
  },
  examples: ['text'],
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
