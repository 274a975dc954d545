import type { ReactNode } from 'react'
import { z } from 'zod'
import { offeredSlots, slotText } from '../contract/appointment.ts'
import {
  type FormField,
  hasOptions,
  maxCharsOf,
  nameFieldOf,
  optionIndex,
  type PublicForm,
  stepsOf,
} from '../contract/form-fields.ts'
import { limits } from '../contract/limits.ts'
import {
  defineBlock,
  type FormState,
  fieldKinds,
  type RenderContext,
  sectionFields,
  sectionLabels,
} from './define-block.ts'
import {
  renderConfirmation,
  renderConfirmationTemplate,
  renderFailure,
  renderFieldError,
  renderFormText,
  renderHiddenFields,
  renderSpamQuestion,
  visitorTranslator,
} from './form-parts.tsx'
import { localizeWithLang, renderSectionHead, renderText, undefinedIfEmpty } from './render-text.tsx'

/** The id of a form of the configuration, or an empty text. */
const formId = z
  .string()
  .max(40)
  .regex(/^[a-z0-9-]*$/, 'itemId')
  .register(fieldKinds, { kind: 'form' })

export const form = defineBlock({
  type: 'form',
  group: 'contact',
  fullWidth: true,
  settings: 'forms',
  stylesheets: ['contact', 'form'],
  fields: { ...sectionFields, form: formId },
  labels: {
    name: { nl: 'Formulier', fa: 'فرم', en: 'Form' },
    hint: {
      nl: 'Een formulier dat u bij Instellingen maakt, zoals een offerteaanvraag.',
      fa: 'فرمی که در تنظیمات می‌سازید، مانند درخواست پیش‌فاکتور.',
      en: 'A form that you make under Settings, such as a quote request.',
    },
    keywords: {
      nl: 'offerte aanvraag aanmelden inschrijven afspraak vragenlijst',
      fa: 'پیش‌فاکتور درخواست ثبت‌نام قرار پرسش‌نامه',
      en: 'quote request registration appointment questionnaire',
    },
    fields: {
      ...sectionLabels,
      form: { nl: 'Formulier', fa: 'فرم', en: 'Form' },
    },
  },
  defaults: {
    nl: { anchor: 'aanvraag', title: 'Vraag een offerte aan', intro: '', form: 'offerte' },
    fa: { anchor: 'aanvraag', title: 'درخواست پیش‌فاکتور', intro: '', form: 'offerte' },
    en: { anchor: 'request', title: 'Request a quote', intro: '', form: 'offerte' },
  },
  View(block, context) {
    const { contact, site } = context
    const state = contact.form?.id === block.form ? contact.form : undefined
    const definition: PublicForm | undefined = state?.definition ?? site.forms?.find(({ id }) => id === block.form)
    if (!definition && !state?.confirmation) {
      // A deleted form shows a notice in the editor (only there are `sections` set), and visitors nothing.
      return context.sections ? <p>{context.t('contact.formGone')}</p> : null
    }
    return (
      <section className="contact form-section" id={undefinedIfEmpty(block.anchor)}>
        <div className="wrap">
          <div className="aside">{renderSectionHead(block.title, block.intro, context)}</div>
          <div className="form-panel">{renderFormState(block.anchor, definition, state, context)}</div>
        </div>
      </section>
    )
  },
})

function renderFormState(
  anchor: string,
  form: PublicForm | undefined,
  state: FormState | undefined,
  context: RenderContext,
): ReactNode {
  if (state?.spamQuestion) return renderSpamQuestion(state.spamQuestion, context)
  if (state?.confirmation) return renderConfirmation(state.confirmation, context, { anchor, thanks: form?.thanks })
  return form && renderForm(anchor, form, state, context)
}

