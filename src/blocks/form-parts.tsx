import type { ReactNode } from 'react'
import { contactFormExtras } from '../contract/contact.ts'
import type { RenderContext, SentForm } from './define-block.ts'
import { localizedLink } from './render-text.tsx'

/** What every form posts besides its fields: the honeypot, the page to return to, and the language. */
export function hiddenFields(id: string, { t, path, locale }: RenderContext): ReactNode {
  return (
    <>
      <p className="honey" aria-hidden="true">
        <label htmlFor={id}>{t('contact.honeypot')}</label>
        <input id={id} type="text" name={contactFormExtras.honeypot} tabIndex={-1} autoComplete="off" />
      </p>
      <input type="hidden" name={contactFormExtras.page} value={path} />
      <input type="hidden" name={contactFormExtras.locale} value={locale} />
    </>
  )
}

/** The confirmation. */
export function sentPanel({ title, text, reference, calendar }: SentForm, context: RenderContext): ReactNode {
  const { t, locale, path } = context
  return (
    <div className="sent" role="status" tabIndex={-1}>
      <p className="alert-title">{title}</p>
      <p>{text}</p>
      <p>{t('contact.reference', { reference })}</p>
      {calendar !== undefined && (
        <p>
          <a href={calendar} download>
            {t('contact.calendar')}
          </a>
        </p>
      )}
      <p>
        <a href={localizedLink(locale, path)}>{t('contact.another')}</a>
      </p>
    </div>
  )
}

/**
 * The confirmation without its texts, which the script shows in place of the form.
 * @param hasCalendar whether an appointment may be proposed; the script removes a link without an address
 */
export const sentTemplate = (context: RenderContext, hasCalendar = false): ReactNode => (
  <template>
    {sentPanel({ title: '', text: '', reference: '{}', calendar: hasCalendar ? '' : undefined }, context)}
  </template>
)
