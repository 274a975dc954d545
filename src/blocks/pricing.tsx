import { anchor, defineBlock, longText, shortText } from './define-block.ts'
import { offerItem } from './offer.tsx'
import { renderText, sectionHead, undefinedIfEmpty } from './render-text.tsx'

export const pricing = defineBlock({
  type: 'pricing',
  group: 'offer',
  fullWidth: true,
  stylesheets: ['pricing'],
  fields: { anchor, title: shortText, intro: longText.default(''), note: longText.default('') },
  labels: {
    nl: {
      name: 'Prijzen',
      hint: 'De eenmalige prijzen uit de instellingen.',
      fields: { anchor: 'Anker', title: 'Titel', intro: 'Inleiding', note: 'Toelichting' },
    },
    fa: {
      name: 'تعرفه‌ها',
      hint: 'تعرفه‌های یک‌باره از تنظیمات.',
      fields: { anchor: 'لنگر', title: 'عنوان', intro: 'مقدمه', note: 'یادداشت' },
    },
  },
  defaults: { nl: { anchor: 'prijzen', title: 'Prijzen' }, fa: { anchor: 'prijzen', title: 'تعرفه‌ها' } },
  View(block, context) {
    return (
      <section className="pricing" id={undefinedIfEmpty(block.anchor)}>
        <div className="wrap">
          {sectionHead(block.title, block.intro, context)}
          <ul className="ledger">{context.site.offer.prices.map((item) => offerItem(item, context))}</ul>
          {block.note && <p className="note">{renderText(block.note, context)}</p>}
        </div>
      </section>
    )
  },
})