function renderForm(anchor: string, form: PublicForm, state: FormState | undefined, context: RenderContext): ReactNode {
  const { t } = context
  const visitorText = visitorTranslator(context)
  const firstInvalid = form.fields.find(({ id }) => state?.errors[id] !== undefined)
  const steps = stepsOf(form.fields)
  const renderFields = (fields: readonly FormField[]) =>
    fields.map((field) => renderField(field, { form, state, autoFocus: field === firstInvalid }, context))
  return (
    <>
      <form
        method="post"
        action={`/api/forms/${form.id}`}
        // Otherwise the browser would show its own messages, in its own language.
        noValidate
        {...(form.fields.some(({ kind }) => kind === 'files') && { encType: 'multipart/form-data' })}
        data-busy={t('contact.busy')}
        data-failure-title={visitorText('contact.failureTitle')}
        data-failure-text={visitorText('contact.failureText')}
        data-next={t('contact.next')}
        data-previous={t('contact.previous')}
        data-required={visitorText('contact.required')}
        data-email={visitorText('contact.wrongEmail')}
      >
        {renderFailure(state?.failure, context)}
        {steps.map(({ stepField, fields }, index) =>
          steps.length === 1 && !stepField ? (
            renderFields(fields)
          ) : (
            <fieldset key={stepField?.id ?? 'first'} className="step">
              <legend tabIndex={-1}>
                <small>{t('contact.step', { number: index + 1, of: steps.length })}</small>
                {stepField && renderFormText(stepField.label, context)}
              </legend>
              {stepField?.help && <p>{renderFormText(stepField.help, context)}</p>}
              {renderFields(fields)}
            </fieldset>
          ),
        )}
        {renderHiddenFields(`f-${form.id}-more-`, context)}
        <button type="submit" className="button">
          {form.button ? renderFormText(form.button, context) : t('contact.send')}
        </button>
      </form>
      {renderConfirmationTemplate(context, {
        anchor,
        thanks: form.thanks,
        hasCalendar: form.fields.some(({ kind }) => kind === 'appointment'),
      })}
    </>
  )
}

