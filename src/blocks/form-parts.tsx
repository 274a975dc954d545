import type { ReactNode } from 'react'
import { contactFormExtras } from '../contract/contact.ts'
import type { PublicForm } from '../contract/form-fields.ts'
import type { Localized } from '../contract/locales.ts'
import type { Confirmation, ContactState, RenderContext, SpamQuestion } from './define-block.ts'
import { langAttributes, localizedLink, localizeWithLang, renderText } from './render-text.tsx'

/** Translates the responses of a form: into the visitor's language, also on a page without a translation. */
export const visitorTranslator = (context: RenderContext): RenderContext['t'] => context.translatorFor(context.locale)

const visitorLang = ({ locale, contentLocale, site }: RenderContext) => langAttributes(locale, contentLocale, site)

/** Renders the problem of a field. Without one the element is empty: the script fills it. */
export const renderFieldError = (id: string, error: ReactNode, context: RenderContext): ReactNode => (
  <p className="error" id={id} {...visitorLang(context)}>
    {error}
  </p>
)

/** Renders why a form was not sent. Without a failure the element is hidden: the script fills it. */
export const renderFailure = (failure: ContactState['failure'], context: RenderContext): ReactNode => (
  <div className="failed" role="alert" tabIndex={-1} hidden={!failure} {...visitorLang(context)}>
    <p className="alert-title">{failure?.title}</p>
    <p>{failure?.text}</p>
  </div>
)

/** Renders a text of a form; one that is not in the language of the content gets `lang` and `dir`. */
export function renderFormText(text: Localized<string>, context: RenderContext): ReactNode {
  const { value, lang } = localizeWithLang(text, context)
  const filled = renderText(value, context)
  return lang ? <span {...lang}>{filled}</span> : filled
}

/** The path and query of the page with the form, without a language prefix. */
const returnUrlOf = ({ path, contact }: RenderContext): string => (contact.query ? `${path}?${contact.query}` : path)

/** The hidden fields of every form: the honeypot, the page to return to, and the language. */
export function renderHiddenFields(honeypotId: string, context: RenderContext): ReactNode {
  const { t, locale } = context
  return (
    <>
      <p className="honey" aria-hidden="true">
        <label htmlFor={honeypotId}>{t('contact.honeypot')}</label>
        <input id={honeypotId} type="text" name={contactFormExtras.honeypot} tabIndex={-1} autoComplete="off" />
      </p>
      <input type="hidden" name={contactFormExtras.page} value={returnUrlOf(context)} />
      <input type="hidden" name={contactFormExtras.locale} value={locale} />
    </>
  )
}

/**
 * Renders the confirmation.
 * @param block.anchor of the block with the form, to which the link to another message leads; may be empty
 * @param block.thanks the form's own texts; omitted: the built-in ones
 */
export function renderConfirmation(
  { reference, calendar }: Confirmation,
  context: RenderContext,
  { anchor, thanks }: { anchor: string; thanks?: PublicForm['thanks'] },
): ReactNode {
  const { locale } = context
  const formUrl = returnUrlOf(context) + (anchor && `#${anchor}`)
  const t = visitorTranslator(context)
  const visitorContext = { ...context, contentLocale: locale, placeholders: context.placeholdersIn(locale) }
  return (
    <div className="sent" role="status" tabIndex={-1} {...visitorLang(context)}>
      <p className="alert-title">{thanks ? renderFormText(thanks.title, visitorContext) : t('contact.successTitle')}</p>
      <p>{thanks ? renderFormText(thanks.text, visitorContext) : t('contact.successText')}</p>
      <p>{t('contact.reference', { reference })}</p>
      {calendar !== undefined && (
        <p>
          <a href={calendar} download>
            {t('contact.calendar')}
          </a>
        </p>
      )}
      <p>
        <a href={localizedLink(context, formUrl)}>{t('contact.another')}</a>
      </p>
    </div>
  )
}

/** Renders the question to the sender of a suspected message, which is stored already. */
export function renderSpamQuestion(
  { action, attempt, addends: [one, other], problem }: SpamQuestion,
  context: RenderContext,
): ReactNode {
  const { locale } = context
  const t = visitorTranslator(context)
  const question = t('contact.question', { one, other })
  return (
    <form method="post" action={action} noValidate data-plain {...visitorLang(context)}>
      <p className="alert-title">{t('contact.almost')}</p>
      <p>{t('contact.almostText')}</p>
      <div className="field">
        <input
          id="f-answer"
          name="antwoord"
          placeholder={question}
          type="text"
          dir="ltr"
          inputMode="numeric"
          autoComplete="off"
          required
          aria-invalid={problem ? true : undefined}
          aria-describedby="e-answer"
          {...{ autoFocus: true }}
        />
        <label htmlFor="f-answer">{question}</label>
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
 * Renders the confirmation as a template: the script shows it in place of the form, and fills in the reference for
 * `{}`.
 * @param block as of `renderConfirmation`
 * @param block.hasCalendar whether it has the link to a calendar file, which the script removes if there is none
 */
export const renderConfirmationTemplate = (
  context: RenderContext,
  { hasCalendar = false, ...block }: { anchor: string; thanks?: PublicForm['thanks']; hasCalendar?: boolean },
): ReactNode => (
  <template>{renderConfirmation({ reference: '{}', calendar: hasCalendar ? '' : undefined }, context, block)}</template>
)
