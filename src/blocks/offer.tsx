import type { ReactNode } from 'react'
import type { OfferItem } from '../contract/site-config.ts'
import type { Scene } from './define-block.ts'
import { formatPrice } from './price.ts'
import { say, sayIn } from './say.ts'

/** One item of the offer. Its five parts stand on the same lines in every item, so that the eye compares them. */
export function offerItem(item: OfferItem, scene: Scene): ReactNode {
  const name = sayIn(item.name, scene)
  const description = sayIn(item.description, scene)
  const features = sayIn(item.features, scene)
  const term = item.term && sayIn(item.term, scene)
  return (
    <li key={item.id} className={item.recommended ? 'offer best' : 'offer'}>
      <div className="what">
        {item.recommended && <p className="flag">{scene.t('site.price.recommended')}</p>}
        <h3 {...name.lang}>{say(name.value, scene)}</h3>
        <p {...description.lang}>{say(description.value, scene)}</p>
      </div>
      {amount(item, scene)}
      <ul className="ticks" {...features.lang}>
        {features.value.map((feature) => (
          <li key={feature}>{say(feature, scene)}</li>
        ))}
      </ul>
      {term && (
        <p className="term" {...term.lang}>
          {say(term.value, scene)}
        </p>
      )}
    </li>
  )
}

function amount(item: OfferItem, scene: Scene): ReactNode {
  const { t, site, contentLocale } = scene
  return (
    <p className="price">
      {item.from && <span className="from">{t('site.price.from')}</span>}
      <strong>{formatPrice(item.amount, contentLocale)}</strong>
      <span>
        {t('site.price.terms', { period: t(`site.price.${item.period}`), vat: t(`site.price.${site.offer.vat}`) })}
      </span>
    </p>
  )
}
