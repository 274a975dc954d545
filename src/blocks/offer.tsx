import type { ReactNode } from 'react'
import { urlParameters } from '../contract/collections.ts'
import { numberFormat } from '../contract/intl-formats.ts'
import { isPersian, type Locale, localized } from '../contract/locales.ts'
import { fillPlaceholders } from '../contract/placeholders.ts'
import type { OfferItem } from '../contract/site-config.ts'
import type { RenderContext } from './define-block.ts'
import { localizedLink, localizeWithLang, renderText } from './render-text.tsx'

/**
 * Renders an item of the offer as an entry of a list. Its parts align across items, for comparison.
 * @param button the text of the button to the contact form; empty or undefined: no button
 */
export function renderOfferItem(item: OfferItem, button: string | undefined, context: RenderContext): ReactNode {
  const name = localizeWithLang(item.name, context)
  const description = localizeWithLang(item.description, context)
  const features = localizeWithLang(item.features, context)
  const term = item.term && localizeWithLang(item.term, context)
  const termText = term && (
    <p className="term" {...term.lang}>
      {renderText(term.value, context)}
    </p>
  )
  const contactButton = button && (
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
      {renderAmount(item, context)}
      <ul className="ticks" {...features.lang}>
        {features.value.map((feature) => (
          <li key={feature}>{renderText(feature, context)}</li>
        ))}
      </ul>
      {contactButton ? (
        <div className="end">
          {termText}
          {contactButton}
        </div>
      ) : (
        termText
      )}
    </li>
  )
}

/** The URL of the contact form on the home page, about the item. A script uses a form on the same page instead. */
const offerLink = ({ id }: OfferItem, context: RenderContext) =>
  localizedLink(context, `/?${urlParameters.offer}=${id}#contact`)

/** The start of a contact message about an item of the offer: a line that names it, and an empty one. */
export function offerSubject(
  item: OfferItem,
  context: Pick<RenderContext, 'contentLocale' | 't' | 'placeholders'>,
): string {
  const name = fillPlaceholders(localized(item.name, context.contentLocale).value, context.placeholders)
  return `${context.t('contact.subject', { name })}\n\n`
}

function renderAmount(item: OfferItem, context: RenderContext): ReactNode {
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

/** Formats cents: `€ 1.450` or `۱٬۴۵۰ یورو`, with two decimals unless the amount is in whole euros. */
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
