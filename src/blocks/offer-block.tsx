import type { ReactNode } from 'react'
import type { AdminLocale } from '../contract/locales.ts'
import type { OfferItem } from '../contract/site-config.ts'
import { defineBlock, longText, type RenderContext, sectionFields, sectionLabels, shortText } from './define-block.ts'
import { offerItem } from './offer.tsx'
import { renderText, sectionHead, undefinedIfEmpty } from './render-text.tsx'

const fieldLabels = {
  nl: { ...sectionLabels.nl, note: 'Toelichting', button: 'Knop bij elk aanbod' },
  fa: { ...sectionLabels.fa, note: 'یادداشت', button: 'دکمهٔ هر پیشنهاد' },
  en: { ...sectionLabels.en, note: 'Note', button: 'Button at each offer' },
}

/** A block with one of the lists of the offer, which stands in the settings. */
export function defineOfferBlock<const Type extends string>(definition: {
  type: Type
  labels: Record<AdminLocale, { name: string; hint: string }>
  defaults: Record<AdminLocale, { anchor: string; title: string }>
  /** The classes of the section, and of its list. */
  classes: { section: string; list: string }
  itemsOf: (offer: RenderContext['site']['offer']) => readonly OfferItem[]
}) {
  const { type, labels, defaults, classes, itemsOf } = definition
  const labelsIn = (locale: AdminLocale) => ({ ...labels[locale], fields: fieldLabels[locale] })
  return defineBlock({
    type,
    group: 'offer',
    fullWidth: true,
    settings: 'offer',
    stylesheets: ['pricing'],
    fields: { ...sectionFields, note: longText.default(''), button: shortText.optional() },
    labels: { nl: labelsIn('nl'), fa: labelsIn('fa'), en: labelsIn('en') },
    defaults,
    View(block, context): ReactNode {
      return (
        <section className={classes.section} id={undefinedIfEmpty(block.anchor)}>
          <div className="wrap">
            {sectionHead(block.title, block.intro, context)}
            <ul className={classes.list}>
              {itemsOf(context.site.offer).map((item) => offerItem(item, block.button, context))}
            </ul>
            {block.note && <p className="note">{renderText(block.note, context)}</p>}
          </div>
        </section>
      )
    },
  })
}
