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
  answersIn,
  failurePanel,
  fieldError,
  formText,
  hiddenFields,
  questionPanel,
  sentPanel,
  sentTemplate,
} from './form-parts.tsx'
import { renderLocalized, renderText, sectionHead, undefinedIfEmpty } from './render-text.tsx'

/** The id of a form of the configuration; one that is gone shows nothing. */
const chosenForm = z
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
  fields: { ...sectionFields, form: chosenForm },
  labels: {
    name: { nl: 'Formulier', fa: 'فرم', en: 'Form' },
    hint: {
      nl: 'Een formulier dat u bij Instellingen maakt, zoals een offerteaanvraag.',
      fa: 'فرمی که در تنظیمات می‌سازید، مانند درخواست پیش‌فاکتور.',
      en: 'A form that you make under Settings, such as a quote request.',
    },
    words: {
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
    const shown: PublicForm | undefined = state?.former ?? site.forms?.find(({ id }) => id === block.form)
    // Visitors are shown nothing where a form is gone.
    if (!shown && !state?.sent) return context.sections ? <p>{context.t('contact.formGone')}</p> : null
    return (
      <section className="contact form-section" id={undefinedIfEmpty(block.anchor)}>
        <div className="wrap">
          <div className="aside">{sectionHead(block.title, block.intro, context)}</div>
          <div className="form-panel">
            {state?.question
              ? questionPanel(state.question, context)
              : state?.sent
                ? sentPanel(state.sent, context, shown?.thanks)
                : shown && view(shown, state, context)}
          </div>
        </div>
      </section>
    )
  },
})

function view(form: PublicForm, state: FormState | undefined, context: RenderContext): ReactNode {
  const { t } = context
  const answers = answersIn(context)
  const wrong = form.fields.find(({ id }) => state?.errors[id] !== undefined)?.id
  const steps = stepsOf(form.fields)
  const fields = (list: readonly FormField[]) =>
    list.map((field) => question(field, { form, state, first: field.id === wrong }, context))
  return (
    <>
      <form
        method="post"
        action={`/api/forms/${form.id}`}
        // Otherwise the browser would show its own messages, in its own language.
        noValidate
        {...(form.fields.some(({ kind }) => kind === 'files') && { encType: 'multipart/form-data' })}
        data-busy={t('contact.busy')}
        data-failure-title={answers('contact.failureTitle')}
        data-failure-text={answers('contact.failureText')}
        data-next={t('contact.next')}
        data-previous={t('contact.previous')}
        data-required={answers('contact.required')}
        data-email={answers('contact.wrongEmail')}
      >
        {failurePanel(state?.failure, context)}
        {steps.map(({ stepField, fields: inStep }, index) =>
          steps.length === 1 && !stepField ? (
            fields(inStep)
          ) : (
            <fieldset key={stepField?.id ?? 'first'} className="step">
              <legend tabIndex={-1}>
                <small>{t('contact.step', { number: index + 1, of: steps.length })}</small>
                {stepField && formText(stepField.label, context)}
              </legend>
              {stepField?.help && <p>{formText(stepField.help, context)}</p>}
              {fields(inStep)}
            </fieldset>
          ),
        )}
        {hiddenFields(`f-${form.id}-more-`, context)}
        <button type="submit" className="button">
          {form.button ? formText(form.button, context) : t('contact.send')}
        </button>
      </form>
      {sentTemplate(context, {
        thanks: form.thanks,
        hasCalendar: form.fields.some(({ kind }) => kind === 'appointment'),
      })}
    </>
  )
}

type Shown = { form: PublicForm; state: FormState | undefined; first: boolean }

