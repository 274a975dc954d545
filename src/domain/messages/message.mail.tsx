import { mailtoOf, telOf } from '../../contract/contact.ts'
import type { FormAnswer } from '../../contract/forms.ts'
import { longDate } from '../../contract/intl-formats.ts'
import type { Locale } from '../../contract/locales.ts'
import { fillPlaceholders } from '../../contract/placeholders.ts'
import type { SiteConfig } from '../../contract/site-config.ts'
import { longDateTime, referenceNumber } from '../../i18n/dates.ts'
import { siteTranslator } from '../../i18n/visitor-texts.ts'
import { renderEmailLayout } from '../../platform/mail/email-layout.tsx'
import type { Email } from '../../platform/mail/transport.ts'
import { appointmentOf, calendarFile } from './appointment.ts'
import { type MessageEmail, type ReplyEmail, senderOf } from './message-email.ts'

/** Renders the notification email about a new message, in the visitor's language, with the visitor as Reply-To. */
export async function renderMessageEmail(site: SiteConfig, locale: Locale, data: MessageEmail): Promise<Email> {
  const { naam, email, tel, bericht } = data.message
  const t = siteTranslator(site, locale)
  const mailto = mailtoOf(email)
  const telHref = telOf(tel)
  const appointment = appointmentOf({
    reference: data.id,
    createdAt: new Date(data.receivedAt),
    form: { answers: data.form?.answers ?? [] },
  })

  const receiptRows = [
    { label: t('mail.message.reference'), value: referenceNumber(data.id, locale) },
    { label: t('mail.message.received'), value: longDateTime(new Date(data.receivedAt), locale) },
  ]
  const rendered = renderEmailLayout(site, locale, {
    ...(data.form
      ? {
          title: data.form.name,
          intro: t('mail.message.intro'),
          rows: [...data.form.answers.map((answer) => answerRow(answer, locale)), ...receiptRows],
        }
      : {
          title: t('mail.message.title'),
          intro: t('mail.message.intro'),
          rows: [
            { label: t('mail.message.naam'), value: naam },
            { label: t('mail.message.email'), value: email, href: mailto, ltr: true },
            { label: t('mail.message.tel'), value: tel, ltr: true, ...(telHref && { href: telHref }) },
            ...receiptRows,
          ],
          quote: { label: t('mail.message.bericht'), text: bericht },
        }),
    preview: `${naam}: ${bericht}`.replace(/\s+/g, ' '),
    action: { label: t('mail.message.reply'), href: mailto },
  })
  return {
    ...rendered,
    from: senderOf(site),
    replyTo: { name: naam, address: email },
    to: (data.form ?? site.contact).recipients.map((address) => ({ name: '', address })),
    subject: fillPlaceholders((data.form ?? site.contact).subject, { brand: site.brand }),
    attachments: appointment && [await calendarFile(site, appointment, t('mail.message.appointment', { name: naam }))],
  }
}

function answerRow({ kind, label, text }: FormAnswer, locale: Locale) {
  const telHref = kind === 'tel' ? telOf(text) : undefined
  const href = kind === 'email' ? mailtoOf(text) : telHref
  const ltr = ['email', 'tel', 'number'].includes(kind)
  const value = kind === 'date' ? longDate(text, locale) : text
  return { label, value, ...(ltr && { ltr }), ...(href && { href }) }
}

/** Renders the reply to a message, in the visitor's language, with the original message quoted below. */
export async function renderReplyEmail(site: SiteConfig, locale: Locale, data: ReplyEmail): Promise<Email> {
  const t = siteTranslator(site, locale)
  const title = t('mail.answer.title', { brand: site.brand })
  const rendered = renderEmailLayout(site, locale, {
    title,
    preview: data.text.slice(0, 200).replace(/\s+/g, ' '),
    body: data.text,
    rows: [],
    ...(data.bericht !== '' && {
      quote: {
        label: t('mail.answer.quote', { date: longDateTime(new Date(data.receivedAt), locale) }),
        text: data.bericht,
      },
    }),
  })
  return {
    ...rendered,
    from: senderOf(site),
    replyTo: (data.replyTo ?? site.contact.recipients).map((address) => ({ name: '', address })),
    to: [data.to],
    subject: `Re: ${title}`,
    references: data.references,
    attachments: data.appointment && [
      await calendarFile(site, data.appointment, t('mail.answer.appointment', { brand: site.brand })),
    ],
    personal: true,
  }
}
