import { anchor, defineBlock, longText, shortText } from './define-block.ts'
import { offerItem } from './offer.tsx'
import { renderText, sectionHead, undefinedIfEmpty } from './render-text.tsx'

export const subscriptions = defineBlock({
  type: 'subscriptions',
  group: 'offer',
  fullWidth: true,
  stylesheets: ['pricing'],
  fields: { anchor, title: shortText, intro: longText.default(''), note: longText.default('') },
  labels: {
    nl: {
      name: 'Abonnementen',
      hint: 'De abonnementen uit de instellingen.',
      fields: { anchor: 'Anker', title: 'Titel', intro: 'Inleiding', note: 'Toelichting' },
    },
    fa: {
      name: 'اشتراک‌ها',
      hint: 'اشتراک‌ها از تنظیمات.',
      fields: { anchor: 'لنگر', title: 'عنوان', intro: 'مقدمه', note: 'یادداشت' },
    },
  },
  defaults: {
    nl: { anchor: 'abonnementen', title: 'Abonnementen' },
    fa: { anchor: 'abonnementen', title: 'اشتراک‌ها' },
  },
  View(block, context) {
    return (
      <section className="subscriptions deep" id={undefinedIfEmpty(block.anchor)}>
        <div className="wrap">
          {sectionHead(block.title, block.intro, context)}
          <ul className="plans">{context.site.offer.subscriptions.map((item) => offerItem(item, context))}</ul>
          {block.note && <p className="note">{renderText(block.note, context)}</p>}
        </div>
      </section>
    )
  },
})