/** Renders a field. An appointment for which no time is offered renders nothing. */
function renderField(
  field: FormField,
  { form, state, autoFocus }: { form: PublicForm; state: FormState | undefined; autoFocus: boolean },
  context: RenderContext,
): ReactNode {
  const { t } = context
  const id = `f-${form.id}-${field.id}`
  const error = state?.errors[field.id]
  const conditionOptions = form.fields.find((candidate) => candidate.id === field.showIf?.field)?.options
  // The script shows the field only for this answer to the other field.
  const condition = field.showIf && {
    'data-if': field.showIf.field,
    'data-is': optionValues(conditionOptions)[optionIndex(conditionOptions, field.showIf.is)],
  }
  const label = (
    <>
      {renderFormText(field.label, context)}
      {!field.required && <small> {t('contact.optional')}</small>}
    </>
  )
  const hints = (
    <>
      {field.showIf && (
        <p className="hint if" id={`i-${id}`}>
          {conditionText(form, field.showIf, context)}
        </p>
      )}
      {field.help && (
        <p className="hint" id={`h-${id}`}>
          {renderFormText(field.help, context)}
        </p>
      )}
    </>
  )
  const describedBy = [
    field.showIf && `i-${id}`,
    field.help && `h-${id}`,
    field.kind === 'files' && `l-${id}`,
    `e-${id}`,
  ]
    .filter(Boolean)
    .join(' ')
  const ariaProps = { 'aria-invalid': error ? true : undefined, 'aria-describedby': describedBy } as const
  const problem = renderFieldError(`e-${id}`, error, context)
  if (hasOptions(field) || field.kind === 'consent') {
    const isConsent = field.kind === 'consent'
    return (
      <fieldset key={field.id} className="field ask" {...condition} aria-describedby={describedBy}>
        {isConsent ? (
          <legend className="visually-hidden">{renderFormText(field.label, context)}</legend>
        ) : (
          <legend>{label}</legend>
        )}
        {hints}
        {optionsOf(field, label, context).map(({ value, text }, index) => (
          <label key={value} className="option">
            <input
              type={field.kind === 'choice' ? 'radio' : 'checkbox'}
              name={field.id}
              value={value}
              defaultChecked={state?.values[field.id]?.includes(value)}
              required={field.required && field.kind !== 'several'}
              {...(autoFocus && index === 0 && { autoFocus: true })}
              {...ariaProps}
            />
            <span>{text}</span>
          </label>
        ))}
        {problem}
      </fieldset>
    )
  }
  if (field.kind === 'files') {
    return (
      <div key={field.id} className="field ask" {...condition}>
        <label htmlFor={id}>{label}</label>
        {hints}
        <p className="hint" id={`l-${id}`}>
          {t('contact.files', { count: limits.attachments, size: limits.attachmentMegabytes })}
        </p>
        <input id={id} type="file" name={field.id} multiple required={field.required} {...ariaProps} />
        {problem}
      </div>
    )
  }
  if (field.kind === 'appointment') {
    const slots = offeredSlots(context.site.business.openingHours, context.now)
    if (slots.length === 0) return null
    return (
      <div key={field.id} className="field ask" {...condition}>
        <label htmlFor={id}>{label}</label>
        {hints}
        <select
          id={id}
          name={field.id}
          required={field.required}
          defaultValue={state?.values[field.id]?.[0]}
          {...(autoFocus && { autoFocus: true })}
          {...ariaProps}
        >
          <option value="">{t('contact.chooseSlot')}</option>
          {slots.map((slot) => (
            <option key={slot.value} value={slot.value}>
              {slotText(slot, context.contentLocale)}
            </option>
          ))}
        </select>
        {problem}
      </div>
    )
  }
  const inputProps = {
    id,
    name: field.id,
    defaultValue: state?.values[field.id]?.[0],
    maxLength: maxCharsOf(field.kind),
    required: field.required,
    autoFocus: autoFocus || undefined,
    autoComplete: autocompletes[field.kind] ?? (nameFieldOf(form.fields) === field ? 'name' : undefined),
    ...ariaProps,
  }
  return (
    <div key={field.id} className="field ask" {...condition}>
      <label htmlFor={id}>{label}</label>
      {hints}
      {field.kind === 'longText' ? (
        <textarea {...inputProps} dir="auto" rows={5} />
      ) : (
        <input
          {...inputProps}
          dir={field.kind === 'text' ? 'auto' : 'ltr'}
          type={inputTypes[field.kind] ?? 'text'}
          inputMode={field.kind === 'number' ? 'decimal' : undefined}
        />
      )}
      {problem}
    </div>
  )
}

const inputTypes: Partial<Record<FormField['kind'], string>> = { email: 'email', tel: 'tel', date: 'date' }
const autocompletes: Partial<Record<FormField['kind'], string>> = { email: 'email', tel: 'tel' }

/** The posted values of options: the texts in the main language (the first), whatever the language of the page. */
const optionValues = (options: FormField['options']) => Object.values(options ?? {})[0] ?? []

/** The options of a field, in order. Consent has one: its label. */
function optionsOf(
  { kind, options }: FormField,
  label: ReactNode,
  context: RenderContext,
): { value: string; text: ReactNode }[] {
  if (kind === 'consent') return [{ value: 'ja', text: label }]
  const texts = options ? localizeWithLang(options, context).value : []
  return optionValues(options).map((value, index) => ({ value, text: texts[index] ?? value }))
}

/** The sentence that says for which answer a field is shown, for a visitor without JavaScript. */
function conditionText(
  form: PublicForm,
  { field, is }: NonNullable<FormField['showIf']>,
  context: RenderContext,
): string {
  const conditionField = form.fields.find(({ id }) => id === field)
  const options = conditionField?.options ? localizeWithLang(conditionField.options, context).value : []
  return context.t('contact.onlyIf', {
    question: conditionField ? renderText(localizeWithLang(conditionField.label, context).value, context) : '',
    option: options[optionIndex(conditionField?.options, is)] ?? is,
  })
}
