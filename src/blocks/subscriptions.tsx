import { defineOfferBlock } from './offer-block.tsx'

export const subscriptions = defineOfferBlock({
  type: 'subscriptions',
  labels: {
    nl: { name: 'Abonnementen', hint: 'De abonnementen uit de instellingen.' },
    fa: { name: 'اشتراک‌ها', hint: 'اشتراک‌ها از تنظیمات.' },
    en: { name: 'Subscriptions', hint: 'The subscriptions from the settings.' },
  },
  defaults: {
    nl: { anchor: 'abonnementen', title: 'Abonnementen' },
    fa: { anchor: 'abonnementen', title: 'اشتراک‌ها' },
    en: { anchor: 'subscriptions', title: 'Subscriptions' },
  },
  classes: { section: 'subscriptions deep', list: 'plans' },
  itemsOf: ({ subscriptions }) => subscriptions,
})
