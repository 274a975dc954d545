import type { ReactNode } from 'react'
import { intlTag, type Locale } from '../contract/locales.ts'
import type { OfferItem } from '../contract/site-config.ts'
import type { RenderContext } from './define-block.ts'
import { renderLocalized, renderText } from './render-text.tsx'

/** One item of the offer. Its five parts align across items, for comparison. */
export function offerItem(item: OfferItem, context: RenderContext): ReactNode {
  const name = renderLocalized(item.name, context)
  const description = renderLocalized(item.description, context)
  const features = renderLocalized(item.features, context)
  const term = item.term && renderLocalized(item.term, context)
  return (
    <li key={item.id} className={item.recommended ? 'offer best' : 'offer'}>
      <div className="what">
        {item.recommended && <p className="flag">{context.t('site.price.recommended')}</p>}
        <h3 {...name.lang}>{renderText(name.value, context)}</h3>
        <p {...description.lang}>{renderText(description.value, context)}</p>
      </div>
      {amount(item, context)}
      <ul className="ticks" {...features.lang}>
        {features.value.map((feature) => (
          <li key={feature}>{renderText(feature, context)}</li>
        ))}
      </ul>
      {term && (
        <p className="term" {...term.lang}>
          {renderText(term.value, context)}
        </p>
      )}
    </li>
  )
}

function amount(item: OfferItem, context: RenderContext): ReactNode {
  const { t, site, contentLocale } = context
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

const formats = new Map<string, Intl.NumberFormat>()

/** Formats cents: `€ 1.450` or `۱٬۴۵۰ یورو`, with decimals only where needed. */
export function formatPrice(cents: number, locale: Locale): string {
  const digits = cents % 100 === 0 ? 0 : 2
  const key = `${locale}${digits}`
  let format = formats.get(key)
  if (!format) {
    format = new Intl.NumberFormat(intlTag[locale], {
      style: 'currency',
      currency: 'EUR',
      currencyDisplay: locale === 'fa' ? 'name' : 'symbol',
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    })
    formats.set(key, format)
  }
  return format.format(cents / 100)
}
