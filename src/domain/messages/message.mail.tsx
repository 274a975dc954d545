import { mailtoOf, telOf } from '../../contract/contact.ts'
import { fillText } from '../../contract/fill-text.ts'
import type { Locale } from '../../contract/locales.ts'
import type { SiteConfig } from '../../contract/site-config.ts'
import { longDateTime } from '../../i18n/dates.ts'
import { referenceNumber } from '../../i18n/reference.ts'
import { translator } from '../../i18n/translate.ts'
import { layOut } from '../../platform/mail/layout.tsx'
import type { Letter } from '../../platform/mail/transport.ts'
import { type MessageLetter, type ReplyLetter, senderOf } from './message-letter.ts'

/** The letter that brings a message to the company, in the language that the visitor read; an answer to it goes to the visitor. */
export async function renderMessageLetter(site: SiteConfig, locale: Locale, data: MessageLetter): Promise<Letter> {
  const { naam, email, tel, bericht } = data.message
  const t = translator(locale)
  const mailto = mailtoOf(email)
  const call = telOf(tel)

  const parts = await layOut(site, locale, {
    title: t('mail.message.title'),
    preview: `${naam}: ${bericht}`.replace(/\s+/g, ' '),
    intro: t('mail.message.intro'),
    rows: [
      { label: t('mail.message.naam'), value: naam },
      { label: t('mail.message.email'), value: email, href: mailto, ltr: true },
      { label: t('mail.message.tel'), value: tel, ltr: true, ...(call && { href: call }) },
      { label: t('mail.message.reference'), value: referenceNumber(data.id, locale) },
      { label: t('mail.message.received'), value: longDateTime(new Date(data.receivedAt), locale) },
    ],
    quote: { label: t('mail.message.bericht'), text: bericht },
    action: { label: t('mail.message.reply'), href: mailto },
  })
  return {
    ...parts,
    from: senderOf(site),
    replyTo: { name: plainName(naam), address: email },
    to: site.contact.recipients.map((address) => ({ name: '', address })),
    subject: fillText(site.contact.subject, { brand: site.brand }),
  }
}

/** The answer to a message, in the language that the visitor read, with what they wrote below it. */
export async function renderReply(site: SiteConfig, locale: Locale, data: ReplyLetter): Promise<Letter> {
  const t = translator(locale)
  const title = t('mail.answer.title', { brand: site.brand })
  const parts = await layOut(site, locale, {
    title,
    preview: data.text.slice(0, 200).replace(/\s+/g, ' '),
    body: data.text,
    rows: [],
    quote: {
      label: t('mail.answer.quote', { date: longDateTime(new Date(data.receivedAt), locale) }),
      text: data.bericht,
    },
  })
  return {
    ...parts,
    from: senderOf(site),
    replyTo: site.contact.recipients.map((address) => ({ name: '', address })),
    to: [{ name: plainName(data.to.name), address: data.to.address }],
    subject: `Re: ${title}`,
    references: data.references,
    personal: true,
  }
}

/** `=?` begins an encoded word, in which a name could hide a line end from the reader of the letter. */
const plainName = (name: string) => name.replaceAll('=?', '= ?')
