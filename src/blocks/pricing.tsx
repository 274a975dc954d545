import type { ReactNode } from 'react'
import type { OfferItem } from '../contract/site-config.ts'
import { defineBlock, longText, type RenderContext, sectionFields, sectionLabels, shortText } from './define-block.ts'
import { offerItem } from './offer.tsx'
import { renderText, sectionHead, undefinedIfEmpty } from './render-text.tsx'

const offerBlock = {
  group: 'offer',
  fullWidth: true,
  settings: 'offer',
  stylesheets: ['pricing'],
  fields: { ...sectionFields, note: longText.default(''), button: shortText.optional() },
} as const
const fieldLabels = {
  nl: { ...sectionLabels.nl, note: 'Toelichting', button: 'Knop bij elk aanbod' },
  fa: { ...sectionLabels.fa, note: 'یادداشت', button: 'دکمهٔ هر پیشنهاد' },
  en: { ...sectionLabels.en, note: 'Note', button: 'Button at each offer' },
}

export const pricing = defineBlock({
  type: 'pricing',
  ...offerBlock,
  labels: {
    nl: { name: 'Prijzen', hint: 'De eenmalige prijzen uit de instellingen.', fields: fieldLabels.nl },
    fa: { name: 'تعرفه‌ها', hint: 'تعرفه‌های یک‌باره از تنظیمات.', fields: fieldLabels.fa },
    en: { name: 'Prices', hint: 'The one-off prices from the settings.', fields: fieldLabels.en },
  },
  defaults: {
    nl: { anchor: 'prijzen', title: 'Prijzen' },
    fa: { anchor: 'prijzen', title: 'تعرفه‌ها' },
    en: { anchor: 'prices', title: 'Prices' },
  },
  View: (block, context) =>
    offer({ block, items: context.site.offer.prices, className: 'pricing', list: 'ledger' }, context),
})

export const subscriptions = defineBlock({
  type: 'subscriptions',
  ...offerBlock,
  labels: {
    nl: { name: 'Abonnementen', hint: 'De abonnementen uit de instellingen.', fields: fieldLabels.nl },
    fa: { name: 'اشتراک‌ها', hint: 'اشتراک‌ها از تنظیمات.', fields: fieldLabels.fa },
    en: { name: 'Subscriptions', hint: 'The subscriptions from the settings.', fields: fieldLabels.en },
  },
  defaults: {
    nl: { anchor: 'abonnementen', title: 'Abonnementen' },
    fa: { anchor: 'abonnementen', title: 'اشتراک‌ها' },
    en: { anchor: 'subscriptions', title: 'Subscriptions' },
  },
  View: (block, context) =>
    offer({ block, items: context.site.offer.subscriptions, className: 'subscriptions deep', list: 'plans' }, context),
})

interface Offer {
  block: { anchor: string; title: string; intro: string; note: string; button?: string | undefined }
  items: readonly OfferItem[]
  className: string
  /** The class of the list. */
  list: string
}

const offer = ({ block, items, className, list }: Offer, context: RenderContext): ReactNode => (
  <section className={className} id={undefinedIfEmpty(block.anchor)}>
    <div className="wrap">
      {sectionHead(block.title, block.intro, context)}
      <ul className={list}>{items.map((item) => offerItem(item, block.button, context))}</ul>
      {block.note && <p className="note">{renderText(block.note, context)}</p>}
    </div>
  </section>
)
