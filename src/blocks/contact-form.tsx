import type { ReactNode } from 'react'
import { limits } from '../contract/limits.ts'
import { daysOf, openingSpans, timesOf } from '../contract/opening-hours.ts'
import type { SiteConfig } from '../contract/site-config.ts'
import { defineBlock, type RenderContext, richText, sectionFields, sectionLabels } from './define-block.ts'
import {
  renderConfirmation,
  renderConfirmationTemplate,
  renderFailure,
  renderFieldError,
  renderHiddenFields,
  renderSpamQuestion,
  visitorTranslator,
} from './form-parts.tsx'
import { renderIcon } from './icons.tsx'
import {
  localizeWithLang,
  rawHtml,
  renderHtml,
  renderSectionHead,
  renderText,
  resolveLink,
  undefinedIfEmpty,
} from './render-text.tsx'

export const contactForm = defineBlock({
  type: 'contact-form',
  group: 'contact',
  fullWidth: true,
  settings: 'contact',
  stylesheets: ['contact'],
  fields: { ...sectionFields, note: richText.default('') },
  labels: {
    name: { nl: 'Contactformulier', fa: 'فرم تماس', en: 'Contact form' },
    hint: {
      nl: 'Het formulier waarmee bezoekers u schrijven.',
      fa: 'فرمی که بازدیدکنندگان با آن به شما می‌نویسند.',
      en: 'The form that visitors write to you with.',
    },
    keywords: { nl: 'openingstijden', fa: 'ساعت کاری', en: 'opening hours' },
    fields: {
      ...sectionLabels,
      note: { nl: 'Onder de knop', fa: 'زیر دکمه', en: 'Below the button' },
    },
  },
  defaults: {
    nl: { anchor: 'contact', title: 'Neem contact op', intro: 'Vertel in een paar zinnen wat u zoekt.' },
    fa: { anchor: 'contact', title: 'با ما تماس بگیرید', intro: 'در چند جمله بنویسید دنبال چه هستید.' },
    en: { anchor: 'contact', title: 'Contact us', intro: 'Tell us in a few sentences what you are looking for.' },
  },
  View(block, context) {
    return (
      <section className="contact" id={undefinedIfEmpty(block.anchor)}>
        <div className="wrap">
          <div className="aside">
            {renderSectionHead(block.title, block.intro, context)}
            {renderContactDetails(context)}
          </div>
          <div className="form-panel">{renderFormState(block, context)}</div>
        </div>
      </section>
    )
  },
})

interface ContactFormBlock {
  anchor: string
  note: string
}

function renderFormState(block: ContactFormBlock, context: RenderContext): ReactNode {
  const { confirmation, spamQuestion } = context.contact
  if (spamQuestion) return renderSpamQuestion(spamQuestion, context)
  return confirmation ? renderConfirmation(confirmation, context, block) : renderForm(block, context)
}

function renderForm({ anchor, note }: ContactFormBlock, context: RenderContext): ReactNode {
  const { t, contact, site } = context
  const visitorText = visitorTranslator(context)
  const firstInvalid = site.contact.fields.find((field) => contact.errors[field.name])
  return (
    <>
      <form
        method="post"
        action={site.contact.action}
        // Otherwise the browser would show its own messages, in its own language.
        noValidate
        data-busy={t('contact.busy')}
        data-failure-title={visitorText('contact.failureTitle')}
        data-failure-text={visitorText('contact.failureText')}
      >
        {renderFailure(contact.failure, context)}
        {site.contact.fields.map((field) => renderField(field, { autoFocus: field === firstInvalid }, context))}
        {renderHiddenFields('f-more', context)}
        <button type="submit" className="button">
          {t('contact.send')}
        </button>
        {note && rawHtml('div', { className: 'note' }, renderHtml(note, context))}
      </form>
      {renderConfirmationTemplate(context, { anchor })}
    </>
  )
}

type Field = SiteConfig['contact']['fields'][number]
const inputTypes = { naam: 'text', email: 'email', tel: 'tel', bericht: undefined } as const
const maxLengths = {
  naam: limits.naamChars,
  email: limits.emailChars,
  tel: limits.telChars,
  bericht: limits.berichtChars,
} as const

function renderField(field: Field, { autoFocus }: { autoFocus: boolean }, context: RenderContext): ReactNode {
  const { name } = field
  const error = context.contact.errors[name]
  const label = localizeWithLang(field.placeholder, context)
  const props = {
    id: `f-${name}`,
    name,
    placeholder: renderText(label.value, context),
    autoComplete: field.autocomplete,
    defaultValue: context.contact.values[name],
    maxLength: maxLengths[name],
    required: true,
    autoFocus: autoFocus || undefined,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': `e-${name}`,
  }
  const dir = name === 'email' || name === 'tel' ? 'ltr' : 'auto'
  return (
    <div key={name} className={`field ${name}`} {...label.lang}>
      {field.type === 'multi-line' ? (
        <textarea {...props} dir="auto" rows={6} />
      ) : (
        <input {...props} dir={dir} type={inputTypes[name]} />
      )}
      <label htmlFor={props.id}>{props.placeholder}</label>
      {renderFieldError(`e-${name}`, error, context)}
    </div>
  )
}

/** Renders the company's phone number, email and postal address, and its opening hours. */
function renderContactDetails(context: RenderContext): ReactNode {
  const { site, contentLocale, placeholders, t } = context
  const { legal, business } = site
  const spans = openingSpans(business.openingHours)
  return (
    <ul className="reach">
      {legal.telephone && (
        <li>
          {renderIcon('phone')}
          <a href={resolveLink('tel:[legal.telephone]', context)} dir="ltr">
            {placeholders['legal.telephone']?.replaceAll(' ', '\u00a0')}
          </a>
        </li>
      )}
      <li>
        {renderIcon('mail')}
        <a href={`mailto:${legal.email}`}>{legal.email}</a>
      </li>
      <li>
        {renderIcon('map-pin')}
        <span>
          <bdi>{placeholders['legal.street']}</bdi>
          <br />
          <bdi>
            {legal.address.postalCode} {legal.address.city}
          </bdi>
        </span>
      </li>
      {spans.length > 0 && (
        <li>
          {renderIcon('clock')}
          <span>
            <span className="visually-hidden">{t('site.openingHours')}: </span>
            {spans.map((span) => (
              <span key={span.from} className="span">
                {daysOf(span, contentLocale)} <span className="whole">{timesOf(span, contentLocale)}</span>
              </span>
            ))}
          </span>
        </li>
      )}
    </ul>
  )
}
