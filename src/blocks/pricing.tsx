import { anchor, defineBlock, longText, shortText } from './define-block.ts'
import { sectionHead } from './heading.tsx'
import { offerItem } from './offer.tsx'
import { orNothing, say } from './say.ts'

export const pricing = defineBlock({
  type: 'pricing',
  band: true,
  sheets: ['offer'],
  fields: { anchor, title: shortText, intro: longText.default(''), note: longText.default('') },
  labels: {
    nl: { name: 'Prijzen', fields: { anchor: 'Anker', title: 'Titel', intro: 'Inleiding', note: 'Toelichting' } },
    fa: { name: 'تعرفه‌ها', fields: { anchor: 'لنگر', title: 'عنوان', intro: 'مقدمه', note: 'یادداشت' } },
  },
  defaults: { nl: { anchor: 'prijzen', title: 'Prijzen' }, fa: { anchor: 'prijzen', title: 'تعرفه‌ها' } },
  View(block, scene) {
    return (
      <section className="pricing" id={orNothing(block.anchor)}>
        <div className="wrap">
          {sectionHead(block.title, block.intro, scene)}
          <ul className="ledger">{scene.site.offer.prices.map((item) => offerItem(item, scene))}</ul>
          {block.note && <p className="note">{say(block.note, scene)}</p>}
        </div>
      </section>
    )
  },
})
