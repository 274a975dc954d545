import type { ReactNode } from 'react'
import { contactFormExtras } from '../contract/contact.ts'
import { limits } from '../contract/limits.ts'
import { daysOf, openingSpans, timesOf } from '../contract/opening-hours.ts'
import type { SiteConfig } from '../contract/site-config.ts'
import { anchor, defineBlock, longText, richText, type Scene, shortText } from './define-block.ts'
import { sectionHead } from './heading.tsx'
import { icon } from './icons.tsx'
import { linkIn, linkTo } from './links.ts'
import { rawHtml } from './raw-html.ts'
import { orNothing, richHtml, say, sayIn } from './say.ts'

export const contactForm = defineBlock({
  type: 'contact-form',
  band: true,
  sheets: ['contact'],
  fields: { anchor, title: shortText, intro: longText.default(''), note: richText.default('') },
  labels: {
    nl: {
      name: 'Contactformulier',
      fields: { anchor: 'Anker', title: 'Titel', intro: 'Inleiding', note: 'Onder de knop' },
    },
    fa: { name: 'فرم تماس', fields: { anchor: 'لنگر', title: 'عنوان', intro: 'مقدمه', note: 'زیر دکمه' } },
  },
  defaults: {
    nl: { anchor: 'contact', title: 'Neem contact op', intro: 'Vertel in een paar zinnen wat u zoekt.' },
    fa: { anchor: 'contact', title: 'با ما تماس بگیرید', intro: 'در چند جمله بنویسید دنبال چه هستید.' },
  },
  View(block, scene) {
    return (
      <section className="contact" id={orNothing(block.anchor)}>
        <div className="wrap">
          <div className="aside">
            {sectionHead(block.title, block.intro, scene)}
            {reach(scene)}
          </div>
          <div className="sheet">{scene.contact.sent ? sent(scene.contact.sent, scene) : form(block.note, scene)}</div>
        </div>
      </section>
    )
  },
})

function form(note: string, scene: Scene): ReactNode {
  const { t, contact, site } = scene
  const wrong = site.contact.fields.find((field) => contact.errors[field.name])?.name
  return (
    <>
      <form
        method="post"
        action={site.contact.action}
        // Without this the browser would speak first, in its own language and words.
        noValidate
        data-busy={t('contact.busy')}
        data-failure-title={t('contact.failureTitle')}
        data-failure-text={t('contact.failureText')}
      >
        <div className="failed" role="alert" tabIndex={-1} hidden={!contact.failure}>
          <p className="said">{contact.failure?.title}</p>
          <p>{contact.failure?.text}</p>
        </div>
        {site.contact.fields.map((field) => input(field, field.name === wrong, scene))}
        <p className="honey" aria-hidden="true">
          <label htmlFor="f-more">{t('contact.honeypot')}</label>
          <input id="f-more" type="text" name={contactFormExtras.honeypot} tabIndex={-1} autoComplete="off" />
        </p>
        <input type="hidden" name={contactFormExtras.page} value={scene.path} />
        <input type="hidden" name={contactFormExtras.locale} value={scene.locale} />
        <button type="submit" className="button">
          {t('contact.send')}
        </button>
        {note && rawHtml('div', { className: 'note' }, richHtml(note, scene))}
      </form>
      <template>{sent({ title: '', text: '', reference: '{}' }, scene)}</template>
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

function input(field: Field, first: boolean, scene: Scene): ReactNode {
  const { name } = field
  const error = scene.contact.errors[name]
  const label = sayIn(field.placeholder, scene)
  const shared = {
    id: `f-${name}`,
    name,
    placeholder: say(label.value, scene),
    autoComplete: field.autocomplete,
    defaultValue: scene.contact.values[name],
    maxLength: maxLengths[name],
    required: true,
    autoFocus: first || undefined,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': `e-${name}`,
  }
  const written = name === 'email' || name === 'tel' ? 'ltr' : 'auto'
  return (
    <div key={name} className={`field ${name}`} {...label.lang}>
      {field.type === 'multi-line' ? (
        <textarea {...shared} dir="auto" rows={6} />
      ) : (
        <input {...shared} dir={written} type={inputTypes[name]} />
      )}
      <label htmlFor={shared.id}>{shared.placeholder}</label>
      <p className="error" id={`e-${name}`}>
        {error}
      </p>
    </div>
  )
}

/** Also drawn beside the form, without words, for the script that shows it in its place. */
function sent({ title, text, reference }: NonNullable<Scene['contact']['sent']>, scene: Scene): ReactNode {
  const { t, locale, path } = scene
  return (
    <div className="sent" role="status" tabIndex={-1}>
      <p className="said">{title}</p>
      <p>{text}</p>
      <p>{t('contact.reference', { reference })}</p>
      <p>
        <a href={linkIn(locale, path)}>{t('contact.another')}</a>
      </p>
    </div>
  )
}

/** The other ways to be reached, from the legal identity and the opening hours. */
function reach(scene: Scene): ReactNode {
  const { site, contentLocale, placeholders, t } = scene
  const { legal, business } = site
  return (
    <ul className="reach">
      {legal.telephone && (
        <li>
          {icon('phone')}
          <a href={linkTo('tel:[legal.telephone]', scene)} dir="ltr">
            {placeholders['legal.telephone']?.replaceAll(' ', '\u00a0')}
          </a>
        </li>
      )}
      <li>
        {icon('mail')}
        <a href={`mailto:${legal.email}`}>{legal.email}</a>
      </li>
      <li>
        {icon('map-pin')}
        <span>
          <bdi>{placeholders['legal.street']}</bdi>
          <br />
          <bdi>
            {legal.address.postalCode} {legal.address.city}
          </bdi>
        </span>
      </li>
      <li>
        {icon('clock')}
        <span>
          <span className="unseen">{t('site.openingHours')}: </span>
          {openingSpans(business.openingHours).map((span) => (
            <span key={span.from} className="span">
              {daysOf(span, contentLocale)} <span className="whole">{timesOf(span, contentLocale)}</span>
            </span>
          ))}
        </span>
      </li>
    </ul>
  )
}
