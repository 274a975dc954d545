import { defineBlock, longText, sectionFields, sectionLabels, shortText } from './define-block.ts'
import { offerItem } from './offer.tsx'
import { renderText, sectionHead, undefinedIfEmpty } from './render-text.tsx'

export const subscriptions = defineBlock({
  type: 'subscriptions',
  group: 'offer',
  fullWidth: true,
  settings: 'offer',
  stylesheets: ['pricing'],
  fields: { ...sectionFields, note: longText.default(''), button: shortText.optional() },
  labels: {
    nl: {
      name: 'Abonnementen',
      hint: 'De abonnementen uit de instellingen.',
      fields: { ...sectionLabels.nl, note: 'Toelichting', button: 'Knop bij elk aanbod' },
    },
    fa: {
      name: 'اشتراک‌ها',
      hint: 'اشتراک‌ها از تنظیمات.',
      fields: { ...sectionLabels.fa, note: 'یادداشت', button: 'دکمهٔ هر پیشنهاد' },
    },
    en: {
      name: 'Subscriptions',
      hint: 'The subscriptions from the settings.',
      fields: { ...sectionLabels.en, note: 'Note', button: 'Button at each offer' },
    },
  },
  defaults: {
    nl: { anchor: 'abonnementen', title: 'Abonnementen' },
    fa: { anchor: 'abonnementen', title: 'اشتراک‌ها' },
    en: { anchor: 'subscriptions', title: 'Subscriptions' },
  },
  View(block, context) {
    return (
      <section className="subscriptions deep" id={undefinedIfEmpty(block.anchor)}>
        <div className="wrap">
          {sectionHead(block.title, block.intro, context)}
          <ul className="plans">
            {context.site.offer.subscriptions.map((item) => offerItem(item, block.button, context))}
          </ul>
          {block.note && <p className="note">{renderText(block.note, context)}</p>}
        </div>
      </section>
    )
  },
})
