import { anchor, defineBlock, longText, shortText } from './define-block.ts'
import { sectionHead } from './heading.tsx'
import { offerItem } from './offer.tsx'
import { orNothing, say } from './say.ts'

export const subscriptions = defineBlock({
  type: 'subscriptions',
  band: true,
  sheets: ['offer'],
  fields: { anchor, title: shortText, intro: longText.default(''), note: longText.default('') },
  labels: {
    nl: { name: 'Abonnementen', fields: { anchor: 'Anker', title: 'Titel', intro: 'Inleiding', note: 'Toelichting' } },
    fa: { name: 'اشتراک‌ها', fields: { anchor: 'لنگر', title: 'عنوان', intro: 'مقدمه', note: 'یادداشت' } },
  },
  defaults: {
    nl: { anchor: 'abonnementen', title: 'Abonnementen' },
    fa: { anchor: 'abonnementen', title: 'اشتراک‌ها' },
  },
  View(block, scene) {
    return (
      <section className="subscriptions deep" id={orNothing(block.anchor)}>
        <div className="wrap">
          {sectionHead(block.title, block.intro, scene)}
          <ul className="plans">{scene.site.offer.subscriptions.map((item) => offerItem(item, scene))}</ul>
          {block.note && <p className="note">{say(block.note, scene)}</p>}
        </div>
      </section>
    )
  },
})
