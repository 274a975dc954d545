import type { ReactNode } from 'react'
import type { OfferItem } from '../contract/site-config.ts'
import { defineBlock, longText, type RenderContext, sectionFields, sectionLabels, shortText } from './define-block.ts'
import { renderOfferItem } from './offer.tsx'
import { renderSectionHead, renderText, undefinedIfEmpty } from './render-text.tsx'

/** What both blocks have in common. */
const commonDefinition = {
  group: 'offer',
  fullWidth: true,
  settings: 'offer',
  stylesheets: ['pricing'],
  fields: { ...sectionFields, note: longText.default(''), button: shortText.optional() },
} as const
const fieldLabels = {
  ...sectionLabels,
  note: { nl: 'Toelichting', fa: 'یادداشت', en: 'Note' },
  button: { nl: 'Knop bij elk aanbod', fa: 'دکمهٔ هر پیشنهاد', en: 'Button at each offer' },
}

export const pricing = defineBlock({
  type: 'pricing',
  ...commonDefinition,
  labels: {
    name: { nl: 'Prijzen', fa: 'تعرفه‌ها', en: 'Prices' },
    hint: {
      nl: 'De eenmalige prijzen uit de instellingen.',
      fa: 'تعرفه‌های یک‌باره از تنظیمات.',
      en: 'The one-off prices from the settings.',
    },
    keywords: { nl: 'prijs tarief tarieven', fa: 'قیمت', en: 'pricing rates' },
    fields: fieldLabels,
  },
  defaults: {
    nl: { anchor: 'prijzen', title: 'Prijzen' },
    fa: { anchor: 'prijzen', title: 'تعرفه‌ها' },
    en: { anchor: 'prices', title: 'Prices' },
  },
  View: (block, context) =>
    renderOffer({ block, items: context.site.offer.prices, className: 'pricing', listClassName: 'ledger' }, context),
})

export const subscriptions = defineBlock({
  type: 'subscriptions',
  ...commonDefinition,
  labels: {
    name: { nl: 'Abonnementen', fa: 'اشتراک‌ها', en: 'Subscriptions' },
    hint: {
      nl: 'De abonnementen uit de instellingen.',
      fa: 'اشتراک‌ها از تنظیمات.',
      en: 'The subscriptions from the settings.',
    },
    fields: fieldLabels,
  },
  defaults: {
    nl: { anchor: 'abonnementen', title: 'Abonnementen' },
    fa: { anchor: 'abonnementen', title: 'اشتراک‌ها' },
    en: { anchor: 'subscriptions', title: 'Subscriptions' },
  },
  View: (block, context) =>
    renderOffer(
      { block, items: context.site.offer.subscriptions, className: 'subscriptions deep', listClassName: 'plans' },
      context,
    ),
})

interface Offer {
  block: { anchor: string; title: string; intro: string; note: string; button?: string | undefined }
  items: readonly OfferItem[]
  className: string
  listClassName: string
}

const renderOffer = ({ block, items, className, listClassName }: Offer, context: RenderContext): ReactNode => (
  <section className={className} id={undefinedIfEmpty(block.anchor)}>
    <div className="wrap">
      {renderSectionHead(block.title, block.intro, context)}
      <ul className={listClassName}>{items.map((item) => renderOfferItem(item, block.button, context))}</ul>
      {block.note && <p className="note">{renderText(block.note, context)}</p>}
    </div>
  </section>
)
