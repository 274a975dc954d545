import type { ReactNode } from 'react'
import { contactFormExtras } from '../contract/contact.ts'
import type { RenderContext, SenderQuestion, SentForm } from './define-block.ts'
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
  const { t, path } = context
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
        <a href={localizedLink(context, path)}>{t('contact.another')}</a>
      </p>
    </div>
  )
}

/** The question to the sender of a suspected message, which is stored already. */
export function questionPanel(question: SenderQuestion, { t, path, locale }: RenderContext): ReactNode {
  const { action, attempt, one, other, problem } = question
  return (
    <form method="post" action={action} noValidate data-plain>
      <p className="alert-title">{t('contact.almost')}</p>
      <p>{t('contact.almostText')}</p>
      <div className="field ask">
        <label htmlFor="f-answer">{t('contact.question', { one, other })}</label>
        <input
          id="f-answer"
          name="antwoord"
          type="text"
          dir="ltr"
          inputMode="numeric"
          autoComplete="off"
          required
          aria-invalid={problem ? true : undefined}
          aria-describedby="e-answer"
          {...{ autoFocus: true }}
        />
        <p className="error" id="e-answer">
          {problem}
        </p>
      </div>
      <input type="hidden" name="poging" value={attempt} />
      <input type="hidden" name={contactFormExtras.page} value={path} />
      <input type="hidden" name={contactFormExtras.locale} value={locale} />
      <button type="submit" className="button">
        {t('contact.answer')}
      </button>
    </form>
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