function question(field: FormField, shown: Shown, context: RenderContext): ReactNode {
  const { form, state } = shown
  const { t } = context
  const id = `f-${form.id}-${field.id}`
  const error = state?.errors[field.id]
  const askedOptions = form.fields.find((one) => one.id === field.showIf?.field)?.options
  const condition = field.showIf && {
    'data-if': field.showIf.field,
    'data-is': optionValues(askedOptions)[optionIndex(askedOptions, field.showIf.is)],
  }
  const label = (
    <>
      {formText(field.label, context)}
      {!field.required && <small> {t('contact.optional')}</small>}
    </>
  )
  const more = (
    <>
      {field.showIf && (
        <p className="hint if" id={`i-${id}`}>
          {conditionText(form, field.showIf, context)}
        </p>
      )}
      {field.help && (
        <p className="hint" id={`h-${id}`}>
          {formText(field.help, context)}
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
  const described = { 'aria-invalid': error ? true : undefined, 'aria-describedby': describedBy } as const
  const message = fieldError(`e-${id}`, error, context)
  if (hasOptions(field) || field.kind === 'consent') {
    const isConsent = field.kind === 'consent'
    return (
      <fieldset key={field.id} className="field ask" {...condition} aria-describedby={describedBy}>
        {isConsent ? (
          <legend className="visually-hidden">{formText(field.label, context)}</legend>
        ) : (
          <legend>{label}</legend>
        )}
        {more}
        {optionsOf(field, label, context).map(({ value, shown: option }, index) => (
          <label key={value} className="option">
            <input
              type={field.kind === 'choice' ? 'radio' : 'checkbox'}
              name={field.id}
              value={value}
              defaultChecked={state?.values[field.id]?.includes(value)}
              required={field.required && field.kind !== 'several'}
              {...(shown.first && index === 0 && { autoFocus: true })}
              {...described}
            />
            <span>{option}</span>
          </label>
        ))}
        {message}
      </fieldset>
    )
  }
  if (field.kind === 'files') {
    return (
      <div key={field.id} className="field ask" {...condition}>
        <label htmlFor={id}>{label}</label>
        {more}
        <p className="hint" id={`l-${id}`}>
          {t('contact.files', { count: limits.attachments, size: limits.attachmentMegabytes })}
        </p>
        <input id={id} type="file" name={field.id} multiple required={field.required} {...described} />
        {message}
      </div>
    )
  }
  if (field.kind === 'appointment') {
    const slots = offeredSlots(context.site.business.openingHours, context.now)
    if (slots.length === 0) return null
    return (
      <div key={field.id} className="field ask" {...condition}>
        <label htmlFor={id}>{label}</label>
        {more}
        <select
          id={id}
          name={field.id}
          required={field.required}
          defaultValue={state?.values[field.id]?.[0]}
          {...(shown.first && { autoFocus: true })}
          {...described}
        >
          <option value="">{t('contact.chooseSlot')}</option>
          {slots.map((slot) => (
            <option key={slot.value} value={slot.value}>
              {slotText(slot, context.contentLocale)}
            </option>
          ))}
        </select>
        {message}
      </div>
    )
  }
  const shared = {
    id,
    name: field.id,
    defaultValue: state?.values[field.id]?.[0],
    maxLength: maxCharsOf(field.kind),
    required: field.required,
    autoFocus: shown.first || undefined,
    autoComplete: autocompletes[field.kind] ?? (nameFieldOf(form.fields) === field ? 'name' : undefined),
    ...described,
  }
  return (
    <div key={field.id} className="field ask" {...condition}>
      <label htmlFor={id}>{label}</label>
      {more}
      {field.kind === 'longText' ? (
        <textarea {...shared} dir="auto" rows={5} />
      ) : (
        <input
          {...shared}
          dir={field.kind === 'text' ? 'auto' : 'ltr'}
          type={inputTypes[field.kind] ?? 'text'}
          inputMode={field.kind === 'number' ? 'decimal' : undefined}
        />
      )}
      {message}
    </div>
  )
}

const inputTypes: Partial<Record<FormField['kind'], string>> = { email: 'email', tel: 'tel', date: 'date' }
const autocompletes: Partial<Record<FormField['kind'], string>> = { email: 'email', tel: 'tel' }

const optionValues = (options: FormField['options']) => Object.values(options ?? {})[0] ?? []

/** The value of an option is its text in the main language, so that a post means the same in each language. */
function optionsOf(
  { kind, options }: FormField,
  label: ReactNode,
  context: RenderContext,
): { value: string; shown: ReactNode }[] {
  if (kind === 'consent') return [{ value: 'ja', shown: label }]
  const texts = options ? renderLocalized(options, context).value : []
  return optionValues(options).map((value, index) => ({ value, shown: texts[index] ?? value }))
}

function conditionText(
  form: PublicForm,
  { field, is }: NonNullable<FormField['showIf']>,
  context: RenderContext,
): string {
  const asked = form.fields.find(({ id }) => id === field)
  const options = asked?.options ? renderLocalized(asked.options, context).value : []
  return context.t('contact.onlyIf', {
    question: asked ? renderText(renderLocalized(asked.label, context).value, context) : '',
    option: options[optionIndex(asked?.options, is)] ?? is,
  })
}
