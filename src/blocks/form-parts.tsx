import type { ReactNode } from 'react'
import { contactFormExtras } from '../contract/contact.ts'
import type { PublicForm } from '../contract/form-fields.ts'
import type { Localized } from '../contract/locales.ts'
import type { ContactState, RenderContext, SentForm, SpamQuestion } from './define-block.ts'
import { langAttributes, localizedLink, renderLocalized, renderText } from './render-text.tsx'

/** Responses of a form are in the reader's language, also on a page that is not translated. */
export const answersIn = (context: RenderContext): RenderContext['t'] => context.textsIn(context.locale)

const answerLang = ({ locale, contentLocale, site }: RenderContext) => langAttributes(locale, contentLocale, site)

/** The problem of a field, which the script fills in too. */
export const fieldError = (id: string, error: ReactNode, context: RenderContext): ReactNode => (
  <p className="error" id={id} {...answerLang(context)}>
    {error}
  </p>
)

/** Why a form was not sent, which the script fills in too. */
export const failurePanel = (failure: ContactState['failure'], context: RenderContext): ReactNode => (
  <div className="failed" role="alert" tabIndex={-1} hidden={!failure} {...answerLang(context)}>
    <p className="alert-title">{failure?.title}</p>
    <p>{failure?.text}</p>
  </div>
)

/** A text of a form, marked with its language where that is another one. */
export function formText(value: Localized<string>, context: RenderContext): ReactNode {
  const found = renderLocalized(value, context)
  const filled = renderText(found.value, context)
  return found.lang ? <span {...found.lang}>{filled}</span> : filled
}

/** The page with the form, to return to. */
const returnUrlOf = ({ path, contact }: RenderContext): string => (contact.query ? `${path}?${contact.query}` : path)

/** The hidden fields of every form: the honeypot, the page to return to, and the language. */
export function hiddenFields(id: string, context: RenderContext): ReactNode {
  const { t, locale } = context
  return (
    <>
      <p className="honey" aria-hidden="true">
        <label htmlFor={id}>{t('contact.honeypot')}</label>
        <input id={id} type="text" name={contactFormExtras.honeypot} tabIndex={-1} autoComplete="off" />
      </p>
      <input type="hidden" name={contactFormExtras.page} value={returnUrlOf(context)} />
      <input type="hidden" name={contactFormExtras.locale} value={locale} />
    </>
  )
}

/** The confirmation. @param thanks the texts of the form, if it has its own */
export function sentPanel(
  { reference, calendar }: SentForm,
  context: RenderContext,
  thanks?: PublicForm['thanks'],
): ReactNode {
  const { locale } = context
  const t = answersIn(context)
  const inAnswer = { ...context, contentLocale: locale, placeholders: context.placeholdersIn(locale) }
  return (
    <div className="sent" role="status" tabIndex={-1} {...answerLang(context)}>
      <p className="alert-title">{thanks ? formText(thanks.title, inAnswer) : t('contact.successTitle')}</p>
      <p>{thanks ? formText(thanks.text, inAnswer) : t('contact.successText')}</p>
      <p>{t('contact.reference', { reference })}</p>
      {calendar !== undefined && (
        <p>
          <a href={calendar} download>
            {t('contact.calendar')}
          </a>
        </p>
      )}
      <p>
        <a href={localizedLink(context, returnUrlOf(context))}>{t('contact.another')}</a>
      </p>
    </div>
  )
}

/** The question to the sender of a suspected message, which is stored already. */
export function questionPanel(question: SpamQuestion, context: RenderContext): ReactNode {
  const { locale } = context
  const { action, attempt, addends, problem } = question
  const t = answersIn(context)
  const [one, other] = addends
  const asked = t('contact.question', { one, other })
  return (
    <form method="post" action={action} noValidate data-plain {...answerLang(context)}>
      <p className="alert-title">{t('contact.almost')}</p>
      <p>{t('contact.almostText')}</p>
      <div className="field">
        <input
          id="f-answer"
          name="antwoord"
          placeholder={asked}
          type="text"
          dir="ltr"
          inputMode="numeric"
          autoComplete="off"
          required
          aria-invalid={problem ? true : undefined}
          aria-describedby="e-answer"
          {...{ autoFocus: true }}
        />
        <label htmlFor="f-answer">{asked}</label>
        <p className="error" id="e-answer">
          {problem}
        </p>
      </div>
      <input type="hidden" name="poging" value={attempt} />
      <input type="hidden" name={contactFormExtras.page} value={returnUrlOf(context)} />
      <input type="hidden" name={contactFormExtras.locale} value={locale} />
      <button type="submit" className="button">
        {t('contact.answer')}
      </button>
    </form>
  )
}

/**
 * The confirmation without its number, which the script shows in place of the form.
 * @param hasCalendar whether an appointment may be proposed; the script removes a link without an address
 */
export const sentTemplate = (
  context: RenderContext,
  { thanks, hasCalendar = false }: { thanks?: PublicForm['thanks']; hasCalendar?: boolean } = {},
): ReactNode => (
  <template>{sentPanel({ reference: '{}', calendar: hasCalendar ? '' : undefined }, context, thanks)}</template>
)
