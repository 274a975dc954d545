import type { ReactNode } from 'react'
import { urlParameters } from '../contract/collections.ts'
import { numberFormat } from '../contract/intl-formats.ts'
import { isPersian, type Locale, localized } from '../contract/locales.ts'
import { fillPlaceholders } from '../contract/placeholders.ts'
import type { OfferItem } from '../contract/site-config.ts'
import type { RenderContext } from './define-block.ts'
import { localizedLink, renderLocalized, renderText } from './render-text.tsx'

/**
 * One item of the offer. Its parts align across items, for comparison.
 * @param button the words of the button to the contact form; empty: no button
 */
export function offerItem(item: OfferItem, button: string | undefined, context: RenderContext): ReactNode {
  const name = renderLocalized(item.name, context)
  const description = renderLocalized(item.description, context)
  const features = renderLocalized(item.features, context)
  const term = item.term && renderLocalized(item.term, context)
  const until = term && (
    <p className="term" {...term.lang}>
      {renderText(term.value, context)}
    </p>
  )
  const action = button && (
    <a className="button" href={offerLink(item, context)} data-subject={offerSubject(item, context)}>
      {renderText(button, context)}
      <span className="visually-hidden" {...name.lang}>{` (${renderText(name.value, context)})`}</span>
    </a>
  )
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
      {action ? (
        <div className="end">
          {until}
          {action}
        </div>
      ) : (
        until
      )}
    </li>
  )
}

/** The home page has the contact form; a script uses the form of the same page, if there is one. */
const offerLink = ({ id }: OfferItem, context: RenderContext) =>
  localizedLink(context, `/?${urlParameters.offer}=${id}#contact`)

/** The first line of a contact message about an item of the offer. */
export const offerSubject = (item: OfferItem, context: Pick<RenderContext, 'contentLocale' | 't' | 'placeholders'>) =>
  `${context.t('contact.subject', { name: fillPlaceholders(localized(item.name, context.contentLocale).value, context.placeholders) })}\n\n`

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

/** Formats cents: `€ 1.450` or `۱٬۴۵۰ یورو`, with decimals only where needed. */
export function formatPrice(cents: number, locale: Locale): string {
  const digits = cents % 100 === 0 ? 0 : 2
  return numberFormat(locale, {
    style: 'currency',
    currency: 'EUR',
    currencyDisplay: isPersian(locale) ? 'name' : 'symbol',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(cents / 100)
}
