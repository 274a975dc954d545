import { defineOfferBlock } from './offer-block.tsx'

export const pricing = defineOfferBlock({
  type: 'pricing',
  labels: {
    nl: { name: 'Prijzen', hint: 'De eenmalige prijzen uit de instellingen.' },
    fa: { name: 'تعرفه‌ها', hint: 'تعرفه‌های یک‌باره از تنظیمات.' },
    en: { name: 'Prices', hint: 'The one-off prices from the settings.' },
  },
  defaults: {
    nl: { anchor: 'prijzen', title: 'Prijzen' },
    fa: { anchor: 'prijzen', title: 'تعرفه‌ها' },
    en: { anchor: 'prices', title: 'Prices' },
  },
  classes: { section: 'pricing', list: 'ledger' },
  itemsOf: ({ prices }) => prices,
})
