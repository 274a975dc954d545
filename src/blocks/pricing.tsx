import { defineBlock, longText, sectionFields, sectionLabels, shortText } from './define-block.ts'
import { offerItem } from './offer.tsx'
import { renderText, sectionHead, undefinedIfEmpty } from './render-text.tsx'

export const pricing = defineBlock({
  type: 'pricing',
  group: 'offer',
  fullWidth: true,
  settings: 'offer',
  stylesheets: ['pricing'],
  fields: { ...sectionFields, note: longText.default(''), button: shortText.optional() },
  labels: {
    nl: {
      name: 'Prijzen',
      hint: 'De eenmalige prijzen uit de instellingen.',
      fields: { ...sectionLabels.nl, note: 'Toelichting', button: 'Knop bij elk aanbod' },
    },
    fa: {
      name: 'تعرفه‌ها',
      hint: 'تعرفه‌های یک‌باره از تنظیمات.',
      fields: { ...sectionLabels.fa, note: 'یادداشت', button: 'دکمهٔ هر پیشنهاد' },
    },
    en: {
      name: 'Prices',
      hint: 'The one-off prices from the settings.',
      fields: { ...sectionLabels.en, note: 'Note', button: 'Button at each offer' },
    },
  },
  defaults: {
    nl: { anchor: 'prijzen', title: 'Prijzen' },
    fa: { anchor: 'prijzen', title: 'تعرفه‌ها' },
    en: { anchor: 'prices', title: 'Prices' },
  },
  View(block, context) {
    return (
      <section className="pricing" id={undefinedIfEmpty(block.anchor)}>
        <div className="wrap">
          {sectionHead(block.title, block.intro, context)}
          <ul className="ledger">{context.site.offer.prices.map((item) => offerItem(item, block.button, context))}</ul>
          {block.note && <p className="note">{renderText(block.note, context)}</p>}
        </div>
      </section>
    )
  },
})
